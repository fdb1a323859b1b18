# by hand
graph [
  node [ id 1 label "a" graphics [ x 1.0 y 2 ] ]
  node [ id 2 label "b" graphics [ x 3 y 4.0 ] ]
  node [ id 3 label "c" graphics [ x 5 y 6 ] ]
  edge [ source 1 target 2 weight 1.5 ]
  edge [ source 2 target 3 ]
  edge [ source 3 target 1 ]
]

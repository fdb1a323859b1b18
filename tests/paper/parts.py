"""Every labelled part of the paper's source, under the number it has in print.

Taken from the LaTeX source of arXiv 2001.01825 in the order of its labels; sections without a label
are there too, where the map speaks of them. Panels belong to their figure.
"""

from __future__ import annotations

PARTS: dict[str, str] = {
    "sec:6:introduction": "Section 1",
    "fig:6:attack": "Figure 1",
    "sec:6:rw": "Section 2",
    "sec:6:preliminaries": "Section 3",
    "def:dp": "Definition 1",
    "eq:6:ls": "Sensitivity",
    "def:expMech": "Definition 2",
    "fig:6:model": "Figure 2",
    "sec:6:background": "Section 3.3",
    "sec:6:main": "Section 4",
    "sec:6:overview": "Section 4.1",
    "fig:6:example": "Figure 3",
    "itm:6:notsamebranch": "Rule 1",
    "itm:6:samebranch": "Rule 2",
    "itm:6:fakeedge": "Rule 3",
    "itm:6:fakevertex": "Rule 4",
    "itm:6:root": "Rule 5",
    "tab:6:terms": "Table 1",
    "sec:6:prep": "Section 4.2",
    "fig:6:prepmap": "Figure 4",
    "eq:6:qv": "Equation 1",
    "alg:6:dpv": "Algorithm 1",
    "lem:6:dpv": "Lemma 1",
    "eq:6:dp1": "Equation 2",
    "eq:6:relation": "Equation 3",
    "eq:6:qe": "Equation 4",
    "alg:6:dpe": "Algorithm 2",
    "lem:6:dpe": "Lemma 2",
    "eq:6:dp2": "Equation 5",
    "alg:6:main": "Algorithm 3",
    "thm:6:privacy": "Theorem 1",
    "lem:6:roots": "Lemma 3",
    "prop:6:firstvertex": "Proposition 1",
    "alg:6:insert": "Algorithm 4",
    "alg:6:good": "Algorithm 5",
    "clm:6:trans": "Claim 1",
    "fig:6:trans": "Figure 5",
    "thm:6:exist": "Theorem 2",
    "fig:6:split": "Figure 6",
    "alg:6:split": "Algorithm 6",
    "thm:6:split": "Theorem 3",
    "prop:6:height": "Proposition 2",
    "cor:6:recover": "Corollary 1",
    "sec:6:exp": "Section 5",
    "fig:6:run_time": "Figure 7",
    "fig:6:output_no_dp": "Figure 8",
    "fig:6:no_ring_dp": "Figure 9",
    "fig:6:ring_dp_v": "Figure 10",
    "sec:6:conclusion": "Section 6",
}
PANELS = {"Figure 7": "abcd", "Figure 8": "abc", "Figure 9": "ab", "Figure 10": "abc"}
UNLABELLED = (
    "Section 3.1",
    "Section 3.2",
    "Section 4.1, path reconstruction",
    "Section 4.1, exchange of statuses",
    "Section 4.1, equivalence of G and G_P",
    "Section 4.2.1",
    "Section 4.2.2",
    "Section 4.3",
    "Section 5.1",
    "Section 5.2",
)
"""Parts without a label that have a row of their own."""

NOTATIONS = ("·'", "·^", "E", "E_G", "E_P", "G", "G_P", "H", "N", "P", "V", "V_G")
"""What Table 1 lists; each has a row of the glossary."""

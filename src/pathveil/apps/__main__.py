"""``python -m pathveil.apps``: the command line, for where no script is installed."""

from pathveil.apps.cli import main

main()

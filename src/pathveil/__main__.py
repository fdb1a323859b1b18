"""``python -m pathveil``: the command line, where the script is not on the path."""

from __future__ import annotations

from pathveil.cli.main import main

if __name__ == "__main__":
    main()

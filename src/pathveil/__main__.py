"""``python -m pathveil`` and the script ``pathveil``: the command line."""

from __future__ import annotations

import os
import signal


def main() -> None:
    """Run the command line; an interrupt while it is being imported ends it without a word more."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, lambda _number, _frame: os._exit(130))
    # Matrices are small here: the threads of the linear algebra would only wait for one another.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    from pathveil.cli.main import main as command_line

    command_line()


if __name__ == "__main__":
    main()

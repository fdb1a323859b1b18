"""``python -m pathveil`` and the script ``pathveil``: the command line."""

import os

# The module signal takes longer to import than all before it.
from _signal import SIGINT, default_int_handler, getsignal, signal


def main() -> None:
    """Run the command line; an interrupt while it is being imported ends it without a word more."""
    if getsignal(SIGINT) is default_int_handler:
        signal(SIGINT, lambda _number, _frame: os._exit(130))
    # Matrices are small here: the threads of the linear algebra would only wait for one another.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    import gc  # not before an interrupt is heard

    # Imports make half a million objects, and hardly one of them is ever given up.
    gc.set_threshold(100_000)
    from pathveil.cli.main import main as command_line

    command_line()


if __name__ == "__main__":
    main()

"""Entry point of `python -m trainyard_learner`."""

import sys


def run() -> None:
    """Runs the learner. Its first line of output is the address: what libraries print goes to the log."""
    output, sys.stdout = sys.stdout, sys.stderr
    from .main import main

    main(output)


if __name__ == "__main__":
    run()

"""Entry point of `python -m trainyard_learner`."""

import sys

# The first line of the output is the address: what libraries print goes to the log.
output, sys.stdout = sys.stdout, sys.stderr

from .main import main  # noqa: E402

main(output)

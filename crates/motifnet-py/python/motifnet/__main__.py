"""``python -m motifnet`` is the command ``motifnet``."""

import sys

from ._cli import main

sys.exit(main())

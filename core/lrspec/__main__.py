"""`python -m lrspec` is the command `lrspec`."""

from __future__ import annotations

import sys

from lrspec.cli.main import main

sys.exit(main())

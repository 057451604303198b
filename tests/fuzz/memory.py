"""How much memory the process has held at most."""

from __future__ import annotations

import resource
import sys

# Linux counts in KiB, macOS in bytes.
_UNIT = 1 if sys.platform == "darwin" else 1024


def peak() -> int:
    """The most memory that the process has held, in bytes."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * _UNIT

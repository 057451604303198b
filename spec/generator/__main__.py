"""Starts the generator, as a module or by the name of its directory."""

from __future__ import annotations

import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent

# `python spec/generator` puts this directory on the path, where the package itself is not found.
sys.path[:] = [str(HERE.parent), *(entry for entry in sys.path if Path(entry or ".") != HERE)]

if __name__ == "__main__":
    from generator.command import main

    sys.exit(main(sys.argv[1:]))

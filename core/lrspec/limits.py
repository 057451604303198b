"""How large a document may be; more is refused before work is done in proportion to it."""

from __future__ import annotations

BYTES = 8 * 1024 * 1024
DEPTH = 64
NODES = 1_000_000
MAPPINGS = 20_000

# Reading and validation go on after a fault, up to this many of them.
PROBLEMS = 1_000

# How deep repeats with stretch may be nested, and to how many schedules all their periods that are
# laid out may come.
GROWING = 4
LAID = 40_000

# Up to this step, the last one that every backend counts to, positions stay within float64.
LAST_STEP = 2**31 - 1

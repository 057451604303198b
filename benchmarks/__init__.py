"""How fast lrspec is: ratios against the nearest thing that does the same, measured side by side.

`python -m benchmarks [--json FILE] [TOPIC …]` prints them with their targets. It never fails
because of a figure.
"""

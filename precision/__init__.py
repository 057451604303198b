"""How exact lrspec is: every value against the generator's 60 digits, beside what others give.

`python -m precision [--json FILE] [--quick] [KIND …]` prints, for each kind and each adapter, the
largest error in units in the last place and where it is. It fails where one is over its limit.
"""

"""The referee: computes the conformance data of lrspec 1 from the clauses alone, in 60 digits.

It shares no code with any implementation of the language. Positions are exact rationals, values
are mpmath numbers, and every rule is written the most direct way, however slow: this program is
read beside the clauses. Run `python -m generator` beside it, or `python spec/generator`.
"""

"""Everyday mistakes, where they are made, and the one message that each is to give."""

from __future__ import annotations

from typing import NamedTuple

KINDS = (
    "constant, linear, cosine, polynomial, geometric, inverse, exponential, inverse_sqrt,"
    " power_law, token_power, piecewise_linear, piecewise_constant, repeat, product, sum, clamp,"
    " quantize, advance"
)
NOT_A_KIND = f"Not a kind. The kinds are {KINDS}."
NO_NUMBER = "A number without quotes or unit: 1, 0.1, 1e-5."
NO_POSITION = (
    "A whole number of steps without quotes, or text with a unit: 45%, 1000 steps, 0.5 epochs,"
    " 2.5M samples, 10B tokens."
)


class Mistake(NamedTuple):
    """A node with a mistake, and what is said of what is marked."""

    node: str
    message: str


# The five of every day.
EVERYDAY = {
    "kind typo": Mistake("⟦cosin⟧:\n  final: 0.1\n  length: 3000", NOT_A_KIND),
    "field typo": Mistake(
        "cosine:\n  final: 0.1\n  ⟦lenght⟧: 3000", "Property lenght is not allowed."
    ),
    "missing field": Mistake("⟦cosine⟧:\n  length: 3000", 'Missing property "final".'),
    "wrong type": Mistake("cosine:\n  final: ⟦low⟧\n  length: 3000", NO_NUMBER),
    "quoted number": Mistake('cosine:\n  final: ⟦"0.1"⟧\n  length: 3000', NO_NUMBER),
}

# Where a node can stand: at the top, and three and four levels down.
PLACES = {
    "top": "@",
    "stage": "- linear:\n    final: 1\n    length: 1000\n- @",
    "list in product in repeat": """\
repeat:
  period: 5000
  schedule:
    product:
      of:
        - constant:
            value: 0.5
        - - linear:
              final: 1
              length: 1000
          - @""",
    "clamp in sum in list": """\
- linear:
    final: 1
    length: 1000
- sum:
    of:
      - constant:
          value: 0.1
      - clamp:
          minimum: 0
          schedule:
            @""",
    "list in advance in quantize in clamp": """\
clamp:
  maximum: 1
  schedule:
    quantize:
      every: 10
      schedule:
        advance:
          by: 5
          schedule:
            - @
            - constant:
                length: 10""",
}

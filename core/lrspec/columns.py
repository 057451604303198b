"""Rows of text in aligned columns."""

from __future__ import annotations

from collections.abc import Sequence


def aligned(cells: Sequence[str], widths: Sequence[int], right: Sequence[bool]) -> str:
    """Cells padded to the widths of their columns, two spaces between them."""
    padded = (
        cell.rjust(width) if to_right else cell.ljust(width)
        for cell, width, to_right in zip(cells, widths, right, strict=True)
    )
    return "  ".join(padded).rstrip()


def table(rows: Sequence[Sequence[str]], right: Sequence[bool]) -> list[str]:
    """Rows as lines with aligned columns, those marked in `right` to the right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [aligned(row, widths, right) for row in rows]

"""Prints how many tests passed in each environment of the matrix, and at last in all of them.

It reads what the test runner wrote of each environment, and fails where a test failed or none ran.
"""

from __future__ import annotations

import sys
from pathlib import Path
from xml.etree import ElementTree as ET


def count(report: Path) -> tuple[int, int, int]:
    """Passed, failed (errors among them) and skipped (expected failures among them)."""
    passed = failed = skipped = 0
    for suite in ET.parse(report).getroot().iter("testsuite"):
        bad = int(suite.attrib["failures"]) + int(suite.attrib["errors"])
        left_out = int(suite.attrib["skipped"])
        passed += int(suite.attrib["tests"]) - bad - left_out
        failed += bad
        skipped += left_out
    return passed, failed, skipped


def main(folder: Path) -> int:
    """0 where every test passed, 1 otherwise."""
    total = (0, 0, 0)
    for report in sorted(folder.glob("*.xml")):
        counts = count(report)
        total = (total[0] + counts[0], total[1] + counts[1], total[2] + counts[2])
        print(f"{report.stem:18} " + line(counts))
    print(line(total))
    return 0 if total[0] and not total[1] else 1


def line(counts: tuple[int, int, int]) -> str:
    """The closing line of a test run."""
    passed, failed, skipped = counts
    return f"{passed} passed, {failed} failed" + (f", {skipped} skipped" if skipped else "")


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))

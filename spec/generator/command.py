"""The command line: writes the files of the suite, or compares them with those that stand there."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from generator.files import suite

SUITE = Path(__file__).resolve().parent.parent / "lrspec_spec" / "v1" / "conformance"

# What stands beside the generated files and is written by hand.
BY_HAND = ("conformance.schema.json",)


def main(arguments: Sequence[str]) -> int:
    """Write or check the suite; 1 when it differs from what the generator computes."""
    parser = argparse.ArgumentParser(prog="generator", description=__doc__)
    parser.add_argument("--check", action="store_true", help="compare and write nothing")
    options = parser.parse_args(arguments)
    wanted = suite()
    different = differences(wanted, SUITE)
    if options.check:
        for path in different:
            sys.stdout.write(f"differs: {path}\n")
        sys.stdout.write(f"{len(wanted)} files, {len(different)} differ\n")
        return 1 if different else 0
    for path in different:
        target = SUITE / path
        if path in wanted:
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(wanted[path], encoding="utf-8", newline="\n")
        else:
            target.unlink()
    sys.stdout.write(f"{len(wanted)} files, {len(different)} written or removed\n")
    return 0


def differences(wanted: dict[str, str], directory: Path) -> list[str]:
    """The paths that are missing, differ, or should not be there."""
    there = {
        path.relative_to(directory).as_posix(): path
        for path in directory.rglob("*.json")
        if path.relative_to(directory).as_posix() not in BY_HAND
    }
    changed = [
        path
        for path, content in wanted.items()
        if path not in there or there[path].read_bytes() != content.encode()
    ]
    return sorted({*changed, *(there.keys() - wanted.keys())})

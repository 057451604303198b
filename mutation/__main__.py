"""Mutates the core and runs the conformance data on every mutant: `tox -e mutation`.

Given names of modules of lrspec, only these are mutated.
"""

from __future__ import annotations

import json
import resource
import shutil
import subprocess
import sys
from argparse import ArgumentParser
from collections.abc import Sequence
from pathlib import Path
from tempfile import mkdtemp

from mutation.mutants import Mutant, mutants, skip
from mutation.report import report
from mutation.survivors import read

HERE = Path(__file__).parent
ROOT = HERE.parent
LAID_OUT = {
    "lrspec": ROOT / "core" / "lrspec",
    "lrspec_spec": ROOT / "spec" / "lrspec_spec",
    "cases.py": HERE / "cases.py",
    "pyproject.toml": HERE / "mutmut.toml",
}
# What a mutant may take; some make lists without an end.
MEMORY = 2 * 1024**3
# With names mutmut makes all mutants and runs these alone; there are five.
FEW = "lrspec.resolved.*"


def main(arguments: Sequence[str]) -> int:
    """0 where the score is reached and every survivor is listed."""
    parser = ArgumentParser(prog="python -m mutation", description=__doc__)
    parser.add_argument("modules", nargs="*", metavar="MODULE", help="such as powers")
    parser.add_argument("--processes", type=int, default=2, help="workers at a time (2)")
    parser.add_argument("--folder", type=Path, help="where to work; it is emptied")
    asked = parser.parse_args(arguments)
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    folder: Path = asked.folder or Path(mkdtemp(prefix="mutation-"))
    lay_out(folder, asked.modules)
    listed = read(HERE / "survivors.toml")

    def wanted(mutant: Mutant) -> bool:
        inside = not asked.modules or mutant.module.removeprefix("lrspec.") in asked.modules
        return inside and mutant.judged and not listed.outside(mutant)

    mutmut(folder, asked.processes, FEW)
    names = {mutant.name for mutant in mutants(folder / "mutants") if not wanted(mutant)}
    skip(folder / "mutants", names)
    mutmut(folder, asked.processes)
    found = list(mutants(folder / "mutants"))
    return report([mutant for mutant in found if wanted(mutant)], len(names), listed)


def lay_out(folder: Path, modules: Sequence[str]) -> None:
    """The code beside the data, each under the name that it is imported by."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for name, path in LAID_OUT.items():
        copy = shutil.copytree if path.is_dir() else shutil.copy
        copy(path, folder / name)
    if modules:
        files = (folder / "lrspec").glob("*.py")
        others = [
            f"lrspec/{path.name}" for path in files if path.stem not in (*modules, "resolved")
        ]
        with (folder / "pyproject.toml").open("a") as settings:
            settings.write(f"do_not_mutate = {json.dumps(others)}\n")


def mutmut(folder: Path, processes: int, *names: str) -> None:
    """A run of mutmut; what it prints goes to a file."""
    program = str(Path(sys.executable).with_name("mutmut"))
    command = [program, "run", "--max-children", str(processes), *names]
    with (folder / "mutmut.log").open("w") as log:
        done = subprocess.run(command, cwd=folder, stdout=log, stderr=log, check=False)
    if done.returncode:
        sys.exit(f"mutmut: {(folder / 'mutmut.log').read_text()[-2000:]}")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

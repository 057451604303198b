"""What is imported along with lrspec: nothing that was not asked for.

Each test runs in a process of its own, since this one has imported much already, and refuses the
imports in question: also those that would be tried and given up where a package is not installed.
"""

from __future__ import annotations

import subprocess
import sys

FRAMEWORKS = ["torch", "jax", "jaxlib", "optax", "keras", "tensorflow", "numpy", "scipy"]
READING = ["yaml", "jsonschema"]
TERMINAL = ["click", "rich"]
PICTURES = ["matplotlib", "plotille"]

REFUSE = """
import sys

class Refuse:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {refused}:
            raise RuntimeError(f"{{name}} is imported")

sys.meta_path.insert(0, Refuse())
"""

READ_AND_EVALUATE = """
import json, sys, lrspec
document = {"lrspec": 1, "base": 0.5, "schedule": [
    {"linear": {"initial": 0, "final": 1, "length": 2}}, {"cosine": {"final": 0.5}}]}
text = json.dumps(document)
for read in (lrspec.loads(text), lrspec.loads(text, file="a.json"), lrspec.from_dict(document)):
    curve = read.bind(steps=6)
    print(curve(1), list(curve.values(0, 3)), len(curve.phases()), len(curve.fingerprint))
    curve.table()
"""


def run(code: str, refused: list[str]) -> str:
    """The output of `code`, run where importing any of `refused` is an error."""
    prelude = REFUSE.format(refused=sorted(refused))
    done = subprocess.run(
        [sys.executable, "-I", "-c", prelude + code], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_refusing_works() -> None:
    code = "try: import colorsys\nexcept RuntimeError as error: print(error)"

    assert run(code, ["colorsys"]) == "colorsys is imported\n"


def test_importing_lrspec_is_cheap() -> None:
    run("import lrspec", FRAMEWORKS + READING + TERMINAL + PICTURES)


def test_reading_and_evaluating_needs_no_framework_and_no_terminal() -> None:
    assert run(READ_AND_EVALUATE, FRAMEWORKS + TERMINAL) == "0.25 [0.0, 0.25, 0.5] 2 64\n" * 3


def test_no_module_of_the_core_needs_a_framework() -> None:
    code = """
import pkgutil, importlib, lrspec, lrspec_spec
for package in (lrspec, lrspec_spec):
    for module in pkgutil.walk_packages(package.__path__, package.__name__ + "."):
        if not module.name.endswith("__main__"):
            importlib.import_module(module.name)
            print(module.name)
"""
    imported = run(code, FRAMEWORKS + PICTURES).splitlines()

    assert {"lrspec.curve", "lrspec.cli.main", "lrspec.table.evaluate"} <= set(imported)


def test_only_the_command_line_needs_a_terminal() -> None:
    code = """
import pkgutil, importlib, lrspec
for module in pkgutil.walk_packages(lrspec.__path__, "lrspec."):
    if not module.name.startswith("lrspec.cli") and not module.name.endswith("__main__"):
        importlib.import_module(module.name)
"""
    run(code, FRAMEWORKS + TERMINAL + PICTURES)


def test_the_names_are_there_before_they_are_used() -> None:
    code = "import lrspec; print(set(dir(lrspec)) >= set(lrspec.__all__))"

    assert run(code, FRAMEWORKS + READING + TERMINAL) == "True\n"

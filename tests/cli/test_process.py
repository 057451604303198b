"""The command line as a process of its own: pipes, full disks, terminals, signals, encodings."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from functools import partial
from pathlib import Path

import pytest
from tests.cli.conftest import PRODUCTION

LRSPEC = [sys.executable, "-m", "lrspec"]
POSIX = os.name == "posix"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "a.lrspec.yaml").write_text(PRODUCTION)
    return tmp_path


def run(
    folder: Path, *arguments: str, env: dict[str, str] | None = None
) -> subprocess.CompletedProcess[bytes]:
    clean = {k: v for k, v in os.environ.items() if k not in ("NO_COLOR", "FORCE_COLOR")}
    return subprocess.run(
        [*LRSPEC, *arguments],
        cwd=folder,
        env={**clean, **(env or {})},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=False,
    )


def test_the_installed_command(folder: Path) -> None:
    command = Path(sys.executable).with_name("lrspec")
    done = subprocess.run(
        [command, "check", "a.lrspec.yaml"], cwd=folder, capture_output=True, check=False
    )

    assert (done.returncode, done.stdout, done.stderr) == (0, b"a.lrspec.yaml: OK\n", b"")


def test_the_version(folder: Path) -> None:
    done = run(folder, "--version")

    assert done.returncode == 0
    assert done.stdout.startswith(b"lrspec 1.")


def test_help_imports_next_to_nothing(folder: Path) -> None:
    code = (
        "import sys\n"
        "from lrspec.cli.main import main\n"
        "status = main(['--help'])\n"
        "heavy = {'rich', 'yaml', 'jsonschema', 'fractions', 'lrspec.curve', 'lrspec_spec'}\n"
        "sys.exit(status or ', '.join(heavy & set(sys.modules)) or 0)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=folder, capture_output=True, check=False, text=True
    )

    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("Usage: lrspec ")
    assert max(map(len, done.stdout.splitlines())) <= 80


@pytest.mark.parametrize(
    "arguments", [["check"], ["show"], ["values"], ["values", "--format", "csv"]]
)
def test_no_styles_in_a_pipe(folder: Path, arguments: list[str]) -> None:
    done = run(folder, *arguments, "a.lrspec.yaml")

    assert done.returncode == 0
    assert b"\x1b" not in done.stdout + done.stderr


@pytest.mark.parametrize(
    ("variable", "styled"), [("FORCE_COLOR", True), ("NO_COLOR", False), (None, False)]
)
def test_styles_are_asked_for_and_switched_off(
    folder: Path, variable: str | None, styled: bool
) -> None:
    env = {"TERM": "xterm-256color"} | ({variable: "1"} if variable else {})
    done = run(folder, "show", "a.lrspec.yaml", env=env)

    assert (b"\x1b[1m" in done.stdout) == styled


@pytest.mark.skipif(not POSIX, reason="pseudo-terminals are POSIX")
@pytest.mark.parametrize(
    ("env", "styled"),
    [({}, True), ({"NO_COLOR": "1"}, False), ({"TERM": "dumb"}, False)],
    ids=["terminal", "NO_COLOR", "dumb"],
)
def test_on_a_terminal_of_80_columns(folder: Path, env: dict[str, str], styled: bool) -> None:
    import pty

    child, screen = pty.fork()
    if child == 0:  # pragma: no cover - another process
        os.chdir(folder)
        os.environ.pop("NO_COLOR", None)
        os.environ.update({"TERM": "xterm-256color", "COLUMNS": "80", **env})
        os.execv(sys.executable, [*LRSPEC, "show", "a.lrspec.yaml"])
    output = b""
    try:
        while part := os.read(screen, 4096):
            output += part
    except OSError:  # how Linux says that the other end is closed
        pass
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    os.close(screen)

    assert status == 0
    assert (b"\x1b[" in output) == styled
    assert b"79203.6    88004  piecewise_linear       1e-05     1e-06\r\n" in output


@pytest.mark.skipif(not POSIX, reason="pipes of POSIX")
@pytest.mark.parametrize("rows", ["10", "1000000"])
def test_a_reader_that_stops_reading(folder: Path, rows: str) -> None:
    command = [*LRSPEC, "values", "a.lrspec.yaml", "--to", rows, "--stride", "1"]
    with subprocess.Popen(
        command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdout is not None and process.stderr is not None
        if rows == "10":
            process.stdout.close()
        else:
            assert process.stdout.readline() == b"   step  lr\n"
            process.stdout.close()
        errors = process.stderr.read()

    assert errors == b""
    assert process.returncode == 1


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a device of Linux")
@pytest.mark.parametrize("command", ["check", "show", "values"])
def test_a_full_disk(folder: Path, command: str) -> None:
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [*LRSPEC, command, "a.lrspec.yaml"],
            cwd=folder,
            stdout=full,
            stderr=subprocess.PIPE,
            check=False,
        )

    assert done.returncode == 1
    assert done.stderr == b"lrspec: the output: No space left on device\n"


@pytest.mark.skipif(not POSIX, reason="signals of POSIX")
def test_an_interrupt(folder: Path) -> None:
    command = [*LRSPEC, "values", "a.lrspec.yaml", "--to", "1000000000", "--stride", "1"]
    # What a shell starts in the background ignores an interrupt, and so would what that starts.
    heard = partial(signal.signal, signal.SIGINT, signal.SIG_DFL)
    with subprocess.Popen(
        command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, preexec_fn=heard
    ) as process:
        assert process.stdout is not None
        process.stdout.readline()
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate()

    assert process.returncode == 130
    assert b"Traceback" not in errors


def test_an_output_that_lacks_characters(folder: Path) -> None:
    done = run(folder, "check", "\N{SNOWMAN}.yaml", env={"PYTHONIOENCODING": "ascii"})

    assert done.returncode == 1
    assert done.stdout == b"\\u2603.yaml: there is no such file\n"
    assert done.stderr == b""


@pytest.mark.skipif(not POSIX, reason="file names of POSIX are bytes")
def test_a_name_that_is_no_text(folder: Path) -> None:
    done = subprocess.run(
        [os.fsencode(part) for part in LRSPEC] + [b"check", b"a\xff.yaml"],
        cwd=folder,
        capture_output=True,
        check=False,
    )

    assert done.returncode == 1
    assert done.stdout == b"a\\udcff.yaml: there is no such file\n"
    assert done.stderr == b""


@pytest.mark.skipif(not POSIX, reason="descriptors of POSIX")
def test_no_standard_input(folder: Path) -> None:
    done = subprocess.run(
        ["/bin/sh", "-c", '"$@" <&-', "sh", *LRSPEC, "check", "-"],
        cwd=folder,
        capture_output=True,
        check=False,
    )

    assert done.returncode == 2
    assert b"there is no standard input" in done.stderr


@pytest.mark.parametrize("arguments", [["nothing"], ["show"], ["show", "a", "b"], ["check", "-x"]])
def test_a_wrong_command_line(folder: Path, arguments: list[str]) -> None:
    done = run(folder, *arguments)

    assert (done.returncode, done.stdout) == (2, b"")
    assert b"Traceback" not in done.stderr

"""A program in any language as a backend: one process for the whole suite, asked line by line."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from contextlib import suppress
from queue import Empty, SimpleQueue
from threading import Thread
from types import TracebackType
from typing import IO, Final, cast

from lrspec.conformance.answers import Answer, Broken
from lrspec.conformance.backends import BackendError
from lrspec.conformance.cases import Case, Golden, Invalid, Reading
from lrspec.conformance.messages import answer, request

_END_S: Final = 5.0  # for a program to end by itself


class Program:
    """Speaks the protocol of CONFORMANCE.md with a program; close it, or use it in a `with`.

    `timeout` is in seconds, for one answer. After a program has ended, or was ended since it took
    too long, every answer is `Broken`.

    Raises:
        BackendError: The program cannot be started.
    """

    takes: tuple[type[Case], ...] = (Golden, Invalid, Reading)

    def __init__(self, command: Sequence[str], profile: str, timeout: float) -> None:
        self.name = " ".join(command)
        self.profile = profile
        self.timeout = timeout
        self.over: str | None = None
        try:
            self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        except (OSError, ValueError) as error:
            raise BackendError(f"cannot start {self.name}: {error}") from error
        self._requests: SimpleQueue[bytes | None] = SimpleQueue()
        self._lines: SimpleQueue[bytes] = SimpleQueue()
        # A pipe cannot be waited for with a limit everywhere, but a queue can.
        Thread(target=self._talk, daemon=True).start()

    def answer(self, case: Case) -> Answer:
        """The answer of the program; Broken where there is none."""
        if self.over is not None:
            return Broken(f"not asked: {self.over}")
        self._requests.put(request(case, self.profile).encode() + b"\n")
        try:
            line = self._lines.get(timeout=self.timeout)
        except Empty:
            self._process.kill()
            self.over = f"the program gave no answer in {self.timeout:g} s and was ended"
            return Broken(self.over)
        if not line:
            self.over = f"the program has ended, {self._ending()}"
            return Broken(self.over)
        return answer(line, case.name)

    def _talk(self) -> None:
        """Write each request and read its answer; an empty line says that there is none."""
        into, out = cast("IO[bytes]", self._process.stdin), cast("IO[bytes]", self._process.stdout)
        while (line := self._requests.get()) is not None:
            try:
                into.write(line)
                into.flush()
                self._lines.put(out.readline())
            except OSError:  # it has ended, or it was
                self._lines.put(b"")
        out.close()
        with suppress(OSError):  # what it did not read cannot be written any more
            into.close()

    def _ending(self) -> str:
        try:
            status = self._process.wait(_END_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
            return "or closed its output"
        return f"killed by signal {-status}" if status < 0 else f"with status {status}"

    def close(self) -> None:
        """Close the program's input and wait for its end, not for long."""
        self._requests.put(None)
        try:
            self._process.wait(_END_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    def __enter__(self) -> Program:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

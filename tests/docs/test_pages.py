"""The pages of the documentation do what they say: every command, session and document on them."""

from __future__ import annotations

import ast
import doctest
import shlex
from pathlib import Path

import pytest
from tests.docs.pages import ROOT, Block, blocks

from lrspec.cli.main import main
from lrspec.importing.registry import names
from lrspec.loading import loads
from lrspec.problems import SpecError

DOCS = ROOT / "docs"
PAGES = sorted(DOCS.rglob("*.md"))


def test_there_are_pages() -> None:
    assert {page.parent.name for page in PAGES} >= {"docs", "import", "reference"}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(DOCS)))
def test_page(
    page: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("NO_COLOR", "1")
    done: set[Block] = set()
    for block in blocks(page):
        if block.file is not None:
            (tmp_path / block.file).write_text(block.text, "utf-8")
            done.add(block)
        for command, output in block.dialogue if block.language == "console" else ():
            program, *arguments = shlex.split(command)
            assert program == "lrspec", f"{page.name}, {block}: {command}"
            main(arguments)
            out, err = capsys.readouterr()
            assert out + err == output, f"{page.name}, {block}: {command}"
            done.add(block)
        if block.language == "pycon":
            session = doctest.DocTestParser().get_doctest(
                block.text, {}, str(block), page.name, block.line - 1
            )
            wrong: list[str] = []
            assert doctest.DocTestRunner(verbose=False).run(session, out=wrong.append).attempted
            assert not wrong, "".join(wrong)
            done.add(block)
        if block.language == "python":
            ast.parse(block.text)
            done.add(block)
    left = [str(block) for block in blocks(page) if block not in done]
    assert left == [], f"{page.name}: blocks that nothing tests"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(DOCS)))
def test_documents_are_good_but_for_those_that_show_what_is_wrong(page: Path) -> None:
    for block in blocks(page):
        if block.file is None or not block.file.endswith((".lrspec.yaml", ".lrspec.json")):
            continue
        if "finl" in block.text or "cosin:" in block.text:
            with pytest.raises(SpecError):
                loads(block.text, file=block.file)
        else:
            loads(block.text, file=block.file)


def test_every_system_has_a_before_and_after() -> None:
    commands = [
        shlex.split(command)
        for page in (DOCS / "import").glob("*.md")
        for block in blocks(page)
        for command, _ in block.dialogue
    ]
    assert {words[2] for words in commands if words[1] == "import"} == set(names())

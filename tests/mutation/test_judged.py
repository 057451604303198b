"""What a mutant changes that no case can tell, and what it changes that some case must."""

from __future__ import annotations

import pytest
from mutation.judged import judged


def function(*lines: str) -> str:
    return "\n".join(["def f(self, p):", *(f"    {line}" for line in lines)])


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (["assert p > 0", "return p"], ["assert p < 0", "return p"]),
        (["raise ValueError(f'no {p}')"], ["raise ValueError(None)"]),
        (["return problem('code', p, 'a text')"], ["return problem('code', p, None)"]),
        (["return problem('code', p, hint='a')"], ["return problem('code', p)"]),
        (["t = p + 1", "return problem('code', p, t)"], ["t = None", "return problem('code', p)"]),
        (["return self.missing('steps', p, 'why')"], ["return self.missing('tokens', p)"]),
        (["self.warnings.append(p)", "return p"], ["self.warnings.append(None)", "return p"]),
        (["return Curve(base=p, pieces=p)"], ["return Curve(base=p)"]),
        (["return cast('int', p)"], ["return cast(None, p)"]),
        (["return zip(p, p, strict=True)"], ["return zip(p, p)"]),
        (["return f(p, left=False)"], ["return f(p, left=None)"]),
        (
            ["match p:", "    case 1:", "        p = 2", "    case _:", "        pass", "return p"],
            ["match p:", "    case 1:", "        p = 2", "return p"],
        ),
        (
            ["if p:", "    return 1", "raise AssertionError(p)"],
            ["if p:", "    return 1", "raise AssertionError"],
        ),
    ],
)
def test_what_no_case_can_tell_is_not_judged(one: list[str], other: list[str]) -> None:
    assert judged(function(*one)) == judged(function(*other))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (["return p + 1"], ["return p - 1"]),
        (["raise ValueError(p)"], ["return ValueError(p)"]),
        (["return problem('code', p)"], ["return problem('CODE', p)"]),
        (["return problem('code', p)"], ["return problem('code', None)"]),
        (["return self.missing('steps', p)"], ["return self.missing('steps', None)"]),
        (["t = p + 1", "return t"], ["t = None", "return t"]),
        (["found.append(p)", "return found"], ["found.append(None)", "return found"]),
        (["return Curve(base=p)"], ["return Curve(base=None)"]),
        (["return f(p, left=False)"], ["return f(p, left=True)"]),
        (
            ["match p:", "    case 1:", "        return 2", "    case _:", "        return 3"],
            ["match p:", "    case 1:", "        return 2"],
        ),
    ],
)
def test_what_a_case_can_tell_is_judged(one: list[str], other: list[str]) -> None:
    assert judged(function(*one)) != judged(function(*other))

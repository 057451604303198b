"""Explains schedules: what is no kind with its fields, and no list of schedules."""

from __future__ import annotations

from collections.abc import Iterator

from lrspec.explaining_values import Values, is_number
from lrspec.hints import interpolation_hint, kind_hint
from lrspec.problems import Problem
from lrspec.schema_words import number_field, sentence, types
from lrspec.shorten import listed, quoted, short, shown
from lrspec.source import Json


class Schedules(Values):
    """The problems of a part that is a schedule."""

    def schedule(self, value: Json) -> Iterator[Problem]:
        """What is wrong with something that should be a schedule."""
        kinds = self.form.kinds
        if isinstance(value, list):
            yield self.too_few((), value, 1)
            return
        if not isinstance(value, dict):
            yield self.problem(
                "wrong-type",
                (),
                f"expected a schedule, found {shown(value)}",
                expected="a schedule",
                found=shown(value),
                hint=self.schedule_hint(value),
            )
            return
        known = [key for key in value if key in kinds]
        strays = [key for key in value if key not in kinds]
        if strays and known:
            yield from self.beside(value, known[0], strays)
        elif strays:
            yield from self.no_kind(value, strays)
        elif known:
            number = "two" if len(known) == 2 else len(known)
            yield self.problem(
                "one-kind",
                (),
                f"{number} kinds in one schedule: {listed(map(quoted, known))}",
                at=(known[1],),
                key=True,
                expected="one kind",
                found=listed(known),
                hint="write a list, one '- ' line for each",
            )
        else:
            yield self.problem(
                "one-kind",
                (),
                "a schedule needs a kind",
                expected="one kind",
                found=shown(value),
                hint=sentence(self.form.parts[str(self.part)]),
            )

    def schedule_hint(self, value: Json) -> str | None:
        """What to write for a scalar where a schedule is expected."""
        kinds = self.form.kinds
        if isinstance(value, str):
            if "${" in value:
                return interpolation_hint(value)
            if value in kinds:
                example = self.form.example(value)
                return f"write '{example}'" if example.endswith(":") else f"write {example}"
            if value.split(":")[0] in kinds:
                return "put a space after the colon"
            hint = kind_hint(value, kinds)
            if hint is not None and hint.startswith("did you mean"):
                kind = hint.split("'")[1]
                return f"did you mean {self.form.example(kind)}?"
            if hint is not None:
                return hint
        elif is_number(value):
            # The kind that may stand without fields is the one that needs the fewest.
            kind = next(kind for kind, body in kinds.items() if "null" in types(body))
            return f"write {kind}: {{{number_field(kinds[kind])}: {shown(value)}}}"
        return sentence(self.form.parts[str(self.part)])

    def beside(self, value: dict[str, Json], kind: str, strays: list[str]) -> Iterator[Problem]:
        """Names beside a kind: its fields, indented too little, or something unknown."""
        fields = self.form.kinds[kind]["properties"]
        for name in strays:
            if name in fields:
                self.settled.add((kind,))
                message = f"{quoted(name)} stands beside {quoted(kind)}, not in it"
                hint = f"indent it below '{kind}:'"
            else:
                message, hint = f"unknown kind {quoted(name)}", self.unknown_kind(name)
            yield self.problem(
                "unknown-kind", (), message, at=(name,), key=True, found=short(name), hint=hint
            )

    def no_kind(self, value: dict[str, Json], strays: list[str]) -> Iterator[Problem]:
        """A mapping without any kind: the kind is misspelt, forgotten, or written as a field."""
        kinds = self.form.kinds
        for name in ("type", "kind"):
            kind = value.get(name)
            if isinstance(kind, str) and kind in kinds:
                fields = [key for key in value if key in kinds[kind]["properties"]]
                body = f" {{{', '.join(f'{short(key)}: …' for key in fields)}}}" if fields else ""
                yield self.problem(
                    "unknown-kind",
                    (),
                    f"unknown kind {quoted(name)}",
                    at=(name,),
                    key=True,
                    found=name,
                    hint=f"the kind is the key: write {kind}:{body}"
                    if fields
                    else f"the kind is the key: write {self.form.example(kind)}",
                )
                return
        if all(self.form.owners(name) for name in strays):
            yield self.problem(
                "one-kind",
                (),
                f"a schedule needs a kind, found only {listed(map(quoted, strays))}",
                at=(strays[0],),
                key=True,
                expected="one kind",
                found=listed(strays),
                hint=self.kind_with(strays),
            )
            return
        for name in strays:
            if not self.form.owners(name) or name == strays[0]:
                yield self.problem(
                    "unknown-kind",
                    (),
                    f"unknown kind {quoted(name)}",
                    at=(name,),
                    key=True,
                    found=short(name),
                    hint=self.unknown_kind(name),
                )

    def kind_with(self, fields: list[str]) -> str | None:
        """The hint that names the kinds which have all these fields."""
        kinds = [
            kind
            for kind, body in self.form.kinds.items()
            if all(field in body["properties"] for field in fields)
        ]
        if not kinds:
            return None
        shown_fields = ", ".join(f"{field}: …" for field in fields)
        return f"write it around them, such as {kinds[0]}: {{{shown_fields}}}"

    def unknown_kind(self, name: str) -> str:
        """What to write for a kind that is not known."""
        return kind_hint(name, self.form.kinds) or f"the kinds are {listed(self.form.kinds)}"

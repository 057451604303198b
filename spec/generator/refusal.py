"""How the generator says that a document is none."""

from __future__ import annotations


class Refused(ValueError):
    """The document breaks a rule of the language; `code` is the one of clause 9.3."""

    def __init__(self, code: str, why: str = "") -> None:
        super().__init__(f"{code}: {why}" if why else code)
        self.code = code

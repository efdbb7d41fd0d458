# SPDX-License-Identifier: MIT
"""Judges that are made once and asked often."""
from __future__ import annotations

from . import _weakspot
from .results import Verdict


class Judge:
    """A model that is read once: a name of ``models()``, or the path of a cat file.

    >>> judge = weakspot.Judge("ptx")
    >>> [judge.check(test).verdict for test in tests]
    """

    def __init__(self, model: str):
        self._judge = _weakspot.Judge(model)

    @property
    def model(self) -> str:
        return self._judge.model

    def check(self, test: _weakspot.Test, *, seconds: float = 10.0, memory: int = 512 << 20, unroll: int = 3,
              condition_only: bool = False) -> Verdict:
        """The verdict. Beyond `seconds` or `memory` (bytes; 0: no limit) it is ``unknown``, and says why."""
        answer = self._judge.check(test, seconds, memory, unroll, condition_only)
        return Verdict(test=test.name, model=self._judge.model, **answer)

    def verdicts(self, tests: list[_weakspot.Test], *, seconds: float = 10.0, memory: int = 512 << 20, unroll: int = 3,
                 condition_only: bool = True) -> list[str]:
        """The words allowed, forbidden and unknown for many tests; limits are for each."""
        return self._judge.verdicts(tests, seconds, memory, unroll, condition_only)

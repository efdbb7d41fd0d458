# SPDX-License-Identifier: MIT
"""Judges that are made once and asked often."""
from __future__ import annotations

import threading
from typing import Iterable

from . import _weakspot
from .names import TestLike, test_of, tests_of
from .results import Verdict

_local = threading.local()


class Judge:
    """A model that is read once: a name of ``models()``, or the path of a cat file.

    >>> judge = weakspot.Judge("ptx")
    >>> judge.verdicts(["MP", "SB"])
    ['allowed', 'allowed']

    Threads may share a judge: they wait for each other, and other threads of Python run meanwhile.
    """

    def __init__(self, model: str) -> None:
        self._judge = _weakspot.Judge(model)

    @property
    def model(self) -> str:
        """The name or path that the judge was made with."""
        return self._judge.model

    def ask(self, test: TestLike, *, seconds: float = 10.0, memory: int = 512 << 20, unroll: int = 3,
            condition_only: bool = False) -> Verdict:
        """The verdict as check() gives it, or ``refused`` with the reason where the model cannot judge the test."""
        one = test_of(test)
        answer = self._judge.check(one, seconds, memory, unroll, condition_only)
        return Verdict(test=one.name, model=self._judge.model, **answer)

    def check(self, test: TestLike, *, seconds: float = 10.0, memory: int = 512 << 20, unroll: int = 3,
              condition_only: bool = False) -> Verdict:
        """The verdict; raises Error if the model has no meaning for a part of the test.

        Beyond ``seconds`` or ``memory`` (bytes; 0: no limit) it is ``unknown``, and says why. Loops are followed for
        ``unroll`` rounds. With ``condition_only`` the search ends when the verdict is known, and outcomes are missing.
        """
        verdict = self.ask(test, seconds=seconds, memory=memory, unroll=unroll, condition_only=condition_only)
        if verdict.refused:
            raise _weakspot.Error(f"error: {verdict.test}: {verdict.reason}")
        return verdict

    def verdicts(self, tests: TestLike | Iterable[TestLike], *, seconds: float = 10.0, memory: int = 512 << 20,
                 unroll: int = 3, condition_only: bool = True) -> list[str]:
        """The words allowed, forbidden, unknown and refused for many tests; limits are for each."""
        return [self.ask(test, seconds=seconds, memory=memory, unroll=unroll, condition_only=condition_only).verdict
                for test in tests_of(tests)]


def judge_of(model: str) -> Judge:
    """This thread's judge for a model; made once."""
    if not hasattr(_local, "judges"):
        _local.judges = {}
    judges: dict[str, Judge] = _local.judges
    if model not in judges:
        judges[model] = Judge(model)
    return judges[model]

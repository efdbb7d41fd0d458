# SPDX-License-Identifier: MIT
"""Tests as people name them: objects, texts, files, and names of the corpus."""
from __future__ import annotations

import os
from typing import Iterable, Union

from . import _weakspot

#: One test: an object, its text, the name of a test of the corpus, or the path of a file.
TestLike = Union[_weakspot.Test, str, "os.PathLike[str]"]


def read(path: str | os.PathLike[str]) -> list[_weakspot.Test]:
    """The tests of a file in any dialect; raises Error with the place of a mistake."""
    return _weakspot.read(os.fspath(path))


def find(*names: str, folder: str | None = None) -> list[_weakspot.Test]:
    """Tests of the corpus by name (``"MP"``, ``"classic/MP"``, ``"classic"``); without names, all of a folder, or all.

    A name that means nothing raises Error, which says what may have been meant.
    """
    inside = "" if folder is None else folder + "/"
    return [test for name in names or ("@all",) for test in _weakspot.find(inside + name)]


def tests_of(tests: TestLike | Iterable[TestLike]) -> list[_weakspot.Test]:
    """The tests that one value or several mean; the name of a folder of the corpus means all its tests."""
    if isinstance(tests, _weakspot.Test):
        return [tests]
    if isinstance(tests, str):
        return _weakspot.tests(tests)
    if isinstance(tests, os.PathLike):
        return read(tests)
    return [one for each in tests for one in tests_of(each)]


def test_of(test: TestLike) -> _weakspot.Test:
    """The one test that a value means."""
    found = tests_of(test)
    if len(found) != 1:
        raise _weakspot.Error(f"expected one test, found {len(found)}")
    return found[0]

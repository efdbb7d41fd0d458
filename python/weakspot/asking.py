# SPDX-License-Identifier: MIT
"""Questions that the core answers: one function per request of docs/page-core.md."""
from __future__ import annotations

import json
import threading
from typing import Any, Iterable

from . import _weakspot
from .results import Verdict
from .verdicts import Judge

_local = threading.local()


def _ask(**request: Any) -> Any:
    """The core's answer; raises Error with the place and the reason."""
    if not hasattr(_local, "core"):
        _local.core = _weakspot.Core()
    reply = json.loads(_local.core.answer(json.dumps(request)))
    if "errors" in reply:
        raise _weakspot.Error("\n".join(_error_text(error) for error in reply["errors"]))
    return reply["ok"]


def _error_text(error: dict[str, Any]) -> str:
    if "line" not in error:
        return f"error: {error['message']}"
    mark = " " * error["caret"] + "^" + "~" * (error["length"] - 1)
    return f"{error['file']}:{error['line']}:{error['column']}: error: {error['message']}\n{error['text']}\n{mark}"


def _judges() -> dict[str, Judge]:
    if not hasattr(_local, "judges"):
        _local.judges = {}
    return _local.judges


def _own_model(test: _weakspot.Test) -> str:
    return _ask(do="read", text=test.text("json"))[0]["model"]


def check(test: _weakspot.Test, model: str | None = None, **limits: Any) -> Verdict:
    """The verdict of a model; without a name, of the model for the test's dialect. Limits are those of Judge.check."""
    name = model or _own_model(test)
    judges = _judges()
    if name not in judges:
        judges[name] = Judge(name)
    return judges[name].check(test, **limits)


def explain(test: _weakspot.Test, model: str | None = None, *, seconds: float = 10.0) -> Verdict:
    """The verdict with its reason in words (``explanation``) and as a picture (``svg``)."""
    plain = check(test, model, seconds=seconds)
    request = dict(do="check", text=test.text("json"), models=plain.model, explain=True, picture=True,
                   limits={"seconds": seconds})
    if plain.model.endswith(".cat"):
        with open(plain.model, encoding="utf-8") as file:
            request["cat"] = {plain.model: file.read()}
    [entry] = _ask(**request)["verdicts"]
    return Verdict(**{**plain.__dict__, "explanation": entry.get("explanation", ""), "svg": entry.get("svg", "")})


def models() -> list[dict[str, str]]:
    """Name, title and description of every model."""
    return _ask(do="models")


def find(*names: str, folder: str | None = None) -> list[_weakspot.Test]:
    """Tests of the corpus by name; without names, all of a folder, or all."""
    if not hasattr(_local, "corpus"):
        _local.corpus = {entry["test"]: entry for entry in _ask(do="corpus")}
    missing = [name for name in names if name not in _local.corpus]
    if missing:
        raise _weakspot.Error(f"there is no test '{missing[0]}' in the corpus")
    chosen = [name for name in names or _local.corpus if folder is None or _local.corpus[name]["folder"] == folder]
    if folder is not None and not chosen:
        raise _weakspot.Error(f"there is no such test in a folder '{folder}' of the corpus")
    return [test for name in chosen for test in _weakspot.parse(_local.corpus[name]["text"], name)]


def convert(test: _weakspot.Test, dialect: str) -> str:
    """The text of the test in another dialect; raises Error where it cannot be said."""
    return test.text(dialect)


def fences(test: _weakspot.Test, model: str | None = None, *, places: int = 6, seconds: float = 10.0) -> dict[str, Any]:
    """The weakest changes that forbid the test's outcome, as `weakspot fences --json` has them."""
    reply = _ask(do="fences", text=test.text("json"), models=model or _own_model(test), places=places,
                 limits={"seconds": seconds})
    if reply["refused"]:
        raise _weakspot.Error(reply["refused"][0]["message"])
    return reply["fences"][0]


def _tests(reply: dict[str, Any]) -> list[_weakspot.Test]:
    return [test for entry in reply["tests"] for test in _weakspot.parse(entry["text"], entry["test"])]


def _texts(value: str | Iterable[str] | None) -> list[str]:
    return [] if value is None else [value] if isinstance(value, str) else list(value)


def generate(*cycles: str, settings: dict[str, str] | None = None, minimal: str | None = None,
             forbidden_by: str | Iterable[str] | None = None, allowed_by: str | Iterable[str] | None = None,
             limit: int = 1000) -> list[_weakspot.Test]:
    """Tests of cycles (``"Rfe PodRR Fre PodWW"``, ``"MP+fence.sc+addr"``), or of a search by ``settings``."""
    request: dict[str, Any] = {"do": "gen", "limit": limit}
    if cycles:
        request["cycles"] = list(cycles)
    if settings:
        request["settings"] = settings
    if minimal:
        request["minimal"] = minimal
    for key, value in (("forbidden_by", forbidden_by), ("allowed_by", allowed_by)):
        if value is not None:
            request[key] = _texts(value)
    return _tests(_ask(**request))


def mutate(test: _weakspot.Test, mutators: str | Iterable[str] | None = None, *,
           keep_forbidden: bool = False) -> list[_weakspot.Test]:
    """The mutants of a test whose outcome becomes allowed; with ``keep_forbidden`` the others as well."""
    request: dict[str, Any] = {"do": "mutate", "text": test.text("json"), "keep_forbidden": keep_forbidden}
    if mutators is not None:
        request["mutators"] = _texts(mutators)
    return _tests(_ask(**request))

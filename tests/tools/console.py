# SPDX-License-Identifier: MIT
"""Runs the commands that a Markdown page shows, and compares what they print with what it says.

A block ```console is a session: lines '$ COMMAND', each followed by its output, standard output and
standard error together. A page runs from its beginning to its end in one empty folder, with weakspot
on the PATH. In the output

  ...  alone on a line stands for any number of lines, and inside a line for any text;
  $ echo $?  prints the exit code of the command before it, as in a shell.

Comments before a block, which readers do not see, say more:

  <!-- file NAME -->       the next block, in any language, is written to this file
  <!-- file NAME           the same for a file that the page does not show: its lines follow, up to
  ...                      a line that is only -->
  -->
  <!-- exit 1 -->          the exit code of the block's commands (but echo), 0 unless this is said
  <!-- exit 0 or 1 -->     either is fine
  <!-- sample -->          the output depends on the machine: only its first word, which is a verdict,
                           and the exit code must be as shown
  <!-- needs cpu -->       skip the block without this device of weakspot, or program beside it;
                           'cores' stands for two processors
"""
import json
import os
import re
import subprocess
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

TIMEOUT = 120
EXAMPLES = Path(__file__).resolve().parents[2] / "examples"

FENCE = re.compile(r"^(```+)(\w*)$")
MARK = re.compile(r"^<!-- (file|exit|sample|needs)\b *(.*?) *(-->)?$")


class PageError(Exception):
    """The page itself is wrong."""


@dataclass
class File:
    name: str
    text: str


@dataclass
class Command:
    line: int
    text: str
    output: list = field(default_factory=list)
    exits: tuple = (0,)
    sample: bool = False
    needs: tuple = ()


def read_page(text):
    """The files and commands of a page, in its order."""
    lines = iter(enumerate(text.split("\n"), 1))
    steps, marks = [], {}
    for number, line in lines:
        mark = MARK.match(line)
        fence = FENCE.match(line)
        if mark and not mark.group(3):
            if mark.group(1) != "file":
                raise PageError(f"line {number}: this comment must end on its line")
            steps.append(File(mark.group(2), "".join(rest + "\n" for _, rest in until(lines, number, "-->"))))
        elif mark:
            marks[mark.group(1)] = mark.group(2)
        elif fence:
            block = list(until(lines, number, fence.group(1)))
            if fence.group(2) == "console":
                if "file" in marks:
                    raise PageError(f"line {number}: a session cannot be a file")
                steps += commands(block, marks)
            elif "file" in marks:
                steps.append(File(marks["file"], "".join(line + "\n" for _, line in block)))
            elif marks:
                raise PageError(f"line {number}: a comment about a session stands before another block")
            marks = {}
        elif line.strip() and marks:
            raise PageError(f"line {number}: expected a block after a comment about it")
    return steps


def until(lines, start, end):
    """The numbered lines up to the one that is `end`."""
    for number, line in lines:
        if line == end:
            return
        yield number, line
    raise PageError(f"line {start}: no '{end}' ends this")


def commands(block, marks):
    exits = tuple(int(word) for word in marks.get("exit", "0").split(" or "))
    found, continued = [], False
    for number, line in block:
        if continued:
            found[-1].text += "\n" + line
        elif line.startswith("$ "):
            echo = line == "$ echo $?"
            found.append(Command(number, line[2:], [], (0,) if echo else exits, "sample" in marks and not echo,
                                 tuple(marks.get("needs", "").split())))
        elif not found:
            raise PageError(f"line {number}: a session begins with '$ COMMAND'")
        else:
            found[-1].output.append(line)
            continue
        continued = line.endswith("\\")
    if not found:
        raise PageError("a session without a command")
    for command in found:
        # A blank line between two commands is for the reader.
        while command.output and not command.output[-1]:
            command.output.pop()
    return found


def pattern(line):
    return ".*".join(re.escape(part) for part in line.split("..."))


def matches(expected, actual):
    """Whether lines of output are as expected, where '...' may stand for anything."""
    if not expected:
        return not actual
    if expected[0] == "...":
        return any(matches(expected[1:], actual[skip:]) for skip in range(len(actual) + 1))
    return bool(actual and re.fullmatch(pattern(expected[0]), actual[0])) and matches(expected[1:], actual[1:])


def first_word(lines):
    return " ".join(lines).split()[:1]


def available(program):
    """What a block may need: devices, programs beside weakspot, several processors."""
    listed = subprocess.run([program, "devices", "--json"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                            stdin=subprocess.DEVNULL, timeout=TIMEOUT)
    devices = {device["id"] for device in json.loads(listed.stdout or "[]")}
    cores = {"cores"} if len(os.sched_getaffinity(0)) > 1 else set()
    return devices | cores | {path.name for path in program.parent.glob("weakspot-*")}


def run_page(text, program, has):
    """Runs a page and returns (problems, skipped commands)."""
    problems, skipped, status = [], [], 0
    with tempfile.TemporaryDirectory(prefix="weakspot-page-") as folder:
        environment = {**os.environ, "PATH": f"{program.parent}:{os.environ['PATH']}", "HOME": folder,
                       "LC_ALL": "C.UTF-8", "TERM": "dumb", "NO_COLOR": "1", "COLUMNS": "80"}
        Path(folder, "examples").symlink_to(EXAMPLES)  # pages name them as in a checkout
        for step in read_page(text):
            if isinstance(step, File):
                path = Path(folder, step.name)
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(step.text, encoding="utf-8")
                continue
            missing = [name for name in step.needs if name not in has]
            if missing:
                skipped.append(f"line {step.line}: '{step.text}' needs {', '.join(missing)}")
                continue
            done = subprocess.run(["sh", "-c", f"(exit {status})\n{step.text}"], cwd=folder, env=environment,
                                  stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                  timeout=TIMEOUT)
            status = done.returncode
            output = done.stdout.decode("utf-8", "replace").split("\n")
            while output and not output[-1]:
                output.pop()
            shown = "\n".join(["", "expected:", *step.output, "actual:", *output])
            if status not in step.exits:
                problems.append(f"line {step.line}: '{step.text}' ended with {status}{shown}")
            elif not (first_word(step.output) == first_word(output) if step.sample else matches(step.output, output)):
                problems.append(f"line {step.line}: '{step.text}' printed something else{shown}")
    return problems, skipped

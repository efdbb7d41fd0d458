# SPDX-License-Identifier: MIT
"""What the program shows on a terminal: colours where they are wanted, lines that fit, progress that moves."""
import fcntl
import json
import os
import pty
import re
import select
import struct
import subprocess
import sys
import termios
import time
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from support import PROGRAM, FolderTest, needs_program  # noqa: E402

VARIABLES = ("NO_COLOR", "CLICOLOR_FORCE", "COLUMNS", "TERM")
COLOUR = re.compile(r"\x1b\[[0-9;]*m")


def environment(**changes):
    kept = {name: value for name, value in os.environ.items() if name not in VARIABLES}
    return {**kept, "TERM": "xterm", **changes}


def piped(*arguments, **changes):
    """What the program writes to pipes: its status, output and errors."""
    done = subprocess.run([PROGRAM, *arguments], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, timeout=120, env=environment(**changes))
    return done.returncode, done.stdout.decode(), done.stderr.decode()


def on_terminal(*arguments, columns=80, **changes):
    """What the program writes to a terminal of this width, standard output and error together."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    child = subprocess.Popen([PROGRAM, *arguments], stdin=subprocess.DEVNULL, stdout=theirs, stderr=theirs,
                             env=environment(**changes), close_fds=True)
    os.close(theirs)
    written = b""
    end = time.monotonic() + 120
    try:
        while time.monotonic() < end:
            if not select.select([ours], [], [], 1)[0]:
                continue
            try:
                part = os.read(ours, 65536)
            except OSError:  # the other side is closed
                break
            if not part:
                break
            written += part
        child.wait(timeout=10)
    finally:
        child.kill()
        child.wait()
        os.close(ours)
    return written.decode().replace("\r\n", "\n")


@needs_program
class Colours(FolderTest):
    CHECK = ("check", "MP", "--model", "sc,tso,rmo")

    def test_only_on_a_terminal(self):
        self.assertRegex(on_terminal(*self.CHECK), r"\x1b\[1mforbidden\x1b\[0m MP  sc")
        self.assertNotIn("\x1b", piped(*self.CHECK)[1])

    def test_the_environment_is_honoured(self):
        self.assertNotIn("\x1b", on_terminal(*self.CHECK, NO_COLOR="1"))
        self.assertNotIn("\x1b", on_terminal(*self.CHECK, TERM="dumb"))
        self.assertIn("\x1b[36mallowed\x1b[0m", piped(*self.CHECK, CLICOLOR_FORCE="1")[1])

    def test_the_option_comes_first(self):
        self.assertNotIn("\x1b", on_terminal(*self.CHECK, "--color", "never"))
        self.assertIn("\x1b", piped("--color", "always", *self.CHECK, NO_COLOR="1")[1])
        status, _, errors = piped(*self.CHECK, "--color", "pink")
        self.assertEqual(status, 2)
        self.assertIn("--color: 'pink' is not auto, always or never", errors)

    def test_messages(self):
        wrong = self.folder / "wrong.litmus"
        wrong.write_text("weakspot T\n P0 ;\n foo x ;\nexists (x=1)\n")
        _, output, errors = piped("--color=always", "check", str(wrong))
        self.assertEqual(output, "")
        self.assertRegex(errors, r"wrong\.litmus:3:2: \x1b\[1;31merror:\x1b\[0m ")
        self.assertRegex(errors, r"\n  \x1b\[32m\^~~\x1b\[0m\n$")

    def test_without_them_the_text_is_the_same(self):
        plain = piped(*self.CHECK)[1]
        self.assertEqual(COLOUR.sub("", piped("--color=always", *self.CHECK)[1]), plain)

    def test_files_have_none(self):
        records, page = self.folder / "runs.jsonl", self.folder / "page.html"
        on_terminal("run", "MP", "--device", "testing:all", "--instances", "1000", "--color=always", "--out",
                    str(records), "--html", str(page))
        self.assertNotIn("\x1b", records.read_text() + page.read_text())

    def test_json_has_none(self):
        self.assertNotIn("\x1b", piped("--color=always", *self.CHECK, "--json")[1])


@needs_program
class Width(FolderTest):
    LONG = ("testing_workgroups=8,memory_stride=2,stress_line_size=64,stress_target_lines=4,mem_stress_iterations=10,"
            "pre_stress_iterations=20,barrier=none,workgroup_size=32")

    def too_wide(self, text, columns):
        """Lines that do not fit although they could be broken."""
        lines = [line for line in COLOUR.sub("", text).split("\n") if len(line) > columns]
        return [line for line in lines if re.search(r"\S[ ,]\S", line.lstrip()) and " | " not in line]

    def test_results_fit(self):
        suite = ["--device", "testing:all", "--budget", "0.2"]
        environments = ["--env", "basic", "--env", "stress"]
        commands = [
            ["run", "MP", "SB", "ISA2-wg+wg", "--device", "testing:all", "--instances", "1000", *environments],
            ["run", "MP", "--device", "testing:all,testing:one,testing:old", "--instances", "1000"],
            ["conform", *suite], ["tune", "MP", "LB", *suite],
            ["score", "MP", "LB", "--device", "testing:all", "--environments", "sweep"],
            ["check", "@all"], ["check", "IRIW", "--all", "--explain"], ["models"], ["models", "compare", "sc", "tso"],
            ["devices"], ["suite"], ["help"],
        ]
        listed = piped("complete", "--", "")[1].splitlines()
        commands += [[line.split("\t")[0], "--help"] for line in listed]
        for command in commands:
            for columns in (80, 60):
                with self.subTest(command=" ".join(command), columns=columns):
                    self.assertEqual(self.too_wide(piped(*command, COLUMNS=str(columns))[1], columns), [])

    def compared(self):
        """Records of tests with long names, on two devices, in environments with long settings."""
        records = str(self.folder / "runs.jsonl")
        status, _, errors = piped("run", "IRIW+fence.sc+fence.sc", "MP", "--device", "testing:one,testing:all",
                                  "--env", "basic", "--env", "memory_stride=2,barrier=none,workgroup_size=32",
                                  "--env", "memory_stride=4,barrier=none,workgroup_size=32,access_gap=3",
                                  "--instances", "100000", "--out", records)
        self.assertIn(status, (0, 1), errors)
        return records

    def test_a_comparison_fits(self):
        """Not only its lines: a row of the table is one line."""
        compare = ("compare", self.compared(), "--devices", "testing:one,testing:all")
        for text in (on_terminal(*compare, columns=80), piped(*compare, COLUMNS="80")[1]):
            lines = COLOUR.sub("", text).split("\n")
            rows = [line for line in lines if re.match("alike|differs", line)]
            self.assertGreater(len(rows), 10, text)
            for row in rows:
                self.assertLessEqual(len(row), 80)
                self.assertRegex(row, r" (<?\d[\d.e+-]*)$", "p is the last column")
            self.assertIn("MP in env 1", lines)
            self.assertNotIn("memory_stride", text)
            self.assertIn("--verbose lists the settings of env 1 to env 2", lines)
        self.assertIn("\nenv 1  workgroup_size=32,barrier=none,memory_stride=2\n", piped(*compare, "--verbose")[1])
        self.assertIn("memory_stride=2", piped(*compare, "--json")[1])

    def test_brief_is_one_line_per_test(self):
        records = self.compared()
        commands = [(["run", "MP+rel+acq", "SB", "--device", "testing:all", "--instances", "1000", "--env", "basic",
                      "--env", "memory_stride=2,barrier=none,workgroup_size=32"], 2),
                    (["report", records], 4),
                    (["compare", records, "--devices", "testing:one,testing:all", "--pool"], 2),
                    (["check", "MP", "IRIW+fence.sc+fence.sc", "--model", "sc,ptx"], 4),
                    (["conform", "--device", "testing:one", "--budget", "0.2"], 20)]
        for command, count in commands:
            with self.subTest(command=command[0]):
                text = piped(*command, "--brief", COLUMNS="60")[1]
                tests = [part for part in text.split("\n\n") if re.match(r"[A-Za-z]{3,} +[A-Z0-9]\S+ ", part)]
                self.assertEqual(len(tests), 1, text)
                lines = tests[0].rstrip("\n").split("\n")
                self.assertEqual(len(lines), count, text)
                self.assertEqual([line for line in lines if len(line) > 60], [])

    def test_lines_for_programs_stay_whole(self):
        """A pipe gets one line for each result, however long it is."""
        run = ["run", "MP", "SB", "--device", "testing:all", "--instances", "1000", "--env", "stress"]
        for command in (run, ["check", "IRIW"], ["models"], ["suite"], ["conform", "--device", "testing:one"]):
            with self.subTest(command=command[0]):
                whole, folded = (piped(*command, **width)[1].count("\n") for width in ({}, {"COLUMNS": "40"}))
                self.assertLess(whole, folded)

    def test_a_list_is_a_table_for_people_and_names_for_programs(self):
        self.assertEqual(on_terminal("list", "classic/MP", columns=40),
                         "classic: 1 test\n  MP  The reader sees the flag y but not\n      the data x.\n")
        names = piped("list", "classic", COLUMNS="60")[1]
        self.assertEqual(names, on_terminal("list", "classic", "--names"))
        self.assertRegex(names, r"\A(\S+\n)+\Z")
        self.assertEqual(names.split(), [test["test"] for test in json.loads(piped("list", "classic", "--json")[1])])

    def test_a_terminal_knows_its_width(self):
        at_60, at_120 = (on_terminal("models", columns=columns, COLUMNS="90") for columns in (60, 120))
        self.assertEqual(self.too_wide(at_60, 60), [])
        self.assertGreater(max(map(len, COLOUR.sub("", at_120).split("\n"))), 90)

    def test_a_verdict_begins_every_line_that_is_not_indented(self):
        output = piped("check", "@all", COLUMNS="60")[1]
        for line in output.splitlines():
            self.assertRegex(line, r"^(allowed |forbidden|unknown |    )")


@needs_program
class Progress(FolderTest):
    def test_it_moves(self):
        for command in (["tune", "MP", "--device", "testing:slow", "--budget", "2s"],
                        ["score", "MP", "--device", "testing:slow", "--environments", "basic", "--seconds", "4s"],
                        ["conform", "--device", "testing:slow", "--budget", "2s"]):
            with self.subTest(command=command[0]):
                text = on_terminal(*command)
                lines = re.findall(rf"\r\x1b\[K({command[0]}[^\r\n]*)", text)
                self.assertGreater(len(set(lines)), 2, text)
                self.assertTrue(all(len(line) < 80 for line in lines), lines)

    def test_one_long_slice_moves(self):
        text = on_terminal("score", "MP", "--device", "testing:slow", "--environments", "basic", "--seconds", "4s")
        parts = {int(part) for part in re.findall(r"\r\x1b\[Kscore +(\d+) %", text)}
        self.assertTrue({part for part in parts if 0 < part < 100}, text)

    def test_nothing_is_drawn_elsewhere(self):
        for changes in ({"TERM": "dumb"}, {}):
            command = ["tune", "MP", "--device", "testing:all", "--budget", "1s"]
            text = on_terminal(*command, **changes) if changes else "".join(piped(*command)[1:])
            self.assertNotIn("\r", text)


if __name__ == "__main__":
    unittest.main()

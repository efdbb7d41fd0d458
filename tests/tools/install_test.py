# SPDX-License-Identifier: MIT
"""What comes with an installation beside the library: manual pages, completion for shells, stripped programs."""
import os
import re
import shutil
import subprocess
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from support import PROGRAM, ROOT, FolderTest, needs_program  # noqa: E402


def run(*words, **options):
    done = subprocess.run([str(word) for word in words], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, timeout=300, **options)
    return done.returncode, done.stdout.decode(), done.stderr.decode()


def commands():
    listed = run(PROGRAM, "help")[1].split("Commands:")[1].split("\n\n")[0]
    return re.findall(r"^  (\w+)(?: |$)", listed, re.M)


def offered(*words):
    """What the program offers for the last word."""
    return [line.split("\t")[0] for line in run(PROGRAM, "complete", "--", *words)[1].splitlines()]


@needs_program
class Manual(FolderTest):
    def setUp(self):
        super().setUp()
        status, _, errors = run(PROGRAM, "manual", self.folder)
        self.assertEqual((status, errors), (0, ""))
        self.pages = self.folder / "man" / "man1"

    def test_every_command_has_a_page(self):
        names = {page.name for page in self.pages.iterdir()}
        expected = {"weakspot.1", "weakspot-models-compare.1"}
        expected |= {f"weakspot-{name}.1" for name in commands() if name != "help"}
        self.assertEqual(names, expected)

    def test_pages_have_every_option_and_section(self):
        for name in commands():
            if name == "help":
                continue
            text = (self.pages / f"weakspot-{name}.1").read_text().replace("\\-", "-")
            for section in ("NAME", "SYNOPSIS", "DESCRIPTION", "OPTIONS", "EXAMPLES", "SEE ALSO"):
                self.assertIn(f"\n.SH {section}\n", text, name)
            for option in re.findall(r"^  (?:-\w,)?(--[\w-]+)", run(PROGRAM, name, "--help")[1], re.M):
                self.assertIn(option, text, name)

    @unittest.skipUnless(shutil.which("man") and shutil.which("groff"), "there is no man with groff")
    def test_man_has_no_warnings(self):
        for page in sorted(self.pages.iterdir()):
            status, output, errors = run("man", "--warnings", "-l", page, env={**os.environ, "MANWIDTH": "80",
                                                                              "LC_ALL": "C.UTF-8"})
            self.assertEqual((status, errors), (0, ""), page.name)
            self.assertIn("SEE ALSO", output)


@needs_program
class Completion(FolderTest):
    def test_words(self):
        self.assertIn("conform", offered("con"))
        self.assertEqual(offered("models", "com"), ["compare"])
        self.assertEqual(offered("run", "--sec"), ["--seconds"])
        self.assertIn("MP+rel+acq", offered("run", "MP+"))
        self.assertIn(":files", offered("run", "MP+"))
        self.assertEqual(offered("check", "MP", "--model", "tso,web"), ["tso,webgpu", ":files"])
        self.assertEqual(offered("run", "MP", "--env=basic,workgroup_s"), ["--env=basic,workgroup_size="])
        self.assertEqual(offered("convert", "--to", "x"), ["x86-64"])
        self.assertEqual(offered("--color", "n"), ["never"])
        self.assertEqual(offered("race", ""), [":files"])
        self.assertEqual(offered("suite", "mc"), ["mc-mutants", ":files"])
        self.assertNotIn("worker", offered(""))

    def test_bash(self):
        bash = shutil.which("bash")
        if not bash:
            self.skipTest("there is no bash")
        script = self.folder / "weakspot.bash"
        script.write_text(run(PROGRAM, "completion", "bash")[1])
        self.assertEqual(run(bash, "-n", script)[0], 0)
        ask = """
            source "$1"; COMP_LINE=$2; COMP_POINT=${#2}; read -ra COMP_WORDS <<< "$2"
            [[ $2 == *' ' ]] && COMP_WORDS+=("")
            COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _weakspot; printf '%s\\n' "${COMPREPLY[@]}"
        """
        environment = {**os.environ, "PATH": f"{PROGRAM.parent}:{os.environ['PATH']}"}
        for line, expected in (("weakspot ", "conform"), ("weakspot check --mod", "--model"),
                               ("weakspot run MP+rel", "MP+rel+acq"), ("weakspot check MP --model pt", "ptx-2015")):
            status, output, errors = run(bash, "-c", ask, "bash", script, line, env=environment)
            self.assertEqual((status, errors), (0, ""))
            self.assertIn(expected, output.splitlines(), line)

    def test_zsh_and_fish_accept_their_scripts(self):
        found = [shell for shell in ("zsh", "fish") if shutil.which(shell)]
        if not found:
            self.skipTest("there is no zsh and no fish")
        for shell in found:
            script = self.folder / f"script.{shell}"
            script.write_text(run(PROGRAM, "completion", shell)[1])
            status, _, errors = run(shell, "-n", script)
            self.assertEqual((status, errors), (0, ""), shell)


@unittest.skipUnless((ROOT / "build" / "share" / ".made").is_file(), "the manual was not built")
class Installation(FolderTest):
    def test_files_and_stripped_programs(self):
        status, output, errors = run("cmake", "--install", ROOT / "build", "--prefix", self.folder)
        self.assertEqual(status, 0, output + errors)
        share = self.folder / "share"
        for path in ("man/man1/weakspot.1", "man/man1/weakspot-run.1", "bash-completion/completions/weakspot",
                     "zsh/site-functions/_weakspot", "fish/vendor_completions.d/weakspot.fish"):
            self.assertTrue((share / path).is_file(), path)
        program = self.folder / "bin" / "weakspot"
        self.assertEqual(run(program, "check", "MP")[0], 0)
        if shutil.which("readelf"):
            self.assertNotIn(".symtab", run("readelf", "-SW", program)[1])


if __name__ == "__main__":
    unittest.main()

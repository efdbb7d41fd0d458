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


def commands(*of):
    """The commands that help lists, or those under one of them."""
    lists = re.findall(r"^(\S.*):\n((?:  .*\n)+)", run(PROGRAM, *of, "--help")[1], re.M)
    listed = "".join(lines for title, lines in lists if title not in ("Arguments", "Options", "Examples"))
    return re.findall(r"^  ([\w-]+)(?: |$)", listed, re.M)


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
        expected = {"weakspot.1"}
        for name in commands():
            if name not in ("help", "version"):
                expected |= {f"weakspot-{name}.1", *(f"weakspot-{name}-{inner}.1" for inner in commands(name))}
        self.assertEqual(names, expected)

    def test_pages_have_every_option_and_section(self):
        for name in commands():
            if name in ("help", "version"):
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

    def script_for(self, shell, name):
        """Where the script of a shell lies, which the shell can read."""
        if not shutil.which(shell):
            self.skipTest(f"there is no {shell}")
        script = self.folder / name
        script.write_text(run(PROGRAM, "completion", shell)[1])
        status, _, errors = run(shell, "-n", script)
        self.assertEqual((status, errors), (0, ""))
        return script

    def shell_variables(self):
        return {**os.environ, "PATH": f"{PROGRAM.parent}:{os.environ['PATH']}", "HOME": str(self.folder),
                "TERM": "dumb", "LC_ALL": "C.UTF-8"}

    def test_fish(self):
        script = self.script_for("fish", "weakspot.fish")
        (self.folder / "mine.litmus").touch()
        for line, expected in (("weakspot ", "conform"), ("weakspot check --mod", "--model"),
                               ("weakspot run MP+rel", "MP+rel+acq"), ("weakspot check MP --model pt", "ptx-2015"),
                               ("weakspot run MP --env=basic,workgroup_s", "--env=basic,workgroup_size="),
                               ("weakspot check mi", "mine.litmus")):
            status, output, errors = run("fish", "-c", f"source {script}; complete -C '{line}'",
                                         env=self.shell_variables(), cwd=self.folder)
            self.assertEqual((status, errors), (0, ""), line)
            self.assertIn(expected, [word.split("\t")[0] for word in output.splitlines()], line)

    def test_zsh(self):
        self.script_for("zsh", "_weakspot")
        (self.folder / "mine.litmus").touch()
        # Completion needs the line editor, and that a terminal. The widget shows what the line became.
        ask = """
            zmodload zsh/zpty || exit 9
            zpty shell zsh -f -i
            zpty -w shell "PS1=; fpath=($1 \\$fpath); autoload -Uz compinit; compinit -u -D
                complete-and-show() { zle complete-word; print -r -- \\$'\\n'\"{\\$BUFFER}\"; zle kill-buffer }
                zle -N complete-and-show; bindkey '^I' complete-and-show; print RE''ADY"
            zpty -r shell out '*READY*'
            zpty -w -n shell "$2"$'\t'
            zpty -r shell out '*[{]*[}]*' && print -r -- "$out"
            zpty -d shell
        """
        for line, expected in (("weakspot conf", "weakspot conform "), ("weakspot check --mod", "weakspot check --model "),
                               ("weakspot run MP-wg+dev-di", "weakspot run MP-wg+dev-diff-wg "),
                               ("weakspot run MP --env=basic,workgroup_s",
                                "weakspot run MP --env=basic,workgroup_size="),
                               ("weakspot check mi", "weakspot check mine.litmus ")):
            status, output, errors = run("zsh", "-fc", ask, "zsh", self.folder, line, env=self.shell_variables(),
                                         cwd=self.folder)
            self.assertEqual((status, errors), (0, ""), line)
            self.assertIn("{" + expected + "}", output.replace("\r", ""), line)


@needs_program
class WithoutClang(FolderTest):
    def test_race_names_the_package(self):
        shutil.copy(PROGRAM, self.folder / "weakspot")
        self.write_program("weakspot-race", "#!/bin/sh\necho 'libLLVM.so.19.1: cannot open' >&2\nexit 127\n")
        kernel = self.folder / "k.cu"
        kernel.write_text("__global__ void k() {}\n")
        status, _, errors = run(self.folder / "weakspot", "race", kernel)
        self.assertEqual(status, 3, errors)
        self.assertIn("libLLVM.so.19.1: cannot open", errors)
        self.assertIn("Ubuntu have in the package clang-19", errors)


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

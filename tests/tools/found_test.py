# SPDX-License-Identifier: MIT
"""Checks the reports in found/: every entry of FOUND.md has one, its program compiles with the compilers that are
installed, and shows what the report says. Programs for a GPU or for AArch64 are compiled, not run."""
import os
import re
import shutil
import subprocess
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from support import PROGRAM, ROOT, FolderTest  # noqa: E402

FOUND = ROOT / "found"
PROGRAMS = (".c", ".cpp", ".cu", ".ptx", ".spvasm")
TOOLKIT = "13.0"  # the CUDA toolkit of the reports
PATIENCE = 300  # seconds, for a machine under load
# The classes that `weakspot race` gives the programs, as their reports say.
RACES = {
    "04-libsgm-costs": "E2",
    "05-hecbench-layernorm": "E1",
    "06-hecbench-dxtc2": "E2",
    "07-hecbench-pns": "E1",
    "09-cuhd-seams": "E1",
    "10-cuhd-past-the-end": "A1",
    "12-hecbench-dct8x8": "E2",
    "13-hecbench-romberg": "E2",
    "14-hecbench-rsmt": "E2",
    "15-hecbench-quicksort": "E1",
    "16-hecbench-adamw": "D4",
}


def needs(*tools):
    missing = [tool for tool in tools if shutil.which(tool) is None]
    return unittest.skipIf(missing, f"{' and '.join(missing)} not installed")


def report(folder):
    return (FOUND / folder / "README.md").read_text(encoding="utf-8")


def program(folder, suffix):
    return next((FOUND / folder).glob("*" + suffix))


def run(*words, **options):
    done = subprocess.run([str(word) for word in words], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, timeout=PATIENCE, text=True, **options)
    return done.returncode, done.stdout


def shown(folder):
    """The lines of the code blocks under 'Output' of a report."""
    section = re.search(r"^## Output\n(.*?)(?=^## )", report(folder), re.MULTILINE | re.DOTALL).group(1)
    return [line for block in re.findall(r"^```\n(.*?)^```", section, re.MULTILINE | re.DOTALL)
            for line in block.splitlines()]


class Reports(unittest.TestCase):
    def test_every_entry_has_its_folder(self):
        text = (ROOT / "FOUND.md").read_text(encoding="utf-8")
        entries = re.findall(r"^## (\d+)\. .+?(?=^## |\Z)", text, re.MULTILINE | re.DOTALL)
        bodies = re.findall(r"^## \d+\. .+?(?=^## |\Z)", text, re.MULTILINE | re.DOTALL)
        linked = []
        for number, body in zip(entries, bodies):
            folders = re.findall(r"\(found/([\w-]+)/README\.md\)", body)
            self.assertEqual([int(folder[:2]) for folder in folders], [int(number)], body)
            self.assertIn("**State:**", body)
            linked += folders
        self.assertEqual(linked, sorted(path.name for path in FOUND.iterdir()))

    def test_every_folder_has_a_report_a_program_and_a_script(self):
        for folder in sorted(FOUND.iterdir()):
            with self.subTest(folder.name):
                for section in ("What happens", "Expected", "Build and run", "Output", "Newer versions"):
                    self.assertIn(f"\n## {section}\n", report(folder.name))
                self.assertTrue([path for path in folder.iterdir() if path.suffix in PROGRAMS])
                self.assertTrue(os.access(folder / "run.sh", os.X_OK))

    def test_reports_name_the_findings(self):
        for folder, finding in RACES.items():
            self.assertIn(f"reports `{finding}`", " ".join(report(folder).split()))


@unittest.skipUnless((PROGRAM.parent / "weakspot-race").exists(), "weakspot race was not built")
class Races(unittest.TestCase):
    """`weakspot race` finds what the report shows, and nothing with the fix."""

    def race(self, folder, *options):
        path = program(folder, ".cu")
        return run(PROGRAM, "race", path.name, *options, cwd=path.parent)

    def test_findings(self):
        for folder, finding in RACES.items():
            with self.subTest(folder):
                code, text = self.race(folder)
                self.assertEqual(code, 1, text)
                self.assertEqual(set(re.findall(r": error: ([A-Z]\d) ", text)), {finding}, text)
                # The threads that are named depend on the schedules; places and messages do not.
                first = shown(folder)[0]
                self.assertIn(re.sub(r"\[\d+\].*", "", first), text)

    def test_fixes(self):
        for folder in RACES:
            with self.subTest(folder):
                code, text = self.race(folder, "-D", "FIXED")
                self.assertEqual(code, 0, text)


class Compilers(FolderTest):
    @needs("nvcc")
    def test_cuda_programs_compile(self):
        for path in sorted(FOUND.glob("*/*.cu")):
            variants = [[], ["-DBRANCH"], ["-DFENCE"]] if path.parent.name.startswith("11-") else [[]]
            for options in variants:
                with self.subTest(path.name, options=options):
                    code, text = run("nvcc", "-arch=sm_90", "-cubin", *options, "-o", self.folder / "x.cubin", path)
                    self.assertEqual(code, 0, text)

    def need_version(self, tool):
        """Skips a test of a report that is about another version of the toolkit."""
        if f"release {TOOLKIT}" not in run(tool, "--version")[1]:
            self.skipTest(f"the report is about {tool} {TOOLKIT}")

    def assert_shows(self, folder):
        """The script prints the lines that the report shows, in their order."""
        code, text = run(FOUND / folder / "run.sh")
        self.assertEqual(code, 0, text)
        rest = iter(text.splitlines())
        for line in shown(folder):
            self.assertTrue(line in rest, f"'{line}' is not in\n{text}")

    @needs("clang-19")
    def test_clang_drops_orders(self):
        self.assert_shows("02-clang-nvptx-atomics")

    @needs("ptxas", "readelf")
    def test_ptxas_removes_accesses(self):
        self.need_version("ptxas")
        self.assert_shows("03-ptxas-relaxed-accesses")

    @needs("nvcc")
    def test_nvcc_strengthens_fences(self):
        self.need_version("nvcc")
        self.assert_shows("08-nvcc-fences")

    @needs("spirv-as", "spirv-val")
    def test_shader_is_valid(self):
        module, text = self.folder / "mp.spv", program("01-lavapipe-release-acquire", ".spvasm")
        for words in (["spirv-as", "--target-env", "vulkan1.2", "-o", module, text],
                      ["spirv-val", "--target-env", "vulkan1.2", module]):
            code, text = run(*words)
            self.assertEqual(code, 0, text)

    @needs("cc")
    def test_vulkan_program_compiles(self):
        if run("cc", "-fsyntax-only", "-include", "vulkan/vulkan.h", "-xc", os.devnull)[0] != 0:
            self.skipTest("no Vulkan headers")
        code, text = run("cc", "-std=c11", "-Wall", "-Wextra", "-Werror", "-c", "-o", self.folder / "mp.o",
                         program("01-lavapipe-release-acquire", ".c"))
        self.assertEqual(code, 0, text)


if __name__ == "__main__":
    unittest.main()

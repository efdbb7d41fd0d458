# SPDX-License-Identifier: MIT
"""The library as another project uses it: installed to a prefix, found by CMake and by pkg-config, linked, and run."""
import os
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BUILD = ROOT / "build"
MP = """weakspot MP+rel+acq
{ x = 0; y = 0; }
 P0          | P1           ;
 st x, 1     | ld.acq r0, y ;
 st.rel y, 1 | ld r1, x     ;
exists (1:r0=1 /\\ 1:r1=0)
"""


def run(*words, **options):
    done = subprocess.run([str(word) for word in words], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, timeout=600, **options)
    return done.returncode, done.stdout.decode()


@unittest.skipUnless((BUILD / "libweakspot_model.a").is_file(), "the library was not built")
class Library(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = Path(folder.name)
        cls.prefix = cls.folder / "prefix"
        status, output = run("cmake", "--install", BUILD, "--prefix", cls.prefix, "--component", "library")
        assert status == 0, output
        # Outside the tree: nothing of the sources may be needed but the examples themselves.
        shutil.copytree(ROOT / "examples", cls.folder / "examples")
        (cls.folder / "mp.litmus").write_text(MP)
        cls.programs = cls.folder / "programs"
        status, output = run("cmake", "-S", cls.folder / "examples", "-B", cls.programs, "-G", "Ninja",
                             f"-DCMAKE_PREFIX_PATH={cls.prefix}")
        assert status == 0, output
        status, output = run("cmake", "--build", cls.programs)
        assert status == 0, output

    def example(self, name, *words):
        return run(self.programs / name, *words, cwd=self.folder)

    def test_judge_explains(self):
        status, output = self.example("judge", "mp.litmus", "ptx")
        self.assertEqual(status, 0, output)
        self.assertTrue(output.startswith("forbidden MP+rel+acq\n"), output)
        self.assertIn("check ", output)
        status, output = self.example("judge", "mp.litmus", "sc-per-loc")
        self.assertTrue(output.startswith("allowed MP+rel+acq\n"), output)

    def test_judge_points_at_mistakes(self):
        (self.folder / "typo.litmus").write_text(MP.replace("ld.acq", "ld.acqu"))
        status, output = self.example("judge", "typo.litmus", "ptx")
        self.assertEqual(status, 2)
        self.assertTrue(output.startswith("typo.litmus:4:19: error: "), output)
        self.assertEqual(self.example("judge", "mp.litmus", "nonsense")[0], 2)

    def test_generate_tells_models_apart(self):
        status, output = self.example("generate", "sc", "tso")
        self.assertEqual(status, 0, output)
        names = [line.split()[1] for line in output.splitlines() if line.startswith("weakspot ")]
        self.assertEqual(names, ["SB", "R"])
        self.assertTrue(output.endswith("\n6 tests\n"), output[-200:])

    def test_mutants_are_ptx(self):
        status, output = self.example("mutants", "mp.litmus", "ptx")
        self.assertEqual(status, 0, output)
        names = [line.split()[1] for line in output.splitlines() if line.startswith("PTX ")]
        self.assertGreater(len(names), 2, output)
        self.assertIn("st.relaxed.gpu y, 1", output)

    def test_pkg_config(self):
        if not shutil.which("pkg-config"):
            self.skipTest("there is no pkg-config")
        [pc] = self.prefix.rglob("weakspot.pc")
        environment = {**os.environ, "PKG_CONFIG_PATH": str(pc.parent)}
        status, flags = run("pkg-config", "--cflags", "--libs", "weakspot", env=environment)
        self.assertEqual(status, 0, flags)
        program = self.folder / "judge-by-hand"
        status, output = run("c++", self.folder / "examples" / "judge.cpp", "-o", program, *flags.split())
        self.assertEqual(status, 0, output)
        self.assertEqual(run(program, "mp.litmus", "ptx", cwd=self.folder)[0], 0)


if __name__ == "__main__":
    unittest.main()

# SPDX-License-Identifier: MIT
"""Tests of tools/check_format on small trees."""
import shutil
import subprocess
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from support import ROOT, FolderTest  # noqa: E402

LICENCE = "// SPDX-License-Identifier: MIT\n"


class CheckFormat(FolderTest):
    def setUp(self):
        super().setUp()
        subprocess.run(["git", "init", "--quiet", self.folder], check=True)
        shutil.copy(ROOT / ".clang-format", self.folder)

    def write(self, name, text):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path

    def check(self, *words):
        done = subprocess.run([sys.executable, ROOT / "tools" / "check_format", "--root", self.folder, *words],
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=60)
        return done.returncode, done.stdout.decode()

    def test_missing_licence(self):
        self.write("src/base/a.cpp", "int a();\n")
        self.write("tools/thing", "#!/bin/sh\ntrue\n")
        self.write("tests/kernels/a.cu", "// RUN\n")  # an input
        status, output = self.check()
        self.assertEqual(status, 1, output)
        self.assertIn("src/base/a.cpp:1: no line 'SPDX-License-Identifier: MIT'", output)
        self.assertIn("tools/thing:1: no line", output)
        self.assertNotIn("kernels", output)

    def test_fix_adds_the_licence_below_the_interpreter(self):
        source = self.write("src/base/a.cpp", "int a();\n")
        tool = self.write("tools/thing", "#!/bin/sh\ntrue\n")
        self.check("--fix")
        self.assertEqual(source.read_text(), LICENCE + "int a();\n")
        self.assertEqual(tool.read_text(), "#!/bin/sh\n# SPDX-License-Identifier: MIT\ntrue\n")

    @unittest.skipUnless(shutil.which("clang-format-19"), "clang-format-19 is missing")
    def test_format(self):
        good = self.write("src/base/good.cpp", LICENCE + "int a(int b) { return b; }\n")
        bad = self.write("src/base/bad.cpp", LICENCE + "int  a( int b ) {return b;}\n")
        status, output = self.check()
        self.assertEqual(status, 1, output)
        self.assertIn("src/base/bad.cpp: not formatted", output)
        self.assertNotIn("good.cpp", output)
        self.check("--fix")
        self.assertEqual(bad.read_text(), good.read_text())
        self.assertEqual(self.check()[0], 0)


if __name__ == "__main__":
    unittest.main()

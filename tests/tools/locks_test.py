# SPDX-License-Identifier: MIT
"""The locks as WGSL, compiled as a browser does."""
import shutil
import subprocess
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from support import PROGRAM, ROOT, FolderTest, needs_program  # noqa: E402

COMPILER = ROOT / "build" / "wgsl"
LOCKS = ("no-lock", "tas", "ttas", "cas", "exchange", "ticket", "mcs", "prefix-sum", "deque")


@needs_program
@unittest.skipUnless(shutil.which("node") and (COMPILER / "node_modules" / "webgpu").exists(),
                     "there is no WGSL compiler; tools/wgsl_compiler installs one with npm")
class Wgsl(FolderTest):
    def test_every_lock_compiles(self):
        for lock in LOCKS:
            emitted = subprocess.run([PROGRAM, "locks", lock, "--emit", "wgsl"], stdout=subprocess.PIPE, check=True)
            (self.folder / f"{lock}.wgsl").write_bytes(emitted.stdout)
        compiled = subprocess.run(["node", COMPILER / "compile.mjs", self.folder], stdout=subprocess.PIPE,
                                  stderr=subprocess.STDOUT, timeout=200, check=False)
        self.assertEqual((compiled.returncode, compiled.stdout.decode()), (0, f"{len(LOCKS)} files, 0 refused\n"))


if __name__ == "__main__":
    unittest.main()

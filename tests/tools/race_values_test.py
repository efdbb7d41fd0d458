# SPDX-License-Identifier: MIT
"""Arguments of a launch from .npy files, and what a launch leaves in its arrays (`weakspot race --out-values`)."""
import struct
import subprocess
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from support import PROGRAM, FolderTest  # noqa: E402

RACE = PROGRAM.parent / "weakspot-race"
KERNEL = """__global__ void scaled(const float* in, float* out, const unsigned short* half_words, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = 2 * in[i] + half_words[i];
}
"""


def npy(descr, form, values):
    header = f"{{'descr': '{descr}', 'fortran_order': False, 'shape': ({len(values)},), }}"
    header += " " * (-(10 + len(header) + 1) % 64) + "\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() + struct.pack(f"<{len(values)}{form}", *values)


@unittest.skipUnless(RACE.exists(), f"{RACE} is not built")
class Values(FolderTest):
    def setUp(self):
        super().setUp()
        (self.folder / "k.cu").write_text(KERNEL, encoding="utf-8")
        (self.folder / "in.npy").write_bytes(npy("<f4", "f", [0.5 * i for i in range(100)]))
        (self.folder / "halves.npy").write_bytes(npy("<u2", "H", list(range(100))))

    def race(self, *words):
        return subprocess.run([RACE, "k.cu", *words], cwd=self.folder, capture_output=True, text=True, timeout=120)

    def launched(self, *words):
        return self.race("--launch", "grid=2 block=64", "--arg", "in=@in.npy", "--arg", "half_words=@halves.npy",
                         "--arg", "out=float[100]", "--arg", "n=100", *words)

    def test_a_launch_reads_and_leaves_arrays(self):
        done = self.launched("--out-values", "after")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertEqual(sorted(path.name for path in (self.folder / "after").iterdir()),
                         ["half_words.npy", "in.npy", "out.npy"])
        after = (self.folder / "after" / "out.npy").read_bytes()
        self.assertEqual(after, npy("<f4", "f", [2.0 * i for i in range(100)]))
        self.assertEqual((self.folder / "after" / "in.npy").read_bytes(), (self.folder / "in.npy").read_bytes())

    def test_a_finding_is_shown_again_from_the_file(self):
        (self.folder / "k.cu").write_text(KERNEL.replace("out[i] =", "out[i / 2] ="), encoding="utf-8")
        done = self.launched()
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        self.assertIn("--arg in=@in.npy", done.stdout)

    def test_bad_files_are_told(self):
        (self.folder / "in.npy").write_bytes(b"PK\x03\x04")
        done = self.launched()
        self.assertEqual(done.returncode, 2)
        self.assertIn("in.npy: error: expected an array as NumPy writes it: the file begins in another way", done.stderr)
        (self.folder / "in.npy").unlink()
        done = self.launched()
        self.assertEqual(done.returncode, 2)
        self.assertIn("in.npy", done.stderr)

    def test_a_number_takes_no_array(self):
        done = self.race("--launch", "grid=2 block=64", "--arg", "n=@in.npy")
        self.assertEqual(done.returncode, 2)
        self.assertIn("parameter 'n' is not a pointer", done.stderr)

    def test_a_source_names_no_files(self):
        (self.folder / "k.cu").write_text("// weakspot: launch grid=1 block=1\n// weakspot: arg in=@in.npy\n" + KERNEL,
                                          encoding="utf-8")
        done = self.race()
        self.assertEqual(done.returncode, 2)
        self.assertIn("k.cu:2:1: error: an array from a file is for the command line", done.stderr)

    def test_values_need_a_launch(self):
        done = self.race("--out-values", "after")
        self.assertEqual(done.returncode, 2)
        self.assertIn("--out-values needs --launch", done.stderr)
        self.assertFalse((self.folder / "after").exists())


if __name__ == "__main__":
    unittest.main()

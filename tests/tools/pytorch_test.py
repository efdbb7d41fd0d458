# SPDX-License-Identifier: MIT
"""Tests that CUDA extensions of PyTorch are compiled by weakspot-nvcc, run on tensors of a PyTorch for CPUs, and are
checked: as a program loads them, and as setup.py builds them."""
import os
import shutil
import subprocess
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from nvcc_test import DATA, NVCC, NvccTest, needs_nvcc, places  # noqa: E402
from support import needs_program  # noqa: E402

ASK = "import torch, setuptools; assert torch.version.cuda is None and torch.version.hip is None"


def python_with_torch():
    for python in (os.environ.get("WEAKSPOT_PYTHON"), sys.executable, "/usr/bin/python3"):
        if python and subprocess.run([python, "-c", ASK], capture_output=True, check=False).returncode == 0:
            return python
    return None


PYTHON = python_with_torch()
HEADERS = any(Path(folder, "torch", "library.h").exists() for folder in ("/usr/include", *(
    [subprocess.run([PYTHON, "-c", "import torch; print(torch.__path__[0] + '/include')"], capture_output=True,
                    text=True, check=True).stdout.strip()] if PYTHON else [])))
needs_torch = unittest.skipUnless(PYTHON and HEADERS and shutil.which("ninja"),
                                  "there is no Python with a PyTorch for CPUs, its headers, and ninja")

SETUP = """
from setuptools import setup
from torch.utils.cpp_extension import BuildExtension, CUDAExtension
setup(name="torch_racy", ext_modules=[CUDAExtension("torch_racy", ["torch_racy.cu"])],
      cmdclass={"build_ext": BuildExtension})
"""


@needs_program
@needs_nvcc
@needs_torch
class PyTorch(NvccTest):
    def python(self, *words, **options):
        environment = {"WEAKSPOT_PYTHON": PYTHON, "MAX_JOBS": "1", "TORCH_EXTENSIONS_DIR": str(self.folder / "built")}
        return self.do(NVCC, "--python", *words, env=environment, seconds=1800, **options)

    def test_extensions_run_on_tensors_and_are_checked(self):
        (self.folder / "build").mkdir()
        done = self.python(DATA / "torch_program.py", self.folder / "build")
        self.assertEqual(done.stdout.splitlines()[-2:], [
            "tensor([10000.], device='cuda:0') 10000.0 True cuda:0",
            "[0.0, 1.0, 2.0] [0. 1.] [98.0, 99.0] tensor([50., 51.], device='cuda:0')"])
        report = self.merged(1)
        self.assertEqual(places(report), {("torch_racy.cu", 14)})
        self.assertEqual({kernel["name"] for kernel in report["kernels"]}, {"sum_racy<float>"})
        # The same directory of builds: nothing is compiled again.
        self.write("setup.py", SETUP)
        shutil.copy(DATA / "torch_racy.cu", self.folder)
        self.python("setup.py", "build_ext", "--inplace")
        shutil.rmtree(self.reports)
        text = "import torch, torch_racy; print(torch_racy.total(torch.ones(130, device='cuda')[:127]).shape)"
        self.assertEqual(self.python("-c", text).stdout.splitlines()[-1], "torch.Size([1])")
        self.assertEqual(places(self.merged(1)), {("torch_racy.cu", 14)})

    def test_missing_program_is_named(self):
        self.assertIn("SCRIPT, -m MODULE or -c TEXT", self.python(status=2).stderr)


if __name__ == "__main__":
    unittest.main()

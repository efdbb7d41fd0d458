# SPDX-License-Identifier: MIT
"""What tests of the tools and of the program share."""
import importlib.machinery
import importlib.util
import os
import signal
import sys
import tempfile
import unittest
from pathlib import Path

# Programs take over what their parent ignores, and whoever runs the tests in the background ignores interrupts.
for _signal in (signal.SIGINT, signal.SIGHUP):
    if signal.getsignal(_signal) == signal.SIG_IGN:
        signal.signal(_signal, signal.SIG_DFL)

ROOT = Path(__file__).resolve().parents[2]
# WEAKSPOT names another build to test.
PROGRAM = Path(os.environ.get("WEAKSPOT", ROOT / "build" / "weakspot")).resolve()

needs_program = unittest.skipUnless(PROGRAM.exists(), f"{PROGRAM} is not built")


def load_tool(name):
    """A program of tools/ as a module."""
    sys.dont_write_bytecode = True
    loader = importlib.machinery.SourceFileLoader(name, str(ROOT / "tools" / name))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(name, loader))
    sys.modules[name] = module
    loader.exec_module(module)
    return module


class FolderTest(unittest.TestCase):
    """A test with an empty folder, which is removed afterwards."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def write_program(self, name, text):
        """Writes an executable script and returns its path."""
        path = self.folder / name
        path.write_text(text)
        path.chmod(0o755)
        return path

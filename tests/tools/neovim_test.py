# SPDX-License-Identifier: MIT
"""The settings for Neovim in docs/editors.md, tried without a screen."""
import json
import os
import re
import shutil
import subprocess
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from support import PROGRAM, ROOT, FolderTest, needs_program  # noqa: E402

TEST = """weakspot MP
 P0      | P1        ;
 st x, 1 | ldd r0, y ;
 st y, 1 | ld r1, x  ;
exists (1:r0=1 /\\ 1:r1=0)
"""

# Waits for diagnostics, asks what an instruction does, and prints both as JSON.
ASK = """
vim.wait(30000, function() return #vim.diagnostic.get(0) > 0 end, 50)
local shown = {}
for _, one in ipairs(vim.diagnostic.get(0)) do
  table.insert(shown, { one.lnum, one.col, one.message })
end
local place = { textDocument = vim.lsp.util.make_text_document_params(), position = { line = 2, character = 1 } }
local replies = vim.lsp.buf_request_sync(0, 'textDocument/hover', place, 30000)
local said = ''
for _, reply in pairs(replies or {}) do said = said .. reply.result.contents.value end
io.stdout:write(vim.fn.json_encode({ diagnostics = shown, hover = said }), '\\n')
vim.cmd('qall!')
"""


@needs_program
@unittest.skipUnless(shutil.which("nvim"), "nvim is missing: the package neovim has it")
class Neovim(FolderTest):
    def test_settings_of_the_manual_show_mistakes_and_answer(self):
        page = (ROOT / "docs" / "editors.md").read_text(encoding="utf-8")
        settings = re.search(r"^## Neovim\n.*?^```lua\n(.*?)^```", page, re.M | re.S).group(1)
        for name, text in (("init.lua", settings), ("ask.lua", ASK), ("mp.litmus", TEST)):
            (self.folder / name).write_text(text, encoding="utf-8")
        (self.folder / "bin").mkdir()
        (self.folder / "bin" / "weakspot").symlink_to(PROGRAM)
        environment = {**os.environ, "PATH": f"{self.folder / 'bin'}:{os.environ['PATH']}", "HOME": str(self.folder),
                       "XDG_STATE_HOME": str(self.folder), "XDG_CACHE_HOME": str(self.folder)}
        done = subprocess.run(["nvim", "--headless", "-u", "init.lua", "mp.litmus", "-c", "luafile ask.lua"],
                              cwd=self.folder, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True,
                              timeout=120)
        self.assertEqual(done.returncode, 0, done.stderr)
        answer = json.loads(done.stdout)
        self.assertEqual(answer["diagnostics"], [[2, 11, "unknown instruction 'ldd'"]])
        self.assertIn("stores", answer["hover"])


if __name__ == "__main__":
    unittest.main()

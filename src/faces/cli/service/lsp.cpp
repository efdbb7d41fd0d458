// SPDX-License-Identifier: MIT
#include <unistd.h>

#include "base/build_info.h"
#include "cli/command/commands.h"
#include "lsp/stdio.h"

namespace weakspot::cli {

void add_lsp(Command& app, int& exit_code) {
  Command* command = app.add_subcommand("lsp", "Serve an editor: tests and models as you write them");
  auto stdio = std::make_shared<bool>(true);
  command->add_flag("--stdio", *stdio, "talk on standard input and output (default: yes, there is no other way)");
  command->footer(
      "A language server for .litmus and .cat files, and for CUDA files with the\n"
      "findings of 'weakspot race'. Editors start it.\n\n"
      "Examples:\n"
      "  vim.lsp.start({ name = 'weakspot', cmd = { 'weakspot', 'lsp' } })   (Neovim)\n"
      "  (add-to-list 'eglot-server-programs '(litmus-mode \"weakspot\" \"lsp\"))");
  command->callback(
      [stdio, &exit_code] { exit_code = lsp::serve_stdio(std::string(base::kVersion), STDIN_FILENO, STDOUT_FILENO); });
}

}  // namespace weakspot::cli

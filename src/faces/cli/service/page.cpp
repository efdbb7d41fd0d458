// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <cstdio>
#include <filesystem>

#include "base/build_info.h"
#include "cli/command/commands.h"
#include "cli/command/shared_options.h"
#include "cli/service/ask_self.h"
#include "console/interrupt.h"
#include "http/page_files.h"
#include "serve/page_server.h"

namespace weakspot::cli {
namespace {

namespace fs = std::filesystem;

struct Page {
  std::string out;
  bool open = false;

  int run() const {
    if (out.empty() != open) {
      return fail({base::error(open ? "--out and --open exclude each other"
                                    : "nothing to do: '--out DIR' writes the page, '--open' serves it")});
    }
    const base::Result<fs::path> folder = http::page_folder("index.html");
    if (!folder) return fail(folder.errors());
    const base::Status done = open ? serve(*folder) : write(*folder);
    return done ? kFine : fail(done.errors());
  }

 private:
  base::Status write(const fs::path& folder) const {
    std::error_code code;
    fs::create_directories(out, code);
    // Files for the program's own browser are not part of the page.
    for (fs::directory_iterator entry(folder, code); !code && entry != fs::directory_iterator();
         entry.increment(code)) {
      if (entry->path().stem() == "device") continue;
      fs::copy(entry->path(), fs::path(out) / entry->path().filename(),
               fs::copy_options::recursive | fs::copy_options::overwrite_existing, code);
      if (code) break;
    }
    if (code) {
      return base::error_in(out, fmt::format("cannot write: {}", code.message()), base::ErrorKind::environment);
    }
    print_results(fmt::format("{}\n", (fs::path(out) / "index.html").string()));
    return base::ok_status();
  }

  static base::Status serve(const fs::path& folder) {
    const InterruptGuard guard;
    serve::PageServer server;
    server.folder = folder;
    server.executor = [] { return make_executor(false); };
    server.ask = [](const std::vector<std::string>& words) { return ask_self(words); };
    server.now = now_text;
    server.stop = InterruptGuard::flag();
    server.ready = [](const std::string& url) {
      print_output(url + "\n");
      std::fflush(stdout);
      print_error("Open this address in a browser of this machine. Ctrl-C ends the server.\n");
    };
    return serve::serve_page(server);
  }
};

}  // namespace

void add_page(Command& app, int& exit_code) {
  auto options = std::make_shared<Page>();
  Command* command = app.add_subcommand("page", "Write the page for browsers, or serve it with local devices");
  command->add_option("--out DIR", options->out, "write the page as a folder of static files");
  command->add_flag("--open", options->open,
                    "serve the page to browsers of this machine, which can run tests on its devices and check CUDA "
                    "programs, until Ctrl-C");
  command->footer(
      "The address that --open prints contains a secret: whoever knows it can run tests\n"
      "on this machine's devices, and CUDA programs in the sandbox.\n\n"
      "Examples:\n  weakspot page --open\n  weakspot page --out site");
  command->callback([options, &exit_code] { exit_code = options->run(); });
}

}  // namespace weakspot::cli

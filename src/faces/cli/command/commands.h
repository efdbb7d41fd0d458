// SPDX-License-Identifier: MIT
// The commands of the program. Each adds itself to the parser and, when chosen, leaves its exit code.
#pragma once

#include <string>

#include "console/command_line.h"
#include "console/output.h"
#include "json/json.h"

namespace weakspot::cli {

// The program: what main() does.
int run(int argc, char** argv);

// Options, output and exit codes, which all commands share with other programs.
using namespace console;

void add_list(Command& app, int& exit_code);
void add_show(Command& app, int& exit_code);
void add_convert(Command& app, int& exit_code);
void add_check(Command& app, int& exit_code);
void add_fences(Command& app, int& exit_code);
void add_models(Command& app, int& exit_code);
void add_gen(Command& app, int& exit_code);
void add_mutate(Command& app, int& exit_code);
void add_suite(Command& app, int& exit_code);
void add_compile_check(Command& app, int& exit_code);
void add_devices(Command& app, int& exit_code);
void add_run(Command& app, int& exit_code);
void add_replay(Command& app, int& exit_code);
void add_report(Command& app, int& exit_code);
void add_compare(Command& app, int& exit_code);
void add_analyze(Command& app, int& exit_code);
void add_tune(Command& app, int& exit_code);
void add_score(Command& app, int& exit_code);
void add_conform(Command& app, int& exit_code);
void add_assumptions(Command& app, int& exit_code);
void add_locks(Command& app, int& exit_code);
void add_store(Command& app, int& exit_code);
void add_emit(Command& app, int& exit_code);
void add_optcheck(Command& app, int& exit_code);
void add_page(Command& app, int& exit_code);
void add_mcp(Command& app, int& exit_code);
void add_serve(Command& app, int& exit_code);
void add_campaign(Command& app, int& exit_code);
void add_agent(Command& app, int& exit_code);
void add_launch(Command& app, int& exit_code);
void add_lsp(Command& app, int& exit_code);
void add_schema(Command& app, int& exit_code);
// Hidden: the child process that uses a device.
void add_worker(Command& app, int& exit_code);
void add_lock_worker(Command& app, int& exit_code);
void add_race(Command& app, int& exit_code);
void add_prove(Command& app, int& exit_code);
void add_capture(Command& app, int& exit_code);
void add_confirm(Command& app, int& exit_code);
// Hidden: the child process that runs kernels.
void add_confirm_worker(Command& app, int& exit_code);

// An indented JSON text with its newline.
inline std::string json_text(const base::JsonValue& json) { return base::json_indented(json) + "\n"; }

}  // namespace weakspot::cli

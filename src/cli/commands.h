// The commands of the program. Each adds itself to the parser and, when chosen, leaves its exit code.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace weakspot::cli {

// The program: what main() does.
int run(int argc, char** argv);

// What scripts rely on.
enum ExitCode { kFine = 0, kFinding = 1, kBadInput = 2, kDeviceFailed = 3 };

void add_show(CLI::App& app, int& exit_code);
void add_convert(CLI::App& app, int& exit_code);
void add_check(CLI::App& app, int& exit_code);
void add_models(CLI::App& app, int& exit_code);
void add_gen(CLI::App& app, int& exit_code);
void add_mutate(CLI::App& app, int& exit_code);
void add_suite(CLI::App& app, int& exit_code);
void add_devices(CLI::App& app, int& exit_code);
void add_run(CLI::App& app, int& exit_code);
void add_replay(CLI::App& app, int& exit_code);
void add_report(CLI::App& app, int& exit_code);
void add_compare(CLI::App& app, int& exit_code);
void add_analyze(CLI::App& app, int& exit_code);
void add_tune(CLI::App& app, int& exit_code);
void add_score(CLI::App& app, int& exit_code);
void add_conform(CLI::App& app, int& exit_code);
void add_emit(CLI::App& app, int& exit_code);
// Hidden: the child process that uses a device.
void add_worker(CLI::App& app, int& exit_code);
void add_race(CLI::App& app, int& exit_code);

// Writes to standard output; a reader that went away ends the program quietly.
void print_output(const std::string& text);
void print_error(const std::string& text);

// An indented JSON text with its newline: bytes that are not UTF-8 are replaced rather than fatal.
template <typename Json>
std::string json_text(const Json& json) {
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace weakspot::cli

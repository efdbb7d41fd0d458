// SPDX-License-Identifier: MIT
// Reading and writing whole files. Errors name the file and the system's reason.
//
// A platform without files (posix/ and bare/ are the two there are) has none to find, and refuses to write.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace weakspot::base {

// Reads a regular file, a pipe, or standard input for "-", without the byte order mark that some editors begin with.
Result<std::string> read_file(const std::string& path);

// Whether a file that was written survives the loss of power: waiting for the disk takes milliseconds.
enum class Durable : std::uint8_t { no, yes };

// Writes beside the target and renames, so that neither a reader nor a killed writer ever meets half a file. A symbolic
// link stays, and the file it leads to is replaced, with its permissions. A pipe or a device is written into.
Status write_file(const std::string& path, std::string_view text, Durable durable = Durable::yes);

// What a system call for a file failed with, by errno: "cannot WHAT: reason". A full or broken disk is a fault of the
// machine.
Diagnostic file_error(const std::string& path, const char* what);

// Takes an open file for this program alone, until it is closed. Fails if another program has it, or this one under
// another descriptor. Files on which the system has no locks, and pipes, are given to everyone.
Status lock_file(const std::string& path, int fd);

bool exists(const std::filesystem::path& path);
bool is_file(const std::filesystem::path& path);  // a regular one
std::filesystem::path absolute_path(const std::filesystem::path& path);

// The regular files under `directory` whose name ends in `suffix`, sorted by path.
Result<std::vector<std::string>> files_under(const std::string& directory, std::string_view suffix);

// The folder of the program's own data (corpus/, models/): next to an installed binary, or in the source tree it was
// built from. Empty if neither exists.
std::filesystem::path data_directory(std::string_view name);
// The message for a person if it is empty: where the data was looked for and how to get it.
std::string missing_data(std::string_view name);

}  // namespace weakspot::base

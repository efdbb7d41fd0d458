// SPDX-License-Identifier: MIT
// The variables that the checker, its compiler and the checked program get. A variable of a build machine may be a
// secret, such as a token, and a program that prints it puts it into a log that others read.
#pragma once

#include <string>
#include <vector>

namespace weakspot::race_command {

// NAME=value of the variables of this process that compilers and programs need and nobody keeps secrets in. `more` has
// others, as NAME or NAME=value. All of them if the program is trusted.
std::vector<std::string> environment_of_program(const std::vector<std::string>& more, bool trust);

}  // namespace weakspot::race_command

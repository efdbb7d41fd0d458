// SPDX-License-Identifier: MIT
#include "base/wording.h"

#include <utility>

namespace weakspot::base {
namespace {

std::string (*reworded)(std::string text) = nullptr;

}  // namespace

std::string worded(std::string text) { return reworded == nullptr ? std::move(text) : reworded(std::move(text)); }

void reword_for_tests(std::string (*reword)(std::string text)) { reworded = reword; }

}  // namespace weakspot::base

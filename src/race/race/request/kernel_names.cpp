// SPDX-License-Identifier: MIT
#include "race/kernel_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "base/nearest.h"

namespace weakspot::race {
namespace {

bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }
bool is_name_char(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

// Without blanks, and with 64 for 64u, 64ul or 64LL.
std::string plain_spelling(std::string_view name) {
  std::string plain;
  bool in_number = false, in_word = false;
  for (const char c : name) {
    if (c == ' ' || c == '\t') continue;
    in_number = is_digit(c) ? in_number || !in_word : in_number && is_name_char(c);
    in_word = is_name_char(c);
    if (in_number && std::string_view("uUlL").find(c) != std::string_view::npos) continue;
    plain += c;
  }
  return plain;
}

std::string without_arguments(const std::string& name) { return name.substr(0, name.find('<')); }

}  // namespace

bool names_kernel(std::string_view wanted, const std::string& name) {
  const std::string plain = without_arguments(name);
  const std::size_t colon = plain.rfind("::");
  return plain_spelling(wanted) == plain_spelling(name) || wanted == plain ||
         (colon != std::string::npos && wanted == plain.substr(colon + 2));
}

namespace {

std::string only_templates(const std::vector<std::string>& templates) {
  std::string text = "the file has no kernel that can run, but templates without instances: ";
  for (std::size_t i = 0; i < templates.size(); ++i) text += (i == 0 ? "" : ", ") + templates[i];
  return text + fmt::format("; --kernel '{}<...>' makes one", templates.front());
}

}  // namespace

std::string no_such_kernel(const std::string& wanted, std::vector<std::string> names,
                           const std::vector<std::string>& templates) {
  constexpr std::size_t kMostNames = 20;
  if (names.empty()) return templates.empty() ? "the file has no kernel" : only_templates(templates);
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  // Template arguments are long, and mostly not what is mistyped.
  std::vector<std::string> near = base::nearest(wanted, names);
  for (const std::string& name : names) {
    const bool alike = !base::nearest(without_arguments(wanted), {without_arguments(name)}).empty();
    if (near.empty() && alike) near.push_back(name);
  }
  std::string text = fmt::format("the file has no kernel '{}'", wanted);
  if (!near.empty()) text += fmt::format("; did you mean '{}'?", near.front());
  text += near.empty() ? "; it has " : " It has ";
  for (std::size_t i = 0; i < names.size() && i < kMostNames; ++i) {
    if (i > 0) text += i + 1 == names.size() ? " and " : ", ";
    text += names[i];
  }
  if (names.size() > kMostNames) text += fmt::format(" and {} more", names.size() - kMostNames);
  return text;
}

}  // namespace weakspot::race

// SPDX-License-Identifier: MIT
// The form of help texts: terms and explanations in two columns, as wide as the terminal but at most 80 characters.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

namespace CLI {
class FormatterBase;
}  // namespace CLI

namespace weakspot::console {

std::shared_ptr<CLI::FormatterBase> help_formatter(std::size_t width = 80);

// An entry of a help text: the term, and its explanation wrapped in the second column. Line breaks are kept.
// `term_width`: of the first column, with the indent before the term and at least one blank behind it.
std::string help_entry(const std::string& term, const std::string& text, std::size_t term_width = 22,
                       std::size_t width = 80);

// Paragraphs that are too wide are filled anew; indented lines stay lines.
std::string help_paragraphs(const std::string& text, std::size_t width);

}  // namespace weakspot::console

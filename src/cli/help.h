// The form of help texts: terms and explanations in two columns, 80 characters wide.
#pragma once

#include <memory>
#include <string>

namespace CLI {
class FormatterBase;
}  // namespace CLI

namespace weakspot::cli {

std::shared_ptr<CLI::FormatterBase> help_formatter();

// An entry of a help text: the term, and its explanation wrapped in the second column. Line breaks are kept.
std::string help_entry(const std::string& term, const std::string& text);

}  // namespace weakspot::cli

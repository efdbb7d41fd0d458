// SPDX-License-Identifier: MIT
#include "console/fold.h"

#include <algorithm>
#include <iterator>
#include <vector>

#include "base/printable.h"

namespace weakspot::console {
namespace {

using base::columns_of;

// The blanks before a field or word, and the field or word.
struct Piece {
  std::size_t gap = 0;
  std::string_view text;
};

// Pieces that at least `blanks` blanks separate.
std::vector<Piece> pieces_of(std::string_view line, std::size_t blanks) {
  std::vector<Piece> pieces;
  std::size_t at = 0;
  while (at < line.size()) {
    const std::size_t begin = std::min(line.find_first_not_of(' ', at), line.size());
    std::size_t end = begin;
    while (end < line.size()) {
      const std::size_t next = std::min(line.find(' ', end), line.size());
      const std::size_t after = std::min(line.find_first_not_of(' ', next), line.size());
      end = next;
      if (after - next >= blanks || after == line.size()) break;
      end = after;
    }
    if (begin < end) pieces.push_back({begin - at, line.substr(begin, end - begin)});
    at = std::max(end, begin);
  }
  return pieces;
}

bool is_unit(std::string_view word) {
  constexpr std::string_view kUnits[] = {"%", "s", "ms", "k", "M", "G", "k/s", "M/s", "G/s"};
  word = word.substr(0, word.find_last_not_of(",;:)") + 1);
  return std::find(std::begin(kUnits), std::end(kUnits), word) != std::end(kUnits);
}

// The words of a field. A number and its unit are one: a line that begins with "k" or "%" is misread.
std::vector<Piece> words_of(std::string_view field) {
  std::vector<Piece> words;
  for (const Piece& word : pieces_of(field, 1)) {
    const bool follows_number =
        !words.empty() && word.gap == 1 && words.back().text.back() >= '0' && words.back().text.back() <= '9';
    if (follows_number && is_unit(word.text)) {
      std::string_view& number = words.back().text;
      number = {number.data(), number.size() + word.gap + word.text.size()};
    } else {
      words.push_back(word);
    }
  }
  return words;
}

// The indentation of continued lines: the second word's column in a line with fields, where a verdict or a name comes
// first; little in a sentence.
std::size_t indent_of(std::string_view line, std::size_t width) {
  constexpr std::size_t kMostHead = 17, kStep = 4, kSentence = 2;
  const std::size_t begin = std::min(line.find_first_not_of(' '), line.size());
  if (begin != 0) return std::min(begin + kStep, width / 2);
  if (line.find("  ") == std::string_view::npos) return kSentence;
  const std::size_t end = std::min(line.find(' '), line.size());
  const std::size_t second = std::min(line.find_first_not_of(' ', end), line.size());
  return second <= kMostHead && second < line.size() ? second : kStep;
}

bool is_quoted_source(std::string_view line) {
  const std::size_t end = line.find_first_not_of(" 0123456789");
  return end != std::string_view::npos && end > 0 && line[end] == '|' && line[end - 1] == ' ';
}

class LineFolder {
 public:
  LineFolder(std::string_view line, std::size_t width) : width_(width), indent_(indent_of(line, width)) {
    for (const Piece& field : pieces_of(line, 2)) add_field(field);
  }

  std::string take() {
    end_line();
    return std::move(text_);
  }

 private:
  void add_field(const Piece& field) {
    const std::size_t columns = columns_of(field.text);
    if (used_ + field.gap + columns <= width_) return append(field);
    const bool stands_alone = field.text[0] == '[' || field.text[0] == '(';
    if (used_ > indent_ && (indent_ + columns <= width_ || stands_alone)) begin_line();
    std::size_t gap = is_fresh_ ? 0 : field.gap;
    for (const Piece& word : words_of(field.text)) {
      add_word({gap + word.gap, word.text});
      gap = 0;
    }
  }

  void add_word(const Piece& word) {
    const std::size_t columns = columns_of(word.text);
    const std::size_t gap = is_fresh_ ? 0 : word.gap;
    if (used_ + gap + columns <= width_) return append({gap, word.text});
    const std::size_t comma = word.text.find(',');
    const bool is_list = comma != std::string_view::npos && comma + 1 < word.text.size();
    if (!is_list) {
      if (used_ > indent_) begin_line();
      return append({is_fresh_ ? 0 : gap, word.text});
    }
    if (indent_ + columns <= width_ && used_ > indent_) {
      begin_line();
      return append({0, word.text});
    }
    std::size_t before = gap;
    for (std::string_view rest = word.text; !rest.empty();) {
      const std::size_t end = std::min(rest.find(','), rest.size() - 1) + 1;
      const std::string_view part = rest.substr(0, end);
      rest.remove_prefix(end);
      if (used_ + before + columns_of(part) > width_ && used_ > indent_) {
        begin_line();
        before = 0;
      }
      append({before, part});
      before = 0;
    }
  }

  void append(const Piece& piece) {
    line_.append(piece.gap, ' ');
    line_ += piece.text;
    used_ += piece.gap + columns_of(piece.text);
    is_fresh_ = false;
  }

  void begin_line() {
    end_line();
    line_.assign(indent_, ' ');
    used_ = indent_;
    is_fresh_ = true;
  }

  void end_line() {
    if (line_.find_first_not_of(' ') == std::string::npos) return;
    text_ += line_ + "\n";
    line_.clear();
  }

  std::size_t width_, indent_;
  std::string text_, line_;
  std::size_t used_ = 0;   // columns of line_
  bool is_fresh_ = false;  // line_ holds an indentation only
};

}  // namespace

std::string folded(std::string_view text, std::size_t width) {
  std::string result;
  result.reserve(text.size());
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    // Bytes are at least as many as columns.
    if (line.size() <= width || columns_of(line) <= width || is_quoted_source(line)) {
      result += text.substr(0, end + 1);
    } else {
      result += LineFolder(line, width).take();
      if (end == text.size()) result.pop_back();
    }
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return result;
}

std::string shortened(std::string_view line, std::size_t width) {
  constexpr std::string_view kCut = "...";
  if (columns_of(line) <= width) return std::string(line);
  return clipped(line, width - std::min(width, kCut.size())) + std::string(kCut);
}

std::string clipped(std::string_view text, std::size_t width) {
  std::string result;
  std::size_t column = 0;
  while (!text.empty()) {
    const bool is_colour = text.starts_with("\033[");
    const std::size_t length =
        is_colour ? std::min(text.find('m'), text.size() - 1) + 1 : base::first_code_point(text).length;
    const std::string_view part = text.substr(0, length);
    if (part == "\n") {
      column = 0;
    } else if (!is_colour) {
      column += columns_of(part);
    }
    if (is_colour || part == "\n" || column <= width) result += part;
    text.remove_prefix(length);
  }
  return result;
}

}  // namespace weakspot::console

// SPDX-License-Identifier: MIT
// The places of a text of PTX (places.h). Instructions end at their semicolons; labels and braces stand between them.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <set>

#include "prove/repair/cuda_places.h"

namespace weakspot::prove {
namespace {

bool is_opcode_sign(char sign) {
  return std::isalnum(static_cast<unsigned char>(sign)) != 0 || sign == '_' || sign == '.' || sign == ':';
}

// Comments, and escapes of a string, as white space.
std::string without_comments(std::string_view text) {
  std::string made(text);
  auto blank = [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < std::min(end, made.size()); ++i) {
      if (made[i] != '\n') made[i] = ' ';
    }
  };
  for (std::size_t i = 0; i + 1 < made.size(); ++i) {
    if (made[i] == '/' && made[i + 1] == '/') blank(i, made.find('\n', i));
    if (made[i] == '/' && made[i + 1] == '*') blank(i, std::min(made.find("*/", i + 2), made.size() - 2) + 2);
    if (made[i] == '\\') blank(i, i + 2);
  }
  return made;
}

struct PtxItem {
  enum class Kind : std::uint8_t { access, fence, barrier, flow, end };
  Kind kind = Kind::flow;
  std::size_t begin = 0, end = 0;  // with its guard and its semicolon
  std::string opcode;
  std::size_t opcode_begin = 0;
  bool guarded = false;
};

// The instructions that matter for order, and where control may come or go.
class PtxItems {
 public:
  explicit PtxItems(std::string_view text) : text_(without_comments(text)) {}

  std::vector<PtxItem> read() {
    while (at_ < text_.size()) {
      const char sign = text_[at_];
      if (std::isspace(static_cast<unsigned char>(sign)) != 0 || sign == ';') {
        ++at_;
      } else if (sign == '{' || sign == '}') {
        // The end of a function, or of a block in it, between which nothing is known to follow.
        items_.push_back({PtxItem::Kind::flow, at_, at_ + 1, "", at_, false});
        ++at_;
      } else {
        read_statement();
      }
    }
    return std::move(items_);
  }

 private:
  void read_statement() {
    const std::size_t begin = at_;
    std::size_t end = text_.find_first_of(";{}", at_);
    if (end == std::string::npos) end = text_.size();
    std::size_t word = begin;
    const bool guarded = text_[word] == '@';
    if (guarded) {
      word = std::min(text_.find_first_of(" \t\n", word), end);
      word = std::min(text_.find_first_not_of(" \t\n", word), end);
    }
    std::size_t behind = word;
    while (behind < end && is_opcode_sign(text_[behind])) ++behind;
    std::string opcode = text_.substr(word, behind - word);
    if (opcode.ends_with(':') && !opcode.ends_with("::")) {
      items_.push_back({PtxItem::Kind::flow, begin, behind, "", begin, false});
      at_ = behind;
      return;
    }
    // "$L__BB0_1:" begins with a sign that opcodes do not have.
    if (const std::size_t colon = text_.find(':', begin); behind == word && colon < end) {
      items_.push_back({PtxItem::Kind::flow, begin, colon + 1, "", begin, false});
      at_ = colon + 1;
      return;
    }
    at_ = end < text_.size() && text_[end] == ';' ? end + 1 : behind_operands(end);
    add(begin, word, std::move(opcode), guarded);
  }

  // Braces of a vector belong to the instruction: "{%r1, %r2}".
  std::size_t behind_operands(std::size_t brace) const {
    const std::size_t close = text_.find('}', brace), semicolon = text_.find(';', brace);
    const bool vector = brace < text_.size() && text_[brace] == '{' && close != std::string::npos &&
                        semicolon != std::string::npos && close < semicolon;
    return vector ? semicolon + 1 : brace;
  }

  void add(std::size_t begin, std::size_t word, std::string opcode, bool guarded) {
    static constexpr std::array<std::string_view, 5> kFlow = {"bra", "brx", "call", "bar", "barrier"};
    const std::string first = opcode.substr(0, opcode.find('.'));
    const bool memory = first == "ld" || first == "st" || first == "atom" || first == "red";
    const bool own = opcode.find(".param") != std::string::npos || opcode.find(".local") != std::string::npos ||
                     opcode.find(".const") != std::string::npos;
    std::optional<PtxItem::Kind> kind;
    if (memory && !own) kind = PtxItem::Kind::access;
    if (is_ptx_fence(opcode)) kind = PtxItem::Kind::fence;
    if (first == "ret" || first == "exit") kind = PtxItem::Kind::end;
    if (std::find(kFlow.begin(), kFlow.end(), first) != kFlow.end()) kind = PtxItem::Kind::flow;
    if (kind) items_.push_back({*kind, begin, at_, std::move(opcode), word, guarded});
  }

  const std::string text_;
  std::size_t at_ = 0;
  std::vector<PtxItem> items_;
};

std::optional<SourcePlace> word_of(const PtxItem& item, std::size_t shift) {
  const std::optional<Forms> forms = ptx_forms(item.opcode);
  if (!forms || (item.kind == PtxItem::Kind::fence && item.guarded)) return std::nullopt;
  SourcePlace place{SourcePlace::Kind::access, item.opcode_begin + shift,
                    item.opcode_begin + item.opcode.size() + shift, *forms};
  if (item.kind == PtxItem::Kind::fence) {
    place.kind = SourcePlace::Kind::fence;
    place.end = item.end + shift;
    for (Form& form : place.forms.all) {
      if (!form.text.empty()) form.text += ';';
    }
  }
  return place;
}

}  // namespace

std::vector<SourcePlace> ptx_words(std::string_view text, std::size_t shift) {
  std::vector<SourcePlace> places;
  // The quotes of a string are no part of its instructions.
  const bool quoted = text.size() >= 2 && text.front() == '"';
  for (const PtxItem& item : PtxItems(quoted ? text.substr(1, text.size() - 2) : text).read()) {
    if (item.kind != PtxItem::Kind::access && item.kind != PtxItem::Kind::fence) continue;
    if (std::optional<SourcePlace> place = word_of(item, shift + (quoted ? 1 : 0))) places.push_back(*std::move(place));
  }
  return places;
}

WrittenPlaces ptx_places(std::string_view text, const UsedPlaces& used) {
  WrittenPlaces found;
  const std::vector<PtxItem> items = PtxItems(text).read();
  // Where the text names lines of its own source, places do not tell its instructions: all of them are looked at.
  const bool all = used.all.empty();
  if (!all) found.elsewhere = used.elsewhere;
  std::set<unsigned> lines;
  for (const UsedPlace& one : used.all) lines.insert(one.line);
  std::vector<std::size_t> acting;
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (items[i].kind != PtxItem::Kind::access && items[i].kind != PtxItem::Kind::fence) continue;
    if (!all && !lines.contains(line_of(text, items[i].opcode_begin))) continue;
    if (items[i].kind == PtxItem::Kind::access) acting.push_back(i);
    std::optional<SourcePlace> place = word_of(items[i], 0);
    if (!place) continue;
    place->line = line_of(text, items[i].opcode_begin);
    found.all.push_back(*std::move(place));
  }
  const Forms forms = inserted_fences(FenceWords::ptx, used.scopes);
  std::set<std::size_t> gaps;  // by the item behind them
  for (const std::size_t item : acting) gaps.insert({item, item + 1});
  auto is_kind = [&](std::size_t item, PtxItem::Kind kind) { return item < items.size() && items[item].kind == kind; };
  for (const std::size_t gap : gaps) {
    if (is_kind(gap, PtxItem::Kind::fence) || (gap > 0 && is_kind(gap - 1, PtxItem::Kind::fence))) continue;
    if (is_kind(gap, PtxItem::Kind::end) || forms.all.empty()) continue;
    const bool before = is_kind(gap, PtxItem::Kind::access);
    const PtxItem& beside = items[before ? gap : gap - 1];
    found.all.push_back({SourcePlace::Kind::gap, beside.begin, beside.end, forms, line_of(text, beside.begin),
                         before ? SourcePlace::Side::before : SourcePlace::Side::behind});
  }
  return found;
}

}  // namespace weakspot::prove

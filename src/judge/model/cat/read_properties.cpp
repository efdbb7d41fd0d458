// SPDX-License-Identifier: MIT
#include "model/cat/read_properties.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/mistakes.h"
#include "base/names.h"

namespace weakspot::model {

void ModelProperties::add(const ModelProperties& included) {
  coherent = coherent || included.coherent;
  scopes = scopes || included.scopes;
  asynchronous = asynchronous || included.asynchronous;
  cpus = cpus || included.cpus;
  unlisted = unlisted || included.unlisted;
  if (vocabulary == Vocabulary::all) vocabulary = included.vocabulary;
  if (family == Family::general) family = included.family;
}

namespace cat {
namespace {

constexpr std::string_view kDeclaration = "@properties";
constexpr std::string_view kVocabulary = "vocabulary=";
constexpr std::string_view kFamily = "of=";
constexpr std::string_view kBlanks = " \t\r\n";

constexpr base::Named<bool ModelProperties::*> kProperties[] = {{"coherent", &ModelProperties::coherent},
                                                                {"scopes", &ModelProperties::scopes},
                                                                {"asynchronous", &ModelProperties::asynchronous},
                                                                {"cpus", &ModelProperties::cpus},
                                                                {"unlisted", &ModelProperties::unlisted}};

constexpr base::Named<Vocabulary> kVocabularies[] = {
    {"rel-acq", Vocabulary::rel_acq}, {"amdgpu", Vocabulary::amdgpu}, {"wgsl", Vocabulary::wgsl}};

constexpr base::Named<Family> kFamilies[] = {
    {"processors", Family::processors}, {"languages", Family::languages}, {"gpus", Family::gpus}};

// Sets what a model has one of. Returns what is wrong with the word, if it is none of the names.
template <typename Value, std::size_t N>
std::string set_choice(const base::Named<Value> (&names)[N], std::string_view what, std::string_view word,
                       Value& value) {
  const auto chosen = base::value_of(names, word);
  if (!chosen) return fmt::format("expected the {} {}; found '{}'", what, base::list_names(names), base::clipped(word));
  if (value != Value{}) return fmt::format("a model has one {}", what);
  value = *chosen;
  return {};
}

// The text before the first of `ends`, without blanks around it.
std::string_view word_before(std::string_view text, std::string_view ends) {
  text = text.substr(0, text.find_first_of(ends));
  text.remove_prefix(std::min(text.find_first_not_of(kBlanks), text.size()));
  return text.substr(0, text.find_last_not_of(kBlanks) + 1);
}

std::string_view first_word(std::string_view comment) {
  comment.remove_prefix(std::min(comment.find_first_not_of(kBlanks), comment.size()));
  return word_before(comment, kBlanks);
}

// Sets the property; returns what is wrong with the word, if it is not one.
std::string set_property(std::string_view word, ModelProperties& properties) {
  if (const auto flag = base::value_of(kProperties, word)) {
    properties.*(*flag) = true;
    return {};
  }
  if (word.starts_with(kVocabulary)) {
    return set_choice(kVocabularies, "vocabulary", word.substr(kVocabulary.size()), properties.vocabulary);
  }
  if (word.starts_with(kFamily)) {
    return set_choice(kFamilies, "family", word.substr(kFamily.size()), properties.family);
  }
  return fmt::format("expected a property: {}, {}... or {}...; found '{}'", base::list_names(kProperties), kVocabulary,
                     kFamily, base::clipped(word));
}

}  // namespace

bool declares_properties(std::string_view comment) { return first_word(comment).starts_with("@prop"); }

void read_properties(const base::Source& source, base::Span span, ModelProperties& properties,
                     base::Diagnostics& mistakes) {
  const std::string_view inside = source.slice(span);
  const auto place = [&](std::string_view word) {
    const auto begin = static_cast<std::uint32_t>(word.data() - source.text().data());
    return base::Span{begin, begin + static_cast<std::uint32_t>(word.size())};
  };
  const std::string_view declaration = first_word(inside);
  if (declaration != kDeclaration) {
    return mistakes.push_back(base::error_at(source, place(declaration), fmt::format("expected {}", kDeclaration)));
  }
  std::string_view rest = inside.substr(static_cast<std::size_t>(declaration.end() - inside.begin()));
  for (bool more = true; more;) {
    const std::string_view word = word_before(rest, ",");
    if (std::string wrong = set_property(word, properties); !wrong.empty()) {
      return mistakes.push_back(base::error_at(source, place(word.empty() ? declaration : word), std::move(wrong)));
    }
    const std::size_t comma = rest.find(',');
    more = comma != std::string_view::npos;
    if (more) rest.remove_prefix(comma + 1);
  }
}

}  // namespace cat

std::string_view to_string(Family family) {
  return family == Family::general ? "general" : base::name_of(cat::kFamilies, family);
}

}  // namespace weakspot::model

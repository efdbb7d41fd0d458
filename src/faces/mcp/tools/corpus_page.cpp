// SPDX-License-Identifier: MIT
#include "mcp/tools/corpus_page.h"

#include "base/check.h"
#include "questions/corpus_names.h"

namespace weakspot::mcp {
namespace {

using Json = base::JsonValue;

constexpr std::size_t kPageCharacters = 18'000, kPageTests = 100;

// The entry without the test's text, unless that is asked for.
Json page_entry(const Json& entry, bool texts) {
  Json shown = base::json_object();
  for (const base::JsonMember& member : entry.members()) {
    if (texts || member.key != "text") shown.add(member.key, member.value);
  }
  return shown;
}

// The characters of an entry in the answer, where its lines are indented and stand inside a string of JSON.
std::size_t characters_of(const Json& entry) {
  constexpr std::size_t kIndents = 24;
  return base::json_compact(base::json_lines(entry)).size() + kIndents;
}

}  // namespace

base::Result<Json> corpus_page(const Json& corpus, const Json& arguments) {
  const std::vector<questions::CorpusFile> files = questions::carried_files();  // in the order of `corpus`
  WEAKSPOT_CHECK(files.size() == corpus.items().size());
  const Json* pattern = arguments.find("pattern");
  if (pattern != nullptr) {
    if (const base::Status good = questions::check_patterns({pattern->text()}, files); !good) return good.errors();
  }
  const auto offset = static_cast<std::size_t>(arguments.at("offset").integer().value_or(0));
  const auto limit = static_cast<std::size_t>(arguments.at("limit").integer().value_or(kPageTests));
  Json tests = base::json_array();
  std::size_t total = 0, characters = 0;
  bool full = false;
  for (std::size_t i = 0; i < files.size(); ++i) {
    if (pattern != nullptr && !questions::is_meant(files[i], pattern->text())) continue;
    if (total++ < offset || full) continue;
    Json entry = page_entry(corpus.at(i), arguments.at("texts").truth());
    characters += characters_of(entry);
    const std::size_t shown = tests.items().size();
    full = shown == limit || (shown != 0 && characters > kPageCharacters);
    if (!full) tests.push_back(std::move(entry));
  }
  const std::size_t next = offset + tests.items().size();
  Json page = base::json_object({{"tests", std::move(tests)}, {"total", total}});
  if (next < total) page["next"] = next;
  return page;
}

}  // namespace weakspot::mcp

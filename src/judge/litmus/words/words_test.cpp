// SPDX-License-Identifier: MIT
// The tables of words are held against the readers, in both directions. A reader knows a word in a place if it says
// something else about it than about a word that nobody knows.
#include "litmus/words.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <vector>

#include "base/file.h"
#include "base/source.h"
#include "litmus/assembly/x86_64.h"
#include "litmus/c/c_language.h"

namespace weakspot::litmus::words_test {
namespace {

// The places of words in a dialect: texts with `@` in place of the word. The first is the place of an instruction.
struct Places {
  Dialect dialect;
  std::string_view room;   // the folder of its reader
  std::string_view frame;  // with `@` in the place of such a text
  std::vector<std::string_view> texts;
  // The parts that can stand before and after a word within one word.
  std::vector<std::string_view> before, after;
};

constexpr std::string_view kColumns = " t\n{ }\n P0 ;\n @ ;\nexists (true)\n";

const std::vector<Places>& places() {
  static const std::vector<std::string_view> kPtx = {"@",
                                                     "ld.@ r0, [x]",
                                                     "ld.relaxed.@ r0, [x]",
                                                     "st.@ [x], 1",
                                                     "atom.@ r0, [x], 1",
                                                     "atom.add.@ r0, [x], 1",
                                                     "membar.@",
                                                     "bar.@ 0",
                                                     "bar.sync.@ 0",
                                                     "L: bra.@ L",
                                                     "mul.@ r0, r0, r0",
                                                     "setp.@ r0, r0, 1",
                                                     "setp.eq.@ r0, r0, 1",
                                                     "cvt.@.s32 r0, r0"};
  static const std::vector<std::string_view> kNewPtx = {
      "fence.@",
      "fence.sc.@",
      "fence.proxy.@",
      "fence.proxy.tensormap::generic.@",
      "fence.proxy.async::generic.acquire.cluster.@",
      "fence.proxy.async::generic.release.cluster.@",
      "bar.cta.@ 0",
      "barrier.cluster.@",
      "barrier.cluster.arrive.@",
      "cp.@",
      "cp.async.@",
      "cp.async.shared.global.@ [x], [y], 4",
      "cp.async.mbarrier.arrive.@ [b]",
      "cp.async.bulk.wait_group.@ 0",
      "cp.async.bulk.shared::cta.@",
      "cp.async.bulk.shared::cta.global.@ [x], [y], 4, [b]",
      "cp.async.bulk.global.shared::cta.bulk_group.@ [x], [y], 4",
      "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.@ [x], [y], 4, [b]",
      "mbarrier.@ [b], 1",
      "mbarrier.arrive.@ _, [b]",
      "mbarrier.try_wait.@ [b], 0",
      "griddepcontrol.@",
      "wgmma.sync.aligned.@",
      "wgmma.fence.sync.@",
      "tcgen05.@",
      "tcgen05.commit.@ [b]"};
  static const std::vector<std::string_view> kC = {
      "P0 (atomic_int* spot) { @(spot); }",
      "P0 (atomic_int* spot) { @ int v = 0; }",
      "P0 (atomic_int* spot) { @ v = 0; }",
      "P0 (atomic_int* spot) { int v = @; }",
      "P0 (atomic_int* spot) { if (1) { } @ { } }",
      "@ P0 (atomic_int* spot) { }",
      "P0 (atomic_int* spot) { atomic_load_explicit(spot, @); }",
      "P0 (atomic_int* spot) { atomic_load_explicit(spot, memory_order_relaxed, @); }",
      "P0 (atomic_int* spot) { barrier(@); }"};
  static const std::vector<Places> kAll = [] {
    std::vector<std::string_view> current = kPtx;
    current.insert(current.end(), kNewPtx.begin(), kNewPtx.end());
    return std::vector<Places>{
        {Dialect::canonical,
         "canonical",
         kColumns,
         {"@", "ld.@ r0, x", "atom.@ r0, x, 1", "atom.cas.@ r0, x, 0, 1", "fence.@", "fence.proxy.@", "dmb.@", "bar.@",
          "sel.@ r0, 1, 1, 1, 2", "copy.@ x, y", "copy.bulk.@ x, y", "commit.@", "wait.bulk.@ 0", "mbar.@ b, 1",
          "griddep.@", "tcfence.@"},
         {"b", "fail", "mem", "sem"},
         {}},
        {Dialect::ptx2015, "ptx", kColumns, kPtx, {"b"}, {}},
        {Dialect::ptx, "ptx", kColumns, current, {"b"}, {}},
        {Dialect::vulkan,
         "vulkan",
         kColumns,
         {"@", "ld.@ r0, x", "ld.atom.@ r0, x", "rmw.@ r0, x, 1", "membar.@", "cbar.@ 0"},
         {"b", "sem"},
         {}},
        {Dialect::c11, "c", " t\n{ }\n@\nexists (true)\n", kC, {"atomic_", "atomic_fetch_"}, {"_explicit"}},
        {Dialect::opencl, "c", " t\n{ }\n@\nexists (true)\n", kC, {"atomic_", "atomic_fetch_"}, {"_explicit"}},
        {Dialect::linux_kernel,
         "c",
         " t\n{ }\n@\nexists (true)\n",
         {"P0 (atomic_t* spot) { @(spot); }", "P0 (atomic_t* spot) { @ int v = 0; }",
          "P0 (atomic_t* spot) { @ v = 0; }", "P0 (atomic_t* spot) { int v = @; }",
          "P0 (atomic_t* spot) { if (1) { } @ { } }", "@ P0 (atomic_t* spot) { }"},
         {"atomic_", "atomic_fetch_"},
         {"_relaxed", "_acquire", "_release", "_return", "_and_test", "_negative"}},
        {Dialect::aarch64,
         "assembly",
         kColumns,
         {"@", "DMB @", "CMP W0,#1 ;\n CSEL W0,W1,W2,@", "CMP W0,#1 ;\n L: B.@ L", "ADD W0,W1,W2,@ #1",
          "ADD X0,X1,W2,@", "LDR W0,[X1,X2,@]"},
         {"B", "LD", "ST"},
         {"A", "L", "AL", "B", "H", "SB", "SH", "SW"}},
        {Dialect::x86_64,
         "assembly",
         kColumns,
         {"@", "MOV @ PTR [x],EAX", "MOV DWORD @ [x],EAX"},
         {"J", "SET", "CMOV"},
         {"B", "W", "L", "Q"}},
        {Dialect::riscv,
         "riscv",
         kColumns,
         {"@", "fence @,rw"},
         {"b"},
         {".aq", ".rl", ".aqrl", ".aq.rl", ".w", ".d", "i", "w"}},
    };
  }();
  return kAll;
}

std::string with(std::string_view text, std::string_view word) {
  const std::size_t at = text.find('@');
  return fmt::format("{}{}{}", text.substr(0, at), word, text.substr(at + 1));
}

std::string replaced(std::string text, std::string_view from, std::string_view to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size()) {
    text.replace(at, from.size(), to);
  }
  return text;
}

class Reader {
 public:
  explicit Reader(const Places& where) : where_(where) {
    for (std::string_view text : where.texts) unknown_.push_back(mistakes(text, kNobodys));
  }

  bool knows(std::size_t place, std::string_view word) const {
    const std::string said = mistakes(where_.texts[place], word);
    for (const char* refusal :
         {"unknown instruction", "unknown function", "unknown storage class", "unknown suffix", "unexpected suffix",
          "not supported", "not modelled", "declared in this function", "C11 has no", "OpenCL has no"}) {
      if (said.find(refusal) != std::string::npos) return false;
    }
    return said != replaced(unknown_[place], kNobodys, word);
  }

  bool knows(std::string_view word) const {
    for (std::size_t place = 0; place < where_.texts.size(); ++place) {
      if (knows(place, word)) return true;
    }
    return false;
  }

 private:
  static constexpr std::string_view kNobodys = "zzz";

  std::string mistakes(std::string_view text, std::string_view word) const {
    const Dialect dialect = where_.dialect == Dialect::linux_kernel ? Dialect::c11 : where_.dialect;
    const std::string test = std::string(base::name_of(kFirstWords, dialect)) + with(where_.frame, with(text, word));
    const auto tests = read_tests(base::Source("t", test));
    return tests ? std::string() : base::messages(tests.errors());
  }

  const Places& where_;
  std::vector<std::string> unknown_;
};

bool could_be_word(std::string_view text, Dialect dialect, std::size_t place) {
  const bool dots = dialect == Dialect::riscv && place == 0;
  const bool colons = dialect == Dialect::ptx && place > 0;
  const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
  return !text.empty() && letter(text.front()) && (letter(text.back()) || (text.back() >= '0' && text.back() <= '9')) &&
         std::all_of(text.begin(), text.end(), [&](char c) {
           return letter(c) || (c >= '0' && c <= '9') || (c == '.' && dots) || (c == ':' && colons);
         });
}

// Whether the text is not a word of the dialect, but means something in its texts.
bool means_something_else(std::string_view text, Dialect dialect) {
  text = text.substr(0, text.find('.'));
  const std::span<const Word> frame = frame_words();
  return std::any_of(frame.begin(), frame.end(), [&](const Word& word) { return word.text == text; }) ||
         base::value_of(kFirstWords, text) || (dialect == Dialect::canonical && text == "x2") ||
         (dialect == Dialect::riscv && text == "iw") || (dialect == Dialect::c11 && is_linux_word(text)) ||
         (dialect == Dialect::x86_64 && x86_64::register_named(text));
}

// Everything in quotes in the reader of a dialect and in the files that it shares with others.
std::set<std::string> quoted_words(std::string_view room) {
  const std::string module = (base::data_directory("src") / "judge" / "litmus").string() + "/";
  std::set<std::string> words;
  for (const char* ending : {".cpp", ".h"}) {
    const auto files = base::files_under(module, ending);
    EXPECT_TRUE(files.ok());
    for (const std::string& file : *files) {
      const std::string_view name = std::string_view(file).substr(module.size());
      const std::string_view its_room = name.substr(0, std::min(name.find('/'), name.size()));
      if (name.ends_with("_test.cpp") || (name.find('/') != name.npos && its_room != room && its_room != "text"))
        continue;
      const std::string text = *base::read_file(file);
      for (std::size_t at = 0; (at = text.find('"', at)) != std::string::npos;) {
        const std::size_t end = std::min(text.find_first_of("\"\n", at + 1), text.size());
        words.insert(text.substr(at + 1, end - at - 1));
        at = end + 1;
      }
    }
  }
  return words;
}

TEST(Words, ReadersKnowThem) {
  for (const Places& where : places()) {
    const Reader reader(where);
    for (const Word& word : words_of(where.dialect)) {
      const bool known = word.kind == Word::Kind::instruction ? reader.knows(0, word.text) : reader.knows(word.text);
      EXPECT_TRUE(known) << to_string(where.dialect) << " " << word.text;
      EXPECT_FALSE(word.meaning.empty()) << to_string(where.dialect) << " " << word.text;
    }
  }
}

TEST(Words, ReadersKnowNoOthers) {
  for (const Places& where : places()) {
    const std::set<std::string> quoted = quoted_words(where.room);
    ASSERT_GT(quoted.size(), 100u);
    std::set<std::string> joined;
    for (const std::string& word : quoted) {
      for (std::string_view before : where.before) joined.insert(std::string(before) + word);
      for (std::string_view after : where.after) joined.insert(word + std::string(after));
    }
    const Reader reader(where);
    auto check = [&](const std::string& word, std::size_t place) {
      if (!could_be_word(word, where.dialect, place) || means_something_else(word, where.dialect)) return;
      if (find_word(where.dialect, word) != nullptr) return;
      EXPECT_FALSE(reader.knows(place, word)) << to_string(where.dialect) << " " << with(where.texts[place], word);
    };
    for (std::size_t place = 0; place < where.texts.size(); ++place) {
      for (const std::string& word : quoted) check(word, place);
      if (place > 0 && where.dialect != Dialect::canonical && where.dialect != Dialect::vulkan) continue;
      for (const std::string& word : joined) check(word, place);
    }
  }
}

TEST(Words, EachIsThereOnce) {
  for (Dialect dialect : kDialects) {
    std::set<std::pair<std::string, Word::Kind>> seen;
    for (const Word& word : words_of(dialect)) {
      EXPECT_TRUE(seen.emplace(word.text, word.kind).second) << to_string(dialect) << " " << word.text;
    }
  }
}

// The manual lists the words of the canonical form, a paragraph for each kind.
TEST(Words, TheManualListsTheCanonicalOnes) {
  auto manual = base::read_file((base::data_directory("docs") / "litmus-format.md").string());
  ASSERT_TRUE(manual.ok());
  std::replace(manual->begin(), manual->end(), '\n', ' ');
  static constexpr std::string_view kTitles[] = {"instruction", "order", "scope", "suffix", "type"};
  for (std::size_t kind = 0; kind < std::size(kTitles); ++kind) {
    std::string paragraph = fmt::format("**{}**", kTitles[kind]);
    for (const Word& word : words_of(Dialect::canonical)) {
      if (static_cast<std::size_t>(word.kind) == kind) paragraph += fmt::format(" `{}`", word.text);
    }
    const std::size_t at = manual->find(paragraph + "  ");
    EXPECT_NE(at, std::string::npos) << "the section 'Words' lacks " << paragraph;
  }
}

}  // namespace
}  // namespace weakspot::litmus::words_test

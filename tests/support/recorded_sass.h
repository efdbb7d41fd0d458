// SPDX-License-Identifier: MIT
// Recorded machine code for sm_90, as ptxas 13.0 made it of our own tests (tests/data/sass): a listing whose comments
// are the lines of the PTX beside it.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "base/build_info.h"
#include "base/file.h"
#include "litmus/test.h"
#include "optcheck/gpu/check_sass.h"
#include "support/corpus_tests.h"

namespace weakspot::testing_support {

struct RecordedLine {
  std::string text;  // "STG.E desc[UR4][R2.64], R5"; with a colon: a label
  std::uint64_t at = 0;
  std::size_t line = 0;
};

struct Recording {
  litmus::LitmusTest test;
  std::string ptx;
  std::vector<RecordedLine> code;

  optcheck::CodeCheck check() const;
  std::vector<optcheck::LineRow> rows() const;

  // The number of the nth instruction with this beginning among those of the test's lines; fails the test if there is
  // none.
  std::size_t find(const std::string& mnemonic, std::size_t nth = 0) const;

  // Bytes of code.
  std::uint64_t size() const;
  // The code as nvdisasm prints it alone, from address `begin` on: there are no labels, and jumps lead to addresses.
  std::string raw(std::uint64_t begin) const;
};

inline optcheck::CodeCheck Recording::check() const {
  std::string listing = ".text.run:\n";
  for (const RecordedLine& one : code) {
    listing += one.text.ends_with(':') ? one.text + "\n" : fmt::format("/*{:04x}*/ {} ;\n", one.at, one.text);
  }
  const optcheck::SassListing whole{listing, "run", 0};
  const std::vector<optcheck::LineRow> lines = rows();
  return optcheck::check_sass(test, {ptx, &whole, &lines});
}

inline std::vector<optcheck::LineRow> Recording::rows() const {
  std::vector<optcheck::LineRow> rows;
  for (const RecordedLine& one : code) {
    if (!one.text.ends_with(':')) rows.push_back({one.at, one.line});
  }
  return rows;
}

inline std::size_t Recording::find(const std::string& mnemonic, std::size_t nth) const {
  std::size_t first = 0, last = 0, line = 0;
  for (std::size_t at = 0; at < ptx.size(); ++line) {
    const std::size_t end = std::min(ptx.find('\n', at), ptx.size());
    const std::string text = ptx.substr(at, end - at);
    if (text.find("// role") != std::string::npos && first == 0) first = line + 1;
    if (text.find("// end of role") != std::string::npos) last = line + 1;
    at = end + 1;
  }
  for (std::size_t i = 0; i < code.size(); ++i) {
    const std::size_t begin = code[i].text.find(mnemonic);
    if (begin == std::string::npos || code[i].line < first || code[i].line > last) continue;
    if (nth-- == 0) return i;
  }
  ADD_FAILURE() << "no " << mnemonic;
  return 0;
}

inline std::uint64_t Recording::size() const {
  std::uint64_t last = 0;
  for (const RecordedLine& one : code) last = std::max(last, one.at);
  return last + 16;
}

inline std::string Recording::raw(std::uint64_t begin) const {
  std::string listing;
  for (const RecordedLine& one : code) {
    if (one.text.ends_with(':')) continue;
    std::string text = one.text;
    if (const std::size_t label = text.find("`("); label != std::string::npos) {
      const std::string name = text.substr(label + 2, text.rfind(')') - label - 2) + ":";
      std::size_t i = 0;
      while (code[i].text != name) ++i;
      while (i < code.size() && code[i].text.ends_with(':')) ++i;
      text = text.substr(0, label) + fmt::format("{:#x}", begin + (i < code.size() ? code[i].at : size()));
    }
    listing += fmt::format("        /*{:04x}*/                   {} ;\n", one.at + begin, text);
  }
  return listing;
}

inline Recording recorded(const std::string& name) {
  Recording made;
  for (litmus::LitmusTest& test : corpus_tests()) {
    if (test.name == name) made.test = std::move(test);
  }
  const std::string file = std::string(base::kSourceDirectory) + "/tests/data/sass/" + name;
  made.ptx = *base::read_file(file + ".ptx");
  const std::string listing = *base::read_file(file + ".sass");
  for (std::size_t at = 0; at < listing.size();) {
    const std::size_t end = std::min(listing.find('\n', at), listing.size());
    const std::string line = listing.substr(at, end - at);
    at = end + 1;
    RecordedLine one;
    if (line.starts_with("/*")) {
      one.at = std::stoull(line.substr(2), nullptr, 16);
      const std::size_t begin = line.find("*/ ") + 3;
      one.text = line.substr(begin, line.find(" ;") - begin);
      one.line = std::stoull(line.substr(line.rfind("// ") + 3));
    } else if (line.starts_with(".L")) {
      one.text = line;
    } else {
      continue;
    }
    made.code.push_back(std::move(one));
  }
  return made;
}

}  // namespace weakspot::testing_support

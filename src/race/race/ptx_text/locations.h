// SPDX-License-Identifier: MIT
// The lines .loc and .file of a module, with the chain of calls that a place was inlined through.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "race/ptx_text.h"

namespace weakspot::race::ptx {

class Locations {
 public:
  explicit Locations(Module& module) : module_(module) {}

  // `called_from` is an index that add() gave, or kNone. `function` is a label in the debug strings.
  std::size_t add(unsigned file, unsigned line, unsigned column, std::string function, std::size_t called_from);
  // The place that .loc named last with these numbers; a new one if there is none.
  std::size_t find(unsigned file, unsigned line, unsigned column);
  // The chain that Triton writes into a comment: "standard.py:170:27 @[ standard.py:191:40 @[ kernels.py:33:15 ] ]".
  // Gives the place in front of the first "@[", kNone if the comment is not of that form.
  std::size_t add_comment(unsigned file, unsigned line, unsigned column, std::string_view comment);
  void add_string(std::string label, std::string text) { strings_[std::move(label)] = std::move(text); }

  // The numbers of files that only comments name, and the names of functions, which the end of the text has.
  void finish();

 private:
  struct Frame {
    std::string file;
    unsigned line = 0, column = 0;
  };
  static std::vector<Frame> frames_of(std::string_view comment);

  Module& module_;
  std::map<std::tuple<unsigned, unsigned, unsigned>, std::size_t> latest_;
  std::map<std::pair<std::size_t, std::string>, std::size_t> by_comment_;
  std::map<std::size_t, std::string> named_files_;  // of locations whose file has no number yet
  std::map<std::string, std::string> strings_;
};

}  // namespace weakspot::race::ptx

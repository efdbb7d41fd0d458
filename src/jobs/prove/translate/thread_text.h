// SPDX-License-Identifier: MIT
// A thread of the residue in the canonical form of litmus tests, an instruction in each line.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "residual/residual.h"

namespace weakspot::prove {

struct TestLocation {
  std::string name, word;  // in the source, in the test
  unsigned size = 4;       // bytes
  std::uint64_t initial = 0;
  bool initialised = true;             // else `initial` is unset_pattern()
  std::optional<std::uint64_t> block;  // whose shared memory it is
};
struct TestPlace {
  std::size_t location = 0;
  std::uint64_t offset = 0;  // bytes
};
using TestPlaces = std::map<std::pair<std::uint64_t, std::uint8_t>, TestPlace>;  // by address and size

struct TextLine {
  std::string text;
  std::size_t instruction = 0;  // of the residue, or Translation::kNoInstruction
};

struct ThreadText {
  std::string problem;  // what has no form in the language; else empty
  std::uint32_t problem_place = 0;
  std::vector<TextLine> lines;
  std::map<std::string, std::string> registers;  // and their types
  std::vector<std::size_t> stops;                // reasons for which the register `stop` is set, to the number plus 1
  bool checks_unset = false;                     // the register `unset` becomes 1 if memory is read that was never set
  std::uint32_t unset_place = 0;
};

// Memory that was never set holds this: a thread that reads it is told.
std::uint64_t unset_pattern(unsigned size);
// "s32"
std::string type_word(unsigned size, bool is_signed);
// The bits as a signed number of so many bytes.
std::int64_t as_number(std::uint64_t bits, unsigned size);

ThreadText thread_text(const residual::Thread& thread, const std::vector<TestLocation>& locations,
                       const TestPlaces& places);

}  // namespace weakspot::prove

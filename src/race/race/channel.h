// SPDX-License-Identifier: MIT
// The channel on which weakspot-race tells 'weakspot race' what it found: records, each with a kind and a text. It is a
// pipe of its own that the checked program does not have.
//
// `running` comes when everything is compiled; `findings` is a report of what was found so far and may come any number
// of times, as may `progress`, a line for people; `report` is the last record. Without it a run is incomplete.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace weakspot::race {

enum class RecordKind : std::uint8_t { running, findings, progress, report };

// What the program under test reads as its standard input, if there is anything: the descriptor in weakspot-race.
inline constexpr int kInputDescriptor = 9;
// The descriptor of the channel in weakspot-race.
inline constexpr int kChannelDescriptor = 3;

struct Record {
  RecordKind kind = RecordKind::running;
  std::string text;
};

std::string to_bytes(const Record& record);

// Puts records together from the pieces in which a pipe hands them over.
class RecordReader {
 public:
  void add(std::string_view bytes) { bytes_ += bytes; }
  // The next whole record.
  std::optional<Record> next();
  // Whether the bytes are not those of records; there is no next one then.
  bool failed() const { return failed_; }

 private:
  std::string bytes_;
  bool failed_ = false;
};

}  // namespace weakspot::race

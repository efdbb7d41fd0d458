// SPDX-License-Identifier: MIT
// The channel on which weakspot-race tells 'weakspot race' what it found: records, each with a kind and a text. It is a
// pipe of its own that the checked program does not have.
//
// `running` comes when everything is compiled; `findings` is a report of what was found so far and may come any number
// of times, as may `progress`, a line for people; `values` is an array after a launch, its name in the first line and a
// .npy file behind it; `file` is one of a capture, likewise; `report` is the last record, or
// `residual` where that was asked for. Without it a run is incomplete.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace weakspot::race {

enum class RecordKind : std::uint8_t { running, findings, progress, values, file, report, residual };

// The words that weakspot-race is started with instead of options. `kAnswer` and a folder for its files: a request
// comes on standard input and the answer goes into the channel. `kServe`: a program that weakspot-nvcc built runs
// beside it.
inline constexpr const char* kAnswer = "--answer";
inline constexpr const char* kServe = "--serve";

// The variable with the number of the descriptor through which a program that 'weakspot race' started asks for a
// checker beside it: a message with the three descriptors that such a checker has.
inline constexpr const char* kDoorVariable = "WEAKSPOT_RACE_DOOR";

// The descriptor in weakspot-race from which the program under test reads its standard input, if there is any.
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
  // True if the bytes are not records; there is no next record then.
  bool failed() const { return failed_; }

 private:
  std::string bytes_;
  bool failed_ = false;
};

}  // namespace weakspot::race

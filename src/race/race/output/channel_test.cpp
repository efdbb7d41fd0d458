// SPDX-License-Identifier: MIT
#include "race/channel.h"

#include <gtest/gtest.h>

namespace weakspot::race {
namespace {

TEST(Channel, RecordsComeThroughInAnyPieces) {
  const std::string bytes = to_bytes({RecordKind::running, ""}) + to_bytes({RecordKind::findings, "a\nb 3\n"}) +
                            to_bytes({RecordKind::progress, "run 3"}) + to_bytes({RecordKind::values, "a\nb"}) +
                            to_bytes({RecordKind::file, "c\nd"}) + to_bytes({RecordKind::report, "{}"});
  for (const std::size_t piece : {std::size_t{1}, std::size_t{7}, bytes.size()}) {
    RecordReader reader;
    std::string seen;
    for (std::size_t at = 0; at < bytes.size(); at += piece) {
      reader.add(std::string_view(bytes).substr(at, piece));
      while (const std::optional<Record> record = reader.next()) {
        seen += std::to_string(static_cast<int>(record->kind)) + "[" + record->text + "]";
      }
    }
    EXPECT_EQ(seen, "0[]1[a\nb 3\n]2[run 3]3[a\nb]4[c\nd]5[{}]") << piece;
    EXPECT_FALSE(reader.failed());
  }
}

TEST(Channel, OtherBytesAreRefused) {
  for (const char* bytes : {"nothing 3\nabc", "report\n", "report 3x\nabc", "report -3\n", "report 99999999999\n",
                            "{\"findings\": [], \"kernels\": [], \"not_modelled\": [], \"output\": \"\"}"}) {
    RecordReader reader;
    reader.add(bytes);
    EXPECT_FALSE(reader.next().has_value()) << bytes;
    EXPECT_TRUE(reader.failed()) << bytes;
  }
}

TEST(Channel, HalfARecordIsNone) {
  RecordReader reader;
  reader.add("report 5\nabc");
  EXPECT_FALSE(reader.next().has_value());
  EXPECT_FALSE(reader.failed());
}

}  // namespace
}  // namespace weakspot::race

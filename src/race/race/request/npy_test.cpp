// SPDX-License-Identifier: MIT
#include "race/npy.h"

#include <gtest/gtest.h>

namespace weakspot::race::npy_test {
namespace {

std::string file_with(const std::string& header, const std::string& bytes) {
  std::string text = "\x93NUMPY";
  text += '\x01';
  text += '\0';
  text += static_cast<char>(header.size());
  text += '\0';
  return text + header + bytes;
}

std::string problem(const std::string& text) {
  const base::Result<NpyArray> read = read_npy(text, "a.npy");
  return read.ok() ? "" : read.errors().front().message;
}

TEST(Npy, IsReadAsItWasWritten) {
  const std::string bytes("\1\0\0\0\2\0\0\0", 8);
  const std::string text = npy_text("int", 4, bytes);
  EXPECT_EQ(text.size(), 64u * ((text.size() - bytes.size()) / 64) + bytes.size());
  const base::Result<NpyArray> read = read_npy(text, "a.npy");
  ASSERT_TRUE(read.ok()) << base::render(read.errors());
  EXPECT_EQ(read->type, "int");
  EXPECT_EQ(read->count, 2u);
  EXPECT_EQ(read->bytes, bytes);
}

TEST(Npy, ShapesAreCounted) {
  for (const auto& [shape, count] : {std::pair("(2, 3)", 6u), {"(6,)", 6u}, {"()", 1u}, {"(3, 0)", 0u}}) {
    const std::string header = std::string("{'descr': '|u1', 'fortran_order': False, 'shape': ") + shape + ", }\n";
    const base::Result<NpyArray> read = read_npy(file_with(header, std::string(count, 'x')), "a.npy");
    ASSERT_TRUE(read.ok()) << base::render(read.errors());
    EXPECT_EQ(read->count, count) << shape;
    EXPECT_EQ(read->type, "unsigned char");
  }
}

TEST(Npy, TypesWithoutANameAreNumbers) {
  EXPECT_EQ(read_npy(npy_text("__nv_bfloat16", 2, "abcd"), "a.npy")->type, "unsigned short");
  EXPECT_EQ(read_npy(npy_text("Row", 12, std::string(24, 'x')), "a.npy")->count, 24u);
}

TEST(Npy, OtherFilesAreRefused) {
  EXPECT_NE(problem("").find("begins in another way"), std::string::npos);
  EXPECT_NE(problem("PK\3\4").find("begins in another way"), std::string::npos);
  EXPECT_NE(problem(npy_text("int", 4, "abcd").substr(0, 20)).find("ends within its header"), std::string::npos);
  EXPECT_NE(problem(npy_text("int", 4, "abcd") + "e").find("1 elements need 4 bytes, and 5 follow"), std::string::npos);
  const auto with = [](const std::string& descr, const std::string& order, const std::string& shape) {
    return problem(
        file_with("{'descr': " + descr + ", 'fortran_order': " + order + ", 'shape': " + shape + ", }\n", "abcd"));
  };
  EXPECT_EQ(with("'<i4'", "False", "(1,)"), "");
  EXPECT_NE(with("'>i4'", "False", "(1,)").find("elements of type '>i4' are not known"), std::string::npos);
  EXPECT_NE(with("'<c8'", "False", "(1,)").find("not known"), std::string::npos);
  EXPECT_NE(with("'<i4'", "True", "(1,)").find("fortran_order"), std::string::npos);
  EXPECT_NE(with("'<i4'", "False", "(x,)").find("not a list of sizes"), std::string::npos);
  EXPECT_NE(with("'<i4'", "False", "(99999999999, 99999999999)").find("not a list of sizes"), std::string::npos);
}

}  // namespace
}  // namespace weakspot::race::npy_test

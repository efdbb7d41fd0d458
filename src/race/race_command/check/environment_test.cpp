// SPDX-License-Identifier: MIT
#include "race_command/check/environment.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

namespace weakspot::race_command::environment_test {
namespace {

bool has(const std::vector<std::string>& all, const std::string& entry) {
  return std::find(all.begin(), all.end(), entry) != all.end();
}

TEST(Environment, SecretsStayOutside) {
  for (const auto& [name, value] :
       {std::pair("WEAKSPOT_TOKEN", "secret"), std::pair("OMP_NUM_THREADS", "2"), std::pair("LC_ALL", "C"),
        std::pair("TZ_TOKEN", "secret"), std::pair("ASKED_FOR", "yes"), std::pair("CUDA_VISIBLE_DEVICES", "1")}) {
    ::setenv(name, value, 1);
  }
  const auto clean = environment_of_program({"ASKED_FOR", "MADE_UP=a=b", "NOT_SET", "CUDA_VISIBLE_DEVICES=0"}, false);
  for (const char* entry :
       {"OMP_NUM_THREADS=2", "LC_ALL=C", "ASKED_FOR=yes", "MADE_UP=a=b", "CUDA_VISIBLE_DEVICES=0"}) {
    EXPECT_TRUE(has(clean, entry)) << entry;
  }
  EXPECT_FALSE(has(clean, "CUDA_VISIBLE_DEVICES=1"));
  for (const std::string& entry : clean) EXPECT_EQ(std::string::npos, entry.find("secret")) << entry;
  EXPECT_TRUE(has(environment_of_program({}, true), "WEAKSPOT_TOKEN=secret"));
}

}  // namespace
}  // namespace weakspot::race_command::environment_test

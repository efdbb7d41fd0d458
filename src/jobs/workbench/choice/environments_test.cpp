// SPDX-License-Identifier: MIT
#include "workbench/environments.h"

#include <gtest/gtest.h>

#include "base/file.h"
#include "base/source.h"
#include "codegen/sweep.h"
#include "json/json.h"
#include "system/temporary_folder.h"

namespace weakspot::workbench::environments_test {
namespace {

codegen::TestEnvironment environment(const std::string& text) {
  const auto read = codegen::parse_environment(base::Source("test", text));
  EXPECT_TRUE(read.ok()) << text;
  return *read;
}

backend::DeviceInfo gpu() {
  backend::DeviceInfo info;
  info.environment = "stress";
  return info;
}

class EnvironmentFiles : public testing::Test {
 protected:
  std::string file(const std::string& text) {
    const std::string path = (folder_.path() / "file").string();
    EXPECT_TRUE(base::write_file(path, text).ok());
    return path;
  }

 private:
  base::TemporaryFolder folder_;
};

TEST(Environments, TheSweepIsForTheKindOfDevice) {
  EXPECT_EQ(sweep_for(gpu()), codegen::default_sweep(codegen::SweepFor::gpu));
  backend::DeviceInfo info = gpu();
  info.is_host = true;
  EXPECT_EQ(sweep_for(info), codegen::default_sweep(codegen::SweepFor::host_driver));
  info.target = codegen::Target::cpu;
  EXPECT_EQ(sweep_for(info), codegen::default_sweep(codegen::SweepFor::cpu));
  info.target = codegen::Target::mixed;
  EXPECT_EQ(sweep_for(info), codegen::default_sweep(codegen::SweepFor::mixed));
}

TEST(Environments, WithoutANameTheDevicesOwn) {
  const auto chosen = choose_environments({}, gpu());
  ASSERT_TRUE(chosen.ok());
  EXPECT_EQ(*chosen, Environments{environment("stress")});
}

TEST(Environments, NamesGoOneAfterTheOther) {
  const auto chosen = choose_environments({"sweep", "basic,workgroup_size=32"}, gpu());
  ASSERT_TRUE(chosen.ok());
  EXPECT_EQ(chosen->size(), sweep_for(gpu()).size() + 1);
  EXPECT_EQ(chosen->back(), environment("workgroup_size=32"));
}

TEST(Environments, IncantationsAreTheRowsOfThePaper) {
  const auto chosen = choose_environments({"incantations"}, gpu());
  ASSERT_TRUE(chosen.ok());
  ASSERT_EQ(chosen->size(), 24u);  // each row with bank conflicts has two strides
  EXPECT_EQ(chosen->front(),
            environment("mode=site,testing_workgroups=2,workgroup_size=32,barrier=none,iterations=16384"));
  EXPECT_EQ(chosen->back(),
            environment("mode=pte,assignment=one,testing_workgroups=2,workgroup_size=32,barrier=partner,"
                        "iterations=2048,memory_stress_percent=100,shuffle_percent=100,memory_stride=1"));
}

TEST(Environments, AMistakeIsBadInput) {
  const auto chosen = choose_environments({"no-such"}, gpu());
  ASSERT_FALSE(chosen.ok());
  EXPECT_EQ(base::kind_of(chosen.errors()), base::ErrorKind::bad_input);
  EXPECT_EQ(chosen.errors().front().file, "environment");
}

TEST_F(EnvironmentFiles, HoldOneAsTextOrJson) {
  const codegen::TestEnvironment wanted = environment("workgroup_size=32");
  const auto text = read_environments(file("workgroup_size=32"), gpu());
  ASSERT_TRUE(text.ok()) << base::render(text.errors());
  EXPECT_EQ(*text, Environments{wanted});
  const auto json = read_environments(file(base::json_compact(codegen::to_json(wanted))), gpu());
  ASSERT_TRUE(json.ok()) << base::render(json.errors());
  EXPECT_EQ(*json, Environments{wanted});
}

TEST_F(EnvironmentFiles, HoldManyInLines) {
  const auto read = read_environments(file("# two\nworkgroup_size=32\n\nstress\n"), gpu());
  ASSERT_TRUE(read.ok()) << base::render(read.errors());
  EXPECT_EQ(*read, (Environments{environment("workgroup_size=32"), environment("stress")}));
  const auto wrong = read_environments(file("stress\n\nno-such\n"), gpu());
  ASSERT_FALSE(wrong.ok());
  EXPECT_NE(base::render(wrong.errors()).find(":3:1: error: "), std::string::npos) << base::render(wrong.errors());
}

TEST_F(EnvironmentFiles, OfTuneSuitesAndLines) {
  const Environments wanted = {environment("stress"), environment("workgroup_size=32")};
  for (const char* text : {R"({"environments": ["stress", "workgroup_size=32", "stress"]})",
                           R"({"tests": [{"environment": "stress"}, {}, {"environment": "workgroup_size=32"}]})",
                           "# two\nstress\n\nworkgroup_size=32\n"}) {
    const auto read = load_environments({file(text), "stress"}, {});
    ASSERT_TRUE(read.ok()) << text << base::render(read.errors());
    EXPECT_EQ(*read, wanted) << text;
  }
}

TEST_F(EnvironmentFiles, WithoutEnvironmentsAreErrors) {
  for (const char* text : {"{}", "# nothing\n", R"({"environments": [1]})"}) {
    EXPECT_FALSE(load_environments({file(text)}, {}).ok()) << text;
  }
}

TEST(Environments, TheSweepHasAName) {
  const Environments sweep = {environment("stress")};
  const auto read = load_environments({"sweep", "basic", "sweep"}, sweep);
  ASSERT_TRUE(read.ok());
  EXPECT_EQ(*read, (Environments{environment("stress"), environment("basic")}));
}

}  // namespace
}  // namespace weakspot::workbench::environments_test

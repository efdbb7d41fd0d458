// SPDX-License-Identifier: MIT
#include "model/properties.h"

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "model/foreign_words.h"
#include "model/judge.h"
#include "model/library.h"
#include "support/read_one.h"

namespace weakspot::model::properties_test {
namespace {

base::Result<Model> compile(const std::string& text) {
  return Model::compile(base::Source("m.cat", text), [](std::string_view name) -> base::Result<base::Source> {
    if (name == "amd.cat") return base::Source("amd.cat", "(* @properties cpus, vocabulary=amdgpu *)\nacyclic po\n");
    return base::error("there is no such file");
  });
}

std::string mistakes_of(const std::string& comment) {
  const base::Result<Model> model = compile("\"M\"\n" + comment + "\nacyclic po\n");
  return model ? "" : base::render(model.errors());
}

// Relaxed atomics of one location, in all ways for which some machine is not coherent.
std::vector<litmus::LitmusTest> one_location() {
  std::vector<litmus::LitmusTest> tests;
  for (const char* body : {
           " P0 | P1 ;\n st.rlx.sys x, 1 | ld.rlx.sys r0, x ;\n | ld.rlx.sys r1, x ;\nexists (1:r0=1 /\\ 1:r1=0)\n",
           " P0 | P1 ;\n st.rlx.sys x, 1 | st.rlx.sys x, 2 ;\n ld.rlx.sys r0, x | ld.rlx.sys r0, x ;\n"
           "exists (0:r0=2 /\\ 1:r0=1)\n",
           " P0 | P1 ;\n ld.rlx.sys r0, x | st.rlx.sys x, 2 ;\n st.rlx.sys x, 1 | ;\nexists (0:r0=2 /\\ x=2)\n",
           " P0 ;\n st.rlx.sys x, 1 ;\n st.rlx.sys x, 2 ;\nexists (x=1)\n",
           " P0 | P1 | P2 | P3 ;\n st.rlx.sys x, 1 | st.rlx.sys x, 2 | ld.rlx.sys r0, x | ld.rlx.sys r0, x ;\n"
           " | | ld.rlx.sys r1, x | ld.rlx.sys r1, x ;\n"
           "exists (2:r0=1 /\\ 2:r1=2 /\\ 3:r0=2 /\\ 3:r1=1)\n",
       }) {
    tests.push_back(tests::read_one(std::string("weakspot T\n") + body));
  }
  return tests;
}

TEST(Properties, CoherentModelsAndNoOthersInterleaveOneLocation) {
  const Model sc = *load_model("sc");
  for (const std::string_view name : built_in_models()) {
    const Model model = *load_model(std::string(name));
    bool interleaves = true;
    for (const litmus::LitmusTest& test : one_location()) {
      ASSERT_FALSE(foreign_word(model, test)) << name;
      // whole-threads is stronger.
      for (const litmus::Outcome& outcome : judge(test, model).outcomes) {
        interleaves = interleaves && judge(test, sc).outcomes.contains(outcome);
      }
    }
    EXPECT_EQ(interleaves, model.properties().coherent) << name;
  }
}

TEST(Properties, AreThoseOfTheFileAndOfWhatItIncludes) {
  const ModelProperties nothing;
  EXPECT_EQ(compile("\"M\"\nacyclic po\n")->properties(), nothing);
  const Model model = *compile("\"M\"\n(* @properties scopes,\n  coherent *)\n(* About. *)\ninclude \"amd.cat\"\n");
  const ModelProperties expected{.coherent = true, .scopes = true, .cpus = true, .vocabulary = Vocabulary::amdgpu};
  EXPECT_EQ(model.properties(), expected);
  EXPECT_EQ(model.description(), "About.");
  EXPECT_EQ(compile("\"M\"\n# @properties vocabulary=wgsl\ninclude \"amd.cat\"\n")->properties().vocabulary,
            Vocabulary::wgsl);
  EXPECT_TRUE(load_model("ptx-strong")->properties().asynchronous);
  EXPECT_TRUE(load_model("whole-threads")->properties().unlisted);
  EXPECT_FALSE(load_model("ptx-2015")->properties().asynchronous);
  // A model whose coherence is partial knows scopes.
  EXPECT_TRUE(compile("\"M\"\nwith co from generate_partial_cos(co0)\nacyclic co\n")->properties().scopes);
}

TEST(Properties, ModelsAreGroupedByWhoseMemoryTheyDescribe) {
  std::map<Family, std::vector<std::string>> families;
  const auto entries = list_models();
  for (const ModelEntry& entry : *entries) families[entry.family].push_back(entry.name);
  EXPECT_EQ(families[Family::general], std::vector<std::string>({"sc", "sc-per-loc", "rel-acq"}));
  EXPECT_EQ(families[Family::processors], std::vector<std::string>({"tso", "rmo", "aarch64", "riscv"}));
  EXPECT_EQ(families[Family::languages], std::vector<std::string>({"c11", "c11-2011", "cpp20", "linux-kernel"}));
  EXPECT_EQ(families[Family::gpus].size(), 10u);
}

TEST(Properties, AWrongDeclarationIsAnError) {
  EXPECT_EQ(mistakes_of("(* @properties coherent, scoped *)"),
            "m.cat:2:26: error: expected a property: coherent, scopes, asynchronous, cpus or unlisted, "
            "vocabulary=... or of=...; found 'scoped'\n (* @properties coherent, scoped *)\n                          "
            "^~~~~~\n");
  EXPECT_EQ(mistakes_of("(* @properties vocabulary=amd *)"),
            "m.cat:2:16: error: expected the vocabulary rel-acq, amdgpu or wgsl; found 'amd'\n"
            " (* @properties vocabulary=amd *)\n                ^~~~~~~~~~~~~~\n");
  EXPECT_EQ(
      mistakes_of("(* @properties vocabulary=wgsl, vocabulary=amdgpu *)"),
      "m.cat:2:33: error: a model has one vocabulary\n"
      " (* @properties vocabulary=wgsl, vocabulary=amdgpu *)\n                                 ^~~~~~~~~~~~~~~~~\n");
  EXPECT_EQ(mistakes_of("(* @properties of=cpus *)"),
            "m.cat:2:16: error: expected the family processors, languages or gpus; found 'cpus'\n"
            " (* @properties of=cpus *)\n                ^~~~~~~\n");
  EXPECT_EQ(mistakes_of("(* @property coherent *)"),
            "m.cat:2:4: error: expected @properties\n (* @property coherent *)\n    ^~~~~~~~~\n");
  EXPECT_EQ(mistakes_of("(* @properties *)"),
            "m.cat:2:4: error: expected a property: coherent, scopes, asynchronous, cpus or unlisted, "
            "vocabulary=... or of=...; found ''\n (* @properties *)\n    ^~~~~~~~~~~\n");
  EXPECT_EQ(mistakes_of("(* @author somebody *)"), "");
}

}  // namespace
}  // namespace weakspot::model::properties_test

// SPDX-License-Identifier: MIT
#include "core/answer.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "base/file.h"
#include "base/source.h"
#include "json/json.h"

namespace weakspot::core::answer_test {
namespace {

using Json = base::JsonValue;

constexpr const char* kMp =
    "weakspot MP\n P0 | P1 ;\n st x, 1 | ld r0, y ;\n st y, 1 | ld r1, x ;\nexists (1:r0=1 /\\ 1:r1=0)\n";

Json parsed(const std::string& text) {
  const base::Result<Json> json = base::read_json_text(base::Source("reply", text));
  EXPECT_TRUE(json.ok()) << text;
  return json ? *json : Json();
}

// The reply to a request; all of them to one core, as a page has it.
Json reply(std::string_view what, std::vector<base::JsonMember> fields = {}) {
  static Core core;
  Json request = base::json_object({{"do", what}});
  for (base::JsonMember& field : fields) request[field.key] = std::move(field.value);
  return parsed(core.answer_text(base::json_compact(request)));
}

Json result(std::string_view what, std::vector<base::JsonMember> fields = {}) {
  const Json json = reply(what, std::move(fields));
  EXPECT_NE(json.find("ok"), nullptr) << base::json_compact(json);
  return json.at("ok");
}

std::string first_error(const Json& json) { return json.at("errors").at(0).at("message").text(); }

TEST(Answer, RefusesWhatIsNotARequest) {
  Core core;
  for (const char* text : {"", "{", "[]", "{}", R"({"do":1})", R"({"do":"chek"})"}) {
    EXPECT_FALSE(parsed(core.answer_text(text)).at("errors").items().empty()) << text;
  }
  EXPECT_EQ(first_error(reply("chek")), "the core cannot do 'chek'; did you mean 'check'?");
  EXPECT_FALSE(reply("version", {{"unheard", 1}}).at("errors").items().empty());
}

TEST(Answer, MistakesInATestHavePlaces) {
  const Json error = reply("read", {{"text", "weakspot T\n P0 ;\n st q ;\nexists (x=1)\n"}}).at("errors").at(0);
  EXPECT_EQ(error.at("file").text(), "test");
  EXPECT_EQ(error.at("line").whole(), 3u);
  EXPECT_EQ(error.at("text").text(), " st q ;");
  EXPECT_TRUE(error.at("caret").whole().has_value());
}

TEST(Answer, ReadsATest) {
  const Json test = result("read", {{"text", kMp}}).at(0);
  EXPECT_EQ(test.at("test").text(), "MP");
  EXPECT_EQ(test.at("dialect").text(), "weakspot");
  EXPECT_EQ(test.at("model").text(), "rel-acq");
  EXPECT_EQ(test.at("columns").at(1).at(0).text(), "ld r0, y");
  EXPECT_EQ(test.at("initially").text(), "x = 0, y = 0");
  EXPECT_EQ(test.at("scopes").text(), "");
  const Json placed = result("read", {{"text",
                                       "weakspot T\n P0 | P1 ;\n st x, 1 | ld r0, x ;\nscopes (wg P0 P1)\n"
                                       "exists (1:r0=1)\n"}});
  EXPECT_EQ(placed.at(0).at("scopes").text(), "scopes (wg P0 P1)");
  EXPECT_EQ(test.at("json").at("testName").text(), "MP");
}

TEST(Answer, ChecksByAllModels) {
  const Json checked = result("check", {{"text", kMp}, {"models", "all"}, {"explain", true}, {"picture", true}});
  EXPECT_GT(checked.at("verdicts").items().size(), 10u);
  const Json& sc = checked.at("verdicts").at(0);
  EXPECT_EQ(sc.at("model").text(), "sc");
  EXPECT_EQ(sc.at("verdict").text(), "forbidden");
  EXPECT_EQ(sc.at("outcomes").items().size(), 3u);
  EXPECT_TRUE(sc.at("satisfying").items().empty());
  EXPECT_NE(sc.at("explanation").text(), "");
  EXPECT_TRUE(sc.at("svg").text().starts_with("<svg"));
  EXPECT_TRUE(sc.at("steps").items().empty()) << "what is forbidden has no story";
}

TEST(Answer, TellsAnyAllowedOutcome) {
  const auto told = [](const std::string& outcome) {
    return result("check", {{"text", kMp}, {"models", "ptx"}, {"picture", true}, {"outcome", outcome}})
        .at("verdicts")
        .at(0);
  };
  const Json weak = told("1:r0=1; 1:r1=0;");
  EXPECT_EQ(weak.at("verdict").text(), "allowed");
  EXPECT_EQ(weak.at("steps").items().size(), 4u);
  EXPECT_EQ(weak.at("steps").at(3).at("letter").text(), "d");
  EXPECT_EQ(weak.at("steps").at(3).at("remarkable").truth(), true);
  EXPECT_EQ(weak.at("arrows").at(0).items().size(), 2u);
  const Json plain = told("1:r0=0; 1:r1=0;");
  for (const Json& step : plain.at("steps").items()) EXPECT_EQ(step.at("remarkable").truth(), false);
  EXPECT_EQ(first_error(reply("check", {{"text", kMp}, {"models", "sc"}, {"outcome", "1:r0=1; 1:r1=0;"}})),
            "sc is not known to allow the outcome '1:r0=1; 1:r1=0;' of MP");
}

TEST(Answer, AModelThatLacksAWordIsNoFailureOfTheOthers) {
  const Json checked = result(
      "check", {{"text",
                 "weakspot SB\n P0 | P1 ;\n st x, 1 | st y, 1 ;\n fence.sc | fence.sc ;\n ld r0, y | ld r0, x ;\n"
                 "exists (0:r0=0 /\\ 1:r0=0)\n"},
                {"models", std::vector<Json>{"rel-acq", "ptx"}}});
  EXPECT_EQ(checked.at("refused").at(0).at("model").text(), "rel-acq");
  EXPECT_EQ(checked.at("refused").at(0).at("line").whole(), 4u);
  EXPECT_EQ(checked.at("verdicts").at(0).at("verdict").text(), "forbidden");
}

TEST(Answer, GivesTheTextOfAModel) {
  const std::string text(result("model", {{"name", "tso"}}).at("text").text());
  EXPECT_TRUE(text.starts_with("\"x86-TSO\"")) << text.substr(0, 80);
  // It can be asked in turn, with what it includes.
  const Json asked =
      result("check", {{"text", kMp}, {"models", "own.cat"}, {"cat", base::json_object({{"own.cat", text}})}});
  EXPECT_EQ(asked.at("verdicts").at(0).at("verdict").text(), "forbidden");
  EXPECT_EQ(first_error(reply("model", {{"name", "tos"}})), "there is no model 'tos'");
}

TEST(Answer, AModelOfTheUsersOwn) {
  const Json checked =
      result("check", {{"text", kMp},
                       {"models", "mine.cat"},
                       {"cat", base::json_object({{"mine.cat", "\"mine\"\nacyclic po | rf | co | fr as all\n"}})}});
  EXPECT_EQ(checked.at("verdicts").at(0).at("verdict").text(), "forbidden");
}

TEST(Answer, LimitsEndARunawayTest) {
  std::string text = "weakspot Many\n";
  std::string cells;
  for (int i = 0; i < 8; ++i) text += (i == 0 ? " P" : " | P") + std::to_string(i);
  text += " ;\n";
  for (int row = 0; row < 3; ++row) {
    for (int i = 0; i < 8; ++i) text += (i == 0 ? " st x, " : " | st x, ") + std::to_string(8 * row + i + 1);
    text += " ;\n";
  }
  text += "exists (x=99)\n";
  for (const auto& [limit, why] : {std::pair("seconds", "gave up after 50 ms"), {"candidates", "10 candidate"}}) {
    const Json value = std::string_view(limit) == "seconds" ? Json(0.05) : Json(10);
    const Json checked =
        result("check", {{"text", text}, {"models", "sc"}, {"limits", base::json_object({{limit, value}})}});
    const Json& verdict = checked.at("verdicts").at(0);
    EXPECT_EQ(verdict.at("verdict").text(), "unknown") << base::json_compact(verdict);
    EXPECT_NE(verdict.at("reason").text().find(why), std::string::npos) << verdict.at("reason").text();
  }
}

TEST(Answer, FindsWhatForbidsAnOutcome) {
  const Json found = result("fences", {{"text", kMp}, {"models", "rel-acq"}}).at("fences").at(0);
  EXPECT_TRUE(found.at("complete").truth());
  ASSERT_FALSE(found.at("ways").items().empty());
  const std::string stronger = found.at("ways").at(0).at("litmus").text();
  EXPECT_EQ(result("check", {{"text", stronger}, {"models", "rel-acq"}}).at("verdicts").at(0).at("verdict").text(),
            "forbidden");
}

TEST(Answer, ConvertsToWhatADialectCanExpress) {
  const Json converted = result("convert", {{"text", kMp}, {"to", "all"}});
  EXPECT_EQ(converted.at("tests").items().size() + converted.at("left_out").items().size(), 11u);
  EXPECT_FALSE(reply("convert", {{"text", kMp}, {"to", "latin"}}).at("errors").items().empty());
}

TEST(Answer, MakesTests) {
  EXPECT_FALSE(result("mutate", {{"text", kMp}, {"keep_forbidden", true}}).at("tests").items().empty());
  EXPECT_EQ(result("gen", {{"cycles", "Rfe PodRR Fre PodWW"}}).at("tests").at(0).at("test").text(), "MP");
  const Json settings = base::json_object({{"edges", "Rfe Fre Coe Pod**"}, {"threads", "2"}});
  EXPECT_EQ(result("gen", {{"settings", settings}, {"limit", 3}}).at("tests").items().size(), 3u);
  EXPECT_EQ(result("suite", {{"name", "mc-mutants"}, {"limit", 5}}).at("tests").items().size(), 5u);
  EXPECT_FALSE(result("suites").items().empty());
  EXPECT_FALSE(result("mutators").items().empty());
}

TEST(Answer, KnowsEnvironments) {
  const Json known = result("environments");
  EXPECT_GT(known.at("parameters").items().size(), 20u);
  EXPECT_EQ(known.at("presets").at(0).at("name").text(), "basic");
  const Json one = result("environment", {{"environment", "stress,workgroup_size=32"}});
  EXPECT_EQ(one.at("environment").at("workgroup_size").whole(), 32u);
  EXPECT_EQ(result("environment", {{"environment", one.at("environment")}}), one);
  EXPECT_FALSE(reply("environment", {{"environment", "workgroup_sise=32"}}).at("errors").items().empty());
  const Json drawn = result("draw_environments", {{"seed", 7}, {"count", 4}});
  EXPECT_EQ(result("draw_environments", {{"seed", 7}, {"from", 3}, {"count", 1}}).at(0), drawn.at(3));
}

TEST(Answer, EmitsCode) {
  for (const char* target : {"wgsl", "ptx", "opencl", "spirv-asm", "cpu"}) {
    EXPECT_FALSE(result("emit", {{"text", kMp}, {"target", target}}).at(0).at("text").text().empty()) << target;
  }
}

TEST(Answer, ClassifiesOutcomesAndRates) {
  const Json classes = result("classify", {{"text", kMp}, {"target", "wgsl"}}).at(0);
  EXPECT_EQ(classes.at("model").text(), "webgpu");
  EXPECT_EQ(classes.at("otherwise").text(), "forbidden");
  ASSERT_EQ(classes.at("outcomes").items().size(), 4u);
  EXPECT_EQ(classes.at("outcomes").at(2).at("class").text(), "weak");
  EXPECT_TRUE(classes.at("outcomes").at(2).at("matches").truth());
  const Json rate = result("statistics", {{"count", 10}, {"instances", 1000}, {"seconds", 2}});
  EXPECT_EQ(rate.at("rate").real(), 5.0);
  EXPECT_LT(*rate.at("fraction_low").real(), 0.01);
}

TEST(Answer, PlansAndDecodesARun) {
  const Json compiled = result("compile", {{"text", kMp}, {"environment", "basic"}});
  const Json& handle = compiled.at("handle");
  EXPECT_NE(compiled.at("program").at("text").text().find("@compute"), std::string::npos);
  const Json options = base::json_object({{"resident_workgroups", 4},
                                          {"memory_bytes", 1 << 26},
                                          {"multiprocessors", 4},
                                          {"rounds", 1},
                                          {"most_instances", 0},
                                          {"seed", 1},
                                          {"launch", 0}});
  EXPECT_FALSE(reply("decode", {{"handle", handle}, {"buffers", base::json_array()}}).at("errors").items().empty());
  const Json planned = result("plan", {{"handle", handle}, {"options", options}});
  // A launch that did nothing: every word is 0.
  Json buffers = base::json_array();
  for (const Json& buffer : planned.at("launch").at("buffers").items()) {
    buffers.push_back(buffer.at("read_back").truth() ? base::json_array() : Json(nullptr));
  }
  const Json decoded = result("decode", {{"handle", handle}, {"buffers", buffers}});
  EXPECT_EQ(decoded.at("instances").whole(), 0u);
  EXPECT_EQ(decoded.at("model").text(), "webgpu");
  EXPECT_TRUE(result("release", {{"handle", handle}}).truth());
  EXPECT_FALSE(reply("plan", {{"handle", handle}, {"options", options}}).at("errors").items().empty());
}

TEST(Answer, HasTheCorpusAndTheModels) {
  const Json corpus = result("corpus");
  EXPECT_GT(corpus.items().size(), 500u);
  const std::filesystem::path folder = base::data_directory("corpus");
  for (const Json& entry : corpus.items()) {
    const std::string& test = entry.at("test").text();
    const std::string name = test.substr(test.rfind('/') + 1) + ".litmus";
    const std::filesystem::path path = folder / entry.at("folder").text() / name;
    EXPECT_EQ(entry.at("text").text(), *base::read_file(path.string())) << path;
  }
  EXPECT_EQ(result("models").at(0).at("name").text(), "sc");
  EXPECT_EQ(result("dialects").at(0).text(), "weakspot");
}

}  // namespace
}  // namespace weakspot::core::answer_test

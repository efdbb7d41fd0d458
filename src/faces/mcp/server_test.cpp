// SPDX-License-Identifier: MIT
#include "mcp/server.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "base/source.h"
#include "mcp/tools/tools.h"

namespace weakspot::mcp::server_test {
namespace {

constexpr const char* kSb = R"(weakspot SB\n{ x = 0; y = 0; }\n P0 | P1 ;\n st x, 1 | st y, 1 ;\n)"
                            R"( ld r0, y | ld r0, x ;\nexists (0:r0=0 /\\ 1:r0=0)\n)";

base::JsonValue parsed(const std::optional<std::string>& text) {
  return base::read_json_text(base::Source("reply", text.value_or("null"))).value();
}

class Session : public ::testing::Test {
 protected:
  base::JsonValue ask(const std::string& method, const std::string& params) {
    return parsed(server.answer(R"({"jsonrpc":"2.0","id":7,"method":")" + method + R"(","params":)" + params + "}"));
  }
  base::JsonValue call(const std::string& tool, const std::string& arguments) {
    return ask("tools/call", R"({"name":")" + tool + R"(","arguments":)" + arguments + "}");
  }

  std::vector<std::string> words;  // words and input of the program's last call
  std::string input;
  Server server{
      {.run = true, .race = false, .program = [this](const std::vector<std::string>& given, const std::string& text) {
         words = given;
         input = text;
         return base::Result<std::string>("[]");
       }}};
};

TEST_F(Session, AgreesOnAVersion) {
  EXPECT_EQ(ask("initialize", R"({"protocolVersion":"2024-11-05"})").at("result").at("protocolVersion").text(),
            "2024-11-05");
  const base::JsonValue result = ask("initialize", R"({"protocolVersion":"1999-01-01"})").at("result");
  EXPECT_EQ(result.at("protocolVersion").text(), "2025-06-18");
  EXPECT_EQ(result.at("serverInfo").at("name").text(), "weakspot");
  EXPECT_FALSE(server.answer(R"({"jsonrpc":"2.0","method":"notifications/initialized"})"));
}

TEST_F(Session, ListsWhatIsAllowed) {
  std::vector<std::string> names;
  const base::JsonValue reply = ask("tools/list", "{}");
  for (const base::JsonValue& tool : reply.at("result").at("tools").items()) {
    names.push_back(tool.at("name").text());
    EXPECT_EQ(tool.at("inputSchema").at("type").text(), "object");
    EXPECT_FALSE(tool.at("description").text().empty());
  }
  EXPECT_EQ(names.size(), tools().size() - 2);
  EXPECT_EQ(std::count(names.begin(), names.end(), "run"), 1);
  EXPECT_EQ(std::count(names.begin(), names.end(), "race"), 0);
}

TEST_F(Session, JudgesTests) {
  const base::JsonValue result =
      call("check", std::string(R"({"models":["sc","tso"],"text":")") + kSb + "\"}").at("result");
  EXPECT_FALSE(result.at("isError").truth());
  const auto& verdicts = result.at("structuredContent").at("verdicts").items();
  ASSERT_EQ(verdicts.size(), 2u);
  EXPECT_EQ(verdicts[0].at("verdict").text(), "forbidden");
  EXPECT_EQ(verdicts[1].at("verdict").text(), "allowed");
}

TEST_F(Session, MistakesInATestAreAnswers) {
  const base::JsonValue result =
      call("check", R"({"text":"weakspot broken\n{ x = 0; }\n P0 ;\n oops ;\n"})").at("result");
  EXPECT_TRUE(result.at("isError").truth());
  EXPECT_NE(result.at("content").at(0).at("text").text().find("test:4:2: error: "), std::string::npos)
      << result.at("content").at(0).at("text").text();
}

// A value that the core refuses is shown where it stands in the message.
TEST_F(Session, MistakesInArgumentsHavePlaces) {
  const base::JsonValue result = call("generate", R"({"cycles":["MP"],"to":"klingon"})").at("result");
  EXPECT_TRUE(result.at("isError").truth());
  EXPECT_EQ(result.at("content").at(0).at("text").text(),
            "message:1:109: error: 'to': expected the name of a dialect, found a string\n");
}

TEST_F(Session, MistakesInArguments) {
  EXPECT_EQ(call("check", "{}").at("error").at("code").integer(), -32602);
  EXPECT_EQ(call("check", R"({"text":1})").at("error").at("code").integer(), -32602);
  EXPECT_EQ(call("check", R"({"text":"","more":1})").at("error").at("code").integer(), -32602);
  EXPECT_EQ(call("run", R"({"text":"","seconds":1e9})").at("error").at("code").integer(), -32602);
  EXPECT_EQ(call("nonsense", "{}").at("error").at("code").integer(), -32602);
  EXPECT_EQ(call("check", "[]").at("error").at("code").integer(), -32602);
}

TEST_F(Session, RunsOnlyWhatIsAllowed) {
  EXPECT_NE(call("race", R"({"file":"a.cu"})").at("error").at("message").text().find("--allow race"),
            std::string::npos);
  EXPECT_TRUE(words.empty());
  EXPECT_FALSE(call("run", R"({"text":"SB","seconds":0.5})").at("result").at("isError").truth());
  EXPECT_EQ(words, (std::vector<std::string>{"run", "-", "--json", "--seconds", "0.5", "--device=cpu"}));
  EXPECT_EQ(input.find("weakspot SB\n"), 0u) << input;
}

TEST_F(Session, TestsHaveNames) {
  const base::JsonValue named = call("check", R"({"text":"MP","models":"sc,tso,rmo"})").at("result");
  ASSERT_FALSE(named.at("isError").truth());
  const auto& verdicts = named.at("structuredContent").at("verdicts").items();
  ASSERT_EQ(verdicts.size(), 3u);
  EXPECT_EQ(verdicts[0].at("file").text(), "corpus:classic/MP.litmus");
  EXPECT_EQ(verdicts[0].at("verdict").text(), "forbidden");
  EXPECT_EQ(verdicts[2].at("verdict").text(), "allowed");
  for (const char* models : {R"("tso")", R"(["tso"])"}) {
    const base::JsonValue result = call("check", fmt::format(R"({{"text":"SB","models":{}}})", models)).at("result");
    EXPECT_EQ(result.at("structuredContent").at("verdicts").at(0).at("verdict").text(), "allowed") << models;
  }
  for (const char* tool : {"read", "fences", "mutate"}) {
    EXPECT_FALSE(call(tool, R"({"text":"coherence/CoRR"})").at("result").at("isError").truth()) << tool;
  }
}

TEST_F(Session, WrongNamesGetAProposal) {
  const auto said = [&](const char* arguments) {
    const base::JsonValue result = call("check", arguments).at("result");
    EXPECT_TRUE(result.at("isError").truth());
    return result.at("content").at(0).at("text").text();
  };
  EXPECT_EQ(said(R"({"text":"MPP"})"), "MPP: error: there is no such test of the corpus; did you mean 'MP'?\n");
  EXPECT_EQ(said(R"({"text":"MP","models":"tsoo"})"), "error: there is no model 'tsoo'; did you mean 'tso'?\n");
  EXPECT_NE(said(R"({"text":"CoRR"})").find("coherence/CoRR, conformance/CoRR"), std::string::npos);
  EXPECT_NE(said(R"({"text":"classic"})").find("expected one test"), std::string::npos);
}

TEST_F(Session, ThePagesOfTheCorpusAreAllOfIt) {
  for (const bool texts : {false, true}) {
    std::vector<std::string> names;
    std::optional<std::int64_t> total;
    for (std::optional<std::int64_t> next = 0; next;) {
      const std::string arguments = fmt::format(R"({{"offset":{},"texts":{}}})", *next, texts);
      const base::JsonValue reply = call("corpus", arguments);
      EXPECT_LT(base::json_compact(reply).size(), 21'000u);
      const base::JsonValue page = parsed(reply.at("result").at("content").at(0).at("text").text());
      for (const base::JsonValue& test : page.at("tests").items()) {
        names.push_back(test.at("test").text());
        EXPECT_EQ(test.find("text") != nullptr, texts);
      }
      total = page.at("total").integer();
      const std::optional<std::int64_t> last = next;
      next = page.at("next").integer();
      ASSERT_TRUE(!next || *next > *last);
    }
    EXPECT_EQ(static_cast<std::int64_t>(names.size()), total);
    EXPECT_GT(names.size(), 400u);
    std::sort(names.begin(), names.end());
    EXPECT_EQ(std::unique(names.begin(), names.end()), names.end());
  }
}

TEST_F(Session, PartsOfTheCorpus) {
  const auto page = [&](const char* arguments) {
    return parsed(call("corpus", arguments).at("result").at("content").at(0).at("text").text());
  };
  const base::JsonValue second = page(R"({"pattern":"classic/MP*","limit":1,"offset":1})");
  ASSERT_EQ(second.at("tests").items().size(), 1u);
  EXPECT_EQ(second.at("tests").at(0).at("folder").text(), "classic");
  EXPECT_EQ(second.at("next").integer(), 2);
  EXPECT_EQ(page(R"({"offset":100000})").at("tests").items().size(), 0u);
  EXPECT_EQ(call("corpus", R"({"pattern":"clasic"})").at("result").at("content").at(0).at("text").text(),
            "error: no test or folder of the corpus is called 'clasic'; did you mean 'classic'?\n");
  EXPECT_EQ(call("corpus", R"({"limit":0})").at("error").at("code").integer(), -32602);
}

// A model may be a file for people at a command line, not here: what is wrong with a file tells what is in it.
TEST_F(Session, OpensNoFiles) {
  for (const char* name : {"/etc/passwd", "own.cat", "../models/sc", ""}) {
    const base::JsonValue reply = call("check", fmt::format(R"({{"text":"{}","models":["{}"]}})", kSb, name));
    EXPECT_EQ(reply.at("error").at("code").integer(), -32602) << name;
    EXPECT_NE(reply.at("error").at("message").text().find("expected names of models"), std::string::npos);
  }
  EXPECT_EQ(call("check", R"({"text":"","models":[1]})").at("error").at("code").integer(), -32602);
}

TEST(Races, StayInTheSandbox) {
  std::vector<std::string> words;
  Server server({.race = true, .program = [&](const std::vector<std::string>& given, const std::string&) {
                   words = given;
                   return base::Result<std::string>("{}");
                 }});
  const auto ask = [&](const std::string& arguments) {
    return parsed(server.answer(
        R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"race","arguments":)" + arguments + "}}"));
  };
  EXPECT_FALSE(ask(R"({"file":"--trust","kernel":"k --trust"})").at("result").at("isError").truth());
  EXPECT_EQ(words, (std::vector<std::string>{"race", "--json", "--allow-incomplete", "--seconds", "20",
                                             "--kernel=k --trust", "./--trust"}));
  EXPECT_EQ(ask(R"({"file":"a.cu","trust":true})").at("error").at("code").integer(), -32602);
}

TEST(Proofs, TakeALaunchAndNoOptions) {
  std::vector<std::string> words;
  Server server({.prove = true, .program = [&](const std::vector<std::string>& given, const std::string&) {
                   words = given;
                   return base::Result<std::string>("{}");
                 }});
  const auto ask = [&](const std::string& tool, const std::string& arguments) {
    return parsed(server.answer(R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":")" + tool +
                                R"(","arguments":)" + arguments + "}}"));
  };
  EXPECT_FALSE(ask("prove", R"({"file":"-a.cu"})").at("result").at("isError").truth());
  EXPECT_EQ(words, (std::vector<std::string>{"prove", "--json", "--seconds", "60", "./-a.cu"}));
  ask("prove", R"({"file":"a.cu","kernel":"k","launch":"grid=2 --emit=x","arguments":["x=int[1]","n=3"],)"
               R"("conditions":["x[0] == 1"],"model":"sc","fences":true,"seconds":5})");
  EXPECT_EQ(words, (std::vector<std::string>{"prove", "--json", "--seconds", "5", "--kernel=k",
                                             "--launch=grid=2 --emit=x", "--model=sc", "--arg=x=int[1]", "--arg=n=3",
                                             "--assert=x[0] == 1", "--fences", "a.cu"}));
  words.clear();
  EXPECT_EQ(ask("prove", R"({"file":"a.cu","emit":"b"})").at("error").at("code").integer(), -32602);
  EXPECT_EQ(ask("prove", R"({"file":"a.cu","conditions":[1]})").at("error").at("code").integer(), -32602);
  EXPECT_NE(ask("prove", R"({"file":"a.cu","model":"own.cat"})")
                .at("error")
                .at("message")
                .text()
                .find("'model': expected names of models"),
            std::string::npos);
  EXPECT_NE(ask("race", R"({"file":"a.cu"})").at("error").at("message").text().find("--allow race"), std::string::npos);
  EXPECT_TRUE(words.empty());
}

TEST_F(Session, LivesWithAnyLine) {
  EXPECT_EQ(parsed(server.answer("{")).at("error").at("code").integer(), -32700);
  EXPECT_EQ(parsed(server.answer("[]")).at("error").at("code").integer(), -32600);
  EXPECT_EQ(parsed(server.answer(R"({"id":1,"method":"ping"})")).at("error").at("code").integer(), -32600);
  EXPECT_EQ(ask("nonsense", "{}").at("error").at("code").integer(), -32601);
  EXPECT_EQ(parsed(server.answer(std::string(9 << 20, ' ') + "1")).at("error").at("code").integer(), -32600);
  EXPECT_FALSE(server.answer(""));
  EXPECT_FALSE(server.answer(R"({"jsonrpc":"2.0","id":3,"result":{}})"));
  EXPECT_EQ(ask("ping", "{}").at("id").integer(), 7);
}

}  // namespace
}  // namespace weakspot::mcp::server_test

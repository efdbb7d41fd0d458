// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include "litmus/dialect.h"
#include "litmus/instruction.h"
#include "support/read_one.h"

namespace weakspot::litmus::read_json_test {
namespace {

using tests::mistakes_in;
using tests::read_one;

base::Result<std::vector<LitmusTest>> read(const std::string& text) { return read_tests(base::Source("t.json", text)); }

const std::string kPublished = R"({
  "testName": "MP",
  "testType": "intra_workgroup",
  "memoryType": "atomic_workgroup",
  "threads": [
    {"actions": [{"action": "write", "memoryLocation": "x", "value": 1},
                 {"action": "fence"},
                 {"action": "write", "memoryLocation": "y", "value": 1, "useRMW": true}]},
    {"actions": [{"action": "read", "memoryLocation": "y", "variable": "r0", "useRMW": true},
                 {"action": "barrier"},
                 {"action": "read", "memoryLocation": "x", "variable": "r1", "memoryOrder": "acquire"}]}],
  "behaviors": {
    "seq": {"type": "variable", "id": "r0", "value": 0},
    "weak": {"type": "op", "op": "and", "key": "w",
             "conditions": [{"type": "variable", "id": "r0", "value": 1}, {"type": "memory", "id": "x", "value": 0}]},
    "late": {"type": "variable", "id": "r1", "value": 1},
    "other": {"type": "else"}}
})";

TEST(ReadJson, PublishedTests) {
  LitmusTest test = read_one(kPublished);
  ASSERT_EQ(test.info.size(), 1u);
  EXPECT_EQ(test.info[0].first, "Behaviors");
  test.info.clear();
  EXPECT_EQ(test, read_one("weakspot MP\n"
                           "{ shared x; shared y; }\n"
                           " P0                | P1                ;\n"
                           " st x, 1           | atom.add r0, y, 0 ;\n"
                           " fence.acqrel      | bar               ;\n"
                           " atom.exch _, y, 1 | ld.acq r1, x      ;\n"
                           "scopes (wg P0 P1)\n"
                           "exists (1:r0=1 /\\ x=0)\n"));
}

TEST(ReadJson, WithoutAWeakBehaviourTheLastOneIsAskedFor) {
  std::string text = kPublished;
  text.replace(text.find("\"weak\""), 6, "\"strong\"");
  const LitmusTest test = read_one(text);
  EXPECT_EQ(test.condition.quantifier, Condition::Quantifier::exists);
  EXPECT_EQ(test.condition.proposition, equals(ObservedRegister{ThreadId{1}, RegisterId{1}}, integer(1)));
}

TEST(ReadJson, BehavioursAreKeptAndPrintedAgain) {
  const LitmusTest test = read_one(kPublished);
  const std::string printed = *print(test, Dialect::json);
  EXPECT_NE(printed.find("\"behaviors\": {"), std::string::npos);
  EXPECT_EQ(printed.find("\"info\""), std::string::npos);
  EXPECT_EQ(read_one(printed), test);
  // Behaviours also survive the canonical form.
  EXPECT_EQ(*print(read_one(*print(test, Dialect::canonical)), Dialect::json), printed);
}

TEST(ReadJson, NonAtomicMemory) {
  const LitmusTest test = read_one(R"({"testName": "t", "memoryType": "non_atomic_storage", "threads": [{"actions": [
      {"action": "write", "memoryLocation": "x", "value": 1},
      {"action": "write", "memoryLocation": "x", "value": 1, "memoryOrder": "relaxed"},
      {"action": "write", "memoryLocation": "x", "value": 1, "useRMW": true}]}],
      "condition": {"proposition": {"type": "true"}}})");
  const std::vector<Instruction>& code = test.threads[0].instructions;
  EXPECT_EQ(access_of(code[0])->order, Order::plain);
  EXPECT_EQ(access_of(code[1])->order, Order::relaxed);
  EXPECT_EQ(access_of(code[2])->order, Order::relaxed);
  EXPECT_FALSE(test.scopes);
}

TEST(ReadJson, TheFormHoldsWhatTheCanonicalFormHolds) {
  const LitmusTest test = read_one(R"([{
    "testName": "all", "description": "one\ntwo", "arch": "ptx",
    "locations": [{"name": "x", "type": "u64", "space": "shared", "initial": 7}, {"name": "p", "initial": {"addressOf": "x", "offset": 4}},
                  {"name": "t", "type": "u64", "aliasOf": "x", "proxy": "texture"}],
    "threads": [
      {"workgroup": 0, "cluster": 1, "registers": [{"name": "q", "type": "pred", "initial": 1}, {"name": "seen", "initial": 5}],
       "actions": [
        {"action": "label", "label": "L"},
        {"action": "rmw", "op": "cas", "memoryLocation": "x", "variable": "r0", "expected": 0, "value": "r1", "success": "r2",
         "memoryOrder": "acq_rel", "failureOrder": "acquire", "mayFail": true, "scope": "sys"},
        {"action": "read", "memoryLocation": "t", "offset": 4, "variable": "r1", "type": "u32", "proxy": "texture", "cache": "cg",
         "memoryOrder": "plain", "tags": ["vol"], "if": "q"},
        {"action": "read", "memoryLocation": "x", "index": "r1", "variable": "r3", "space": "shared", "semantics": ["sc0", "shared"]},
        {"action": "compute", "op": "add", "variable": "r1", "left": "r0", "right": -4, "unless": "q"},
        {"action": "select", "variable": "r1", "condition": {"op": "ge", "left": "r1", "right": 0}, "yes": "r0", "no": 7},
        {"action": "branch", "label": "L", "condition": {"op": "lt", "left": "r1", "right": 0}},
        {"action": "branch", "label": "L"}]},
      {"workgroup": 1, "cluster": 1, "actions": [
        {"action": "write", "memoryLocation": "p", "value": {"addressOf": "x"}, "status": "r0", "tags": ["ex"]},
        {"action": "fence", "kind": "dmb", "accesses": "loads", "shareability": "inner"},
        {"action": "fence", "kind": "proxy", "proxy": "alias", "scope": "wg"},
        {"action": "fence", "memoryOrder": "release", "tags": ["av"], "semantics": ["sc1"]},
        {"action": "barrier", "kind": "arrive", "id": 1, "name": "r0", "quorum": 2, "scope": "cluster", "memoryOrder": "acq_rel", "memoryScope": "dev"}]}],
    "systemSynchronizes": [[0, 1]],
    "filter": {"type": "op", "op": "not", "conditions": [{"type": "false"}]},
    "condition": {"quantifier": "not_exists", "proposition": {"type": "op", "op": "implies", "conditions": [
      {"type": "constant", "constant": 1, "compare": "le", "value": {"type": "memory", "id": "x"}},
      {"type": "op", "op": "or", "conditions": [{"type": "variable", "thread": 0, "id": "r0", "compare": "ne", "value": 1},
                                                {"type": "memory", "id": "p", "value": {"addressOf": "x", "offset": 4}}]}]}},
    "observe": [{"type": "memory", "id": "t"}, {"type": "variable", "id": "seen"}],
    "expectations": {"ptx-v7.5": "allowed", "sc": "forbidden"},
    "info": [["Parent", "MP"], ["Parent", "SB"]]}])");
  EXPECT_EQ(test, read_one("weakspot all\n"
                           "\"one\"\n\"two\"\n"
                           "Arch=ptx\n"
                           "Expect=ptx-v7.5 allowed, sc forbidden\n"
                           "Parent=MP\n"
                           "Parent=SB\n"
                           "{ shared u64 x = 7; p = &x+4; u64 t @ texture aliases x; 0:pred q = 1; 0:seen = 5; }\n"
                           " P0 | P1 ;\n"
                           " L: | st.ex r0, p, &x ;\n"
                           " atom.cas.acqrel.sys.failacq.weak r0, x, 0, r1, r2 | dmb.ishld ;\n"
                           " @q ld.na.cg.texture.vol.u32 r1, t+4 | fence.proxy.alias.wg ;\n"
                           " ld.shared.semshared.semsc0 r3, x+r1 | fence.rel.av.semsc1 ;\n"
                           " @!q add r1, r0, -4 | bar.arrive.cluster.acqrel.memdev 1, r0, 2 ;\n"
                           " sel.ge r1, r1, 0, r0, 7 | ;\n"
                           " blt r1, 0, L | ;\n"
                           " b L | ;\n"
                           "scopes (cluster (wg P0) (wg P1))\n"
                           "ssw P0 P1\n"
                           "filter (~false)\n"
                           "locations [t; 0:seen;]\n"
                           "~exists (1<=[x] => 0:r0!=1 \\/ p=&x+4)\n"));
  EXPECT_EQ(read_one(*print(test, Dialect::json)), test);
}

TEST(ReadJson, SeveralTests) {
  const std::string one =
      R"({"testName": "a", "threads": [{"actions": []}], "condition": {"proposition": {"type": "true"}}})";
  EXPECT_EQ(read("[" + one + ", " + one + "]")->size(), 2u);
  EXPECT_EQ(mistakes_in("[]"), "this text contains no test\n");
}

// Puts an action, or another member, into an otherwise good test.
std::string with_action(const std::string& action) {
  return R"({"testName": "t", "threads": [{"actions": [)" + action +
         R"(]}], "condition": {"proposition": {"type": "true"}}})";
}
std::string with_member(const std::string& member) {
  return R"({"testName": "t", "threads": [{"actions": [{"action": "read", "memoryLocation": "x", "variable": "r0"}]}], )" +
         member + "}";
}

TEST(ReadJson, MistakesInActions) {
  const struct {
    const char* action;
    const char* message;
  } kCases[] = {
      {"5", "expected an action: an object, found 5\n"},
      {"{}", "an action needs 'action', a string\n"},
      {R"({"action": "fly"})",
       "unknown action 'fly'; expected read, write, rmw, fence, barrier, compute, select, branch, label, copy, "
       "mbarrier, "
       "commit, wait, wait_read, launch_dependents or wait_grids\n"},
      {R"({"action": "read", "memoryLocation": "x"})", "an action needs 'variable', a string\n"},
      {R"({"action": "read", "memoryLocation": 1, "variable": "r0"})",
       "'memoryLocation': expected a string, found 1\n"},
      {R"({"action": "read", "memoryLocation": "x y", "variable": "r0"})",
       "the name of a location is made of letters, digits, '_' and '$'\n"},
      {R"({"action": "read", "memoryLocation": "x", "variable": "_"})", "a register cannot be called '_'\n"},
      {R"({"action": "read", "memoryLocation": "x", "variable": "r0", "memoryOrder": "strong"})",
       "unknown 'memoryOrder' 'strong'; expected plain, relaxed, acquire, release, acq_rel, sc, consume or "
       "acquire_pc\n"},
      {R"({"action": "read", "memoryLocation": "x", "variable": "r0", "scope": "galaxy"})",
       "unknown 'scope' 'galaxy'; expected thread, sg, wg, cluster, qf, dev or sys\n"},
      {R"({"action": "read", "memoryLocation": "x", "variable": "r0", "value": 1})",
       "unknown key 'value' in an action\n"},
      {R"({"action": "read", "variable": "r0"})", "an access needs a location or a register for its address\n"},
      {R"({"action": "read", "memoryLocation": "x", "variable": "r0", "memoryOrder": "release"})",
       "a load cannot be 'rel'; expected na, rlx, con, acq, acqpc or sc\n"},
      {R"({"action": "write", "memoryLocation": "x"})", "'value' is missing: a number, a register or an address\n"},
      {R"({"action": "write", "memoryLocation": "x", "value": true})",
       "expected a number or an address, found true or false\n"},
      {R"({"action": "write", "memoryLocation": "x", "value": 99999999999})",
       "99999999999 does not fit the access, which has type s32\n"},
      {R"({"action": "write", "memoryLocation": "x", "value": 1, "tags": ["av", "red"]})", "unknown word in 'tags'\n"},
      {R"({"action": "write", "memoryLocation": "x", "value": 1, "if": "a", "unless": "b"})",
       "an action has 'if' or 'unless', not both\n"},
      {R"({"action": "rmw", "op": "nand", "memoryLocation": "x", "value": 1})", "unknown operation 'nand'\n"},
      {R"({"action": "rmw", "op": "add", "memoryLocation": "x", "value": 1, "expected": 0})",
       "unknown key 'expected' in an action\n"},
      {R"({"action": "fence", "kind": "mfence", "memoryOrder": "acquire"})",
       "unknown key 'memoryOrder' in an action\n"},
      {R"({"action": "compute", "op": "not", "variable": "r0", "left": 1, "right": 1})",
       "unknown key 'right' in an action\n"},
      {R"({"action": "branch", "label": "L"})", "this thread has no label 'L'\n"},
  };
  for (const auto& [action, message] : kCases) EXPECT_EQ(mistakes_in(with_action(action)), message) << action;
}

TEST(ReadJson, MistakesElsewhere) {
  const std::string ask = R"("condition": {"proposition": {"type": "true"}})";
  const struct {
    std::string member;
    const char* message;
  } kCases[] = {
      {R"("info": [])", "the test asks nothing; expected 'condition' or 'behaviors'\n"},
      {R"("behaviors": {"a": {"type": "else"}})", "no behaviour has a condition\n"},
      {R"("behaviors": {"a": {"type": "variable", "id": "r7", "value": 1}})", "no thread has a register 'r7'\n"},
      {R"("condition": {"proposition": {"type": "else"}})", "'else' is for behaviours only\n"},
      {R"("condition": {"proposition": {"type": "maybe"}})",
       "unknown type 'maybe' of a condition; expected op, variable, memory, constant, true or false\n"},
      {R"("condition": {"proposition": {"type": "memory", "id": "z", "value": 1}})", "there is no location 'z'\n"},
      {R"("condition": {"proposition": {"type": "variable", "id": "r0", "thread": 3, "value": 1}})",
       "there is no thread 3; the test has 1\n"},
      {R"("condition": {"proposition": {"type": "variable", "id": "r0"}})",
       "'value' is missing: what the value is compared with\n"},
      {R"("condition": {"proposition": {"type": "op", "op": "xor", "conditions": []}})",
       "unknown 'op' 'xor'; expected and, or, not or implies\n"},
      {R"("condition": {"proposition": {"type": "op", "op": "not", "conditions": []}})", "'not' takes 1 condition\n"},
      {R"("condition": {"quantifier": "most", "proposition": {"type": "true"}})",
       "unknown 'quantifier' 'most'; expected exists, not_exists or forall\n"},
      {ask + R"(, "colour": 1)", "unknown key 'colour' in a test\n"},
      {ask + R"(, "testType": "outer_workgroup")",
       "unknown 'testType' 'outer_workgroup'; expected inter_workgroup or intra_workgroup\n"},
      {ask + R"(, "locations": [{"name": "x"}, {"name": "x"}])", "location 'x' is declared twice\n"},
      {ask + R"(, "locations": [{"name": "x", "type": "u8", "initial": 256}])",
       "256 does not fit location 'x', which has type u8\n"},
      {ask + R"(, "systemSynchronizes": [[0, 1]])", "expected two threads of the test, by number\n"},
      {ask + R"(, "expectations": {"a b": "allowed"})",
       "the name of a model is made of letters, digits and '_', '.', '+', '-', '/'\n"},
      {ask + R"(, "expectations": {"sc": "maybe"})", "expected \"allowed\" or \"forbidden\"\n"},
      {ask + R"(, "info": [["a b", "c"]])", "a key is one word, and neither Expect nor Arch\n"},
      {ask + R"(, "info": [["a", " c"]])", "a value is one line without blanks around it\n"},
      {ask + R"(, "info": [["a"]])", "expected a key and a value, two strings\n"},
  };
  for (const auto& [member, message] : kCases) EXPECT_EQ(mistakes_in(with_member(member)), message) << member;
}

TEST(ReadJson, AllMistakesAreReportedWithTheirPlaces) {
  base::Result<std::vector<LitmusTest>> tests = read("{\n  \"testName\": \"a b\",\n  \"threads\": [\n    5\n  ]\n}\n");
  ASSERT_FALSE(tests);
  EXPECT_EQ(base::render(tests.errors()),
            "t.json:2:15: error: a test's name is one word\n"
            "   \"testName\": \"a b\",\n"
            "               ^~~~~\n"
            "t.json:4:5: error: expected a thread: an object, found 5\n"
            "     5\n"
            "     ^\n");
}

TEST(ReadJson, ARegisterThatSeveralThreadsHaveNeedsItsThread) {
  const std::string actions = R"({"actions": [{"action": "read", "memoryLocation": "x", "variable": "r0"}]})";
  EXPECT_EQ(mistakes_in(R"({"testName": "t", "threads": [)" + actions + ", " + actions +
                        R"(], "condition": {"proposition": {"type": "variable", "id": "r0", "value": 1}}})"),
            "several threads have a register 'r0'; expected 'thread' as well\n");
}

}  // namespace
}  // namespace weakspot::litmus::read_json_test

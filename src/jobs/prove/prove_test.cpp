// SPDX-License-Identifier: MIT
#include "prove/prove.h"

#include <gtest/gtest.h>

#include "prove/assertion/assertion.h"
#include "prove/translate/actors.h"
#include "prove/translate/translation.h"

namespace weakspot::prove::prove_test {
namespace {

using residual::Instruction;
using residual::Kind;
using residual::known_operand;
using residual::Op;
using residual::register_operand;

constexpr std::uint64_t kData = 4096, kFlag = 4100;
constexpr std::uint8_t kDevice = 1;

Instruction access(Kind kind, std::uint64_t address, bool strong) {
  Instruction one{.kind = kind};
  one.address = address;
  one.size = 4;
  one.strong = strong;
  one.scope = kDevice;
  one.place = 1;
  return one;
}
Instruction load(std::uint32_t target, std::uint64_t address, bool strong) {
  Instruction one = access(Kind::load, address, strong);
  one.target = target;
  return one;
}
Instruction store(std::uint64_t value, std::uint64_t address, bool strong) {
  Instruction one = access(Kind::store, address, strong);
  one.operands = {known_operand(value)};
  return one;
}
Instruction fence() {
  Instruction one{.kind = Kind::fence};
  one.order = 7;
  one.scope = kDevice;
  return one;
}
Instruction branch(Op op, std::uint32_t reg, std::uint64_t value, std::uint32_t label) {
  Instruction one{.kind = Kind::branch, .op = op};
  one.operands = {register_operand(reg), known_operand(value)};
  one.label = label;
  return one;
}
Instruction at(std::uint32_t label) { return {.kind = Kind::label, .label = label}; }
Instruction stop(std::uint32_t number) { return {.kind = Kind::stop, .label = number}; }
const Instruction kEnd{.kind = Kind::end};
const Instruction kBarrier{.kind = Kind::barrier, .op = Op::add};

residual::Thread thread(std::uint64_t block, std::uint64_t number, std::vector<Instruction> code) {
  return {.block = block, .number = number, .widths = {32, 32}, .code = std::move(code)};
}

// Waits for the flag, reads the data, and stops with reason 0 unless they are 42.
residual::Thread consumer(std::uint64_t block, std::uint64_t number, bool fenced) {
  std::vector<Instruction> code = {at(0), load(0, kFlag, true), branch(Op::eq, 0, 0, 0)};
  if (fenced) code.push_back(fence());
  for (const Instruction& one : {load(1, kData, false), branch(Op::eq, 1, 42, 1), stop(0), at(1), kEnd}) {
    code.push_back(one);
  }
  return thread(block, number, code);
}
residual::Thread producer(bool fenced) {
  std::vector<Instruction> code = {store(42, kData, false)};
  if (fenced) code.push_back(fence());
  code.push_back(store(1, kFlag, true));
  code.push_back(kEnd);
  return thread(0, 0, code);
}

residual::Residual handshake(bool fenced) {
  residual::Residual residual;
  residual.kernel = "handshake(int*, int*)";
  residual.launch.grid = {2, 1, 1};
  residual.places = {{}, {"k.cu", 7, 3}};
  residual.memory = {{.address = kData, .size = 4, .name = "data"}, {.address = kFlag, .size = 4, .name = "flag"}};
  residual.stops = {{residual::Stop::Kind::assertion, "*data == 42", 1}};
  residual.threads = {producer(fenced), consumer(1, 0, fenced)};
  return residual;
}

Proof proof_of(const residual::Residual& residual, const std::vector<std::string>& assertions = {}) {
  ProofRequest request;
  request.name = "handshake";
  for (const std::string& text : assertions) request.conditions.push_back(stated_condition(text));
  const base::Result<Proof> proof = prove(residual, request);
  EXPECT_TRUE(proof.ok());
  return proof.ok() ? *proof : Proof{};
}

const ProofProperty& property(const Proof& proof, ProofProperty::Kind kind) {
  for (const ProofProperty& one : proof.properties) {
    if (one.kind == kind) return one;
  }
  static const ProofProperty kNone;
  ADD_FAILURE() << "no such property";
  return kNone;
}

TEST(Prove, AHandshakeWithItsFences) {
  const Proof proof = proof_of(handshake(true));
  EXPECT_EQ(proof.answer, ProofAnswer::proved);
  ASSERT_EQ(proof.properties.size(), 3u);  // races, the assertion, the end
  EXPECT_EQ(proof.actors.size(), 2u);
}

TEST(Prove, TellsWhatAHandshakeWithoutFencesDoes) {
  const Proof proof = proof_of(handshake(false));
  EXPECT_EQ(proof.answer, ProofAnswer::violated);
  EXPECT_EQ(property(proof, ProofProperty::Kind::race).answer, ProofAnswer::violated);
  EXPECT_EQ(property(proof, ProofProperty::Kind::ends).answer, ProofAnswer::proved);
  const ProofProperty& asserted = property(proof, ProofProperty::Kind::assertion);
  EXPECT_EQ(asserted.what, "assert(*data == 42)");
  ASSERT_EQ(asserted.answer, ProofAnswer::violated);
  ASSERT_EQ(asserted.witness.size(), 2u);
  const std::vector<ProofStep>& steps = asserted.witness[1].steps;
  ASSERT_GE(steps.size(), 2u);
  EXPECT_EQ(steps.back().text, "reads data = 0");
  EXPECT_TRUE(steps.back().initial);
  EXPECT_EQ(steps.back().place.line, 7u);
}

// What a thread that waits for ever would have let others do is not among the outcomes.
TEST(Prove, SaysNothingBehindAThreadThatDoesNotEnd) {
  residual::Residual residual = handshake(true);
  residual.threads[0].code = {store(42, kData, false), kEnd};  // the flag is never set
  const Proof proof = proof_of(residual);
  EXPECT_EQ(proof.answer, ProofAnswer::violated);
  EXPECT_EQ(property(proof, ProofProperty::Kind::ends).answer, ProofAnswer::violated);
  EXPECT_EQ(property(proof, ProofProperty::Kind::assertion).answer, ProofAnswer::unknown);
  EXPECT_FALSE(property(proof, ProofProperty::Kind::ends).story.empty());
}

TEST(Prove, WhatIsNotFollowedIsUnknownOnlyIfAThreadComesThere) {
  residual::Residual residual = handshake(true);
  residual.stops[0] = {residual::Stop::Kind::not_modelled, "a shuffle of a warp", 1};
  EXPECT_EQ(proof_of(residual).answer, ProofAnswer::proved);  // the branch to it is never taken
  residual.threads[1].code.insert(residual.threads[1].code.begin(), stop(0));
  const Proof proof = proof_of(residual);
  EXPECT_EQ(proof.answer, ProofAnswer::unknown);
  EXPECT_EQ(property(proof, ProofProperty::Kind::followed).what, "never a shuffle of a warp, which is not followed");
}

TEST(Prove, ReadsOfSharedMemoryThatNobodyHasSet) {
  residual::Residual residual = handshake(true);
  residual.memory[1].initialised = false;
  residual.memory[1].block = 0;
  residual.launch = {};
  residual.launch.block = {2, 1, 1};
  residual.threads[1].block = 0;
  residual.threads[1].number = 1;
  const Proof proof = proof_of(residual);
  EXPECT_EQ(proof.answer, ProofAnswer::violated);
  EXPECT_EQ(property(proof, ProofProperty::Kind::valid).answer, ProofAnswer::violated);
}

TEST(Prove, ConditionsOverFinalMemory) {
  residual::Residual residual = handshake(true);
  residual.named = {{{"data", 0}, "", kData, 4}, {{"flag", 0}, "", kFlag, 4}};
  EXPECT_EQ(proof_of(residual, {"data == 42 && flag[0] != 0"}).answer, ProofAnswer::proved);
  EXPECT_EQ(proof_of(residual, {"!(data == 42) || 1 > flag"}).answer, ProofAnswer::violated);
  EXPECT_EQ(proof_of(residual, {"data < flag"}).answer, ProofAnswer::violated);
  EXPECT_EQ(proof_of(residual, {"-1 < data", "0x2a == data"}).answer, ProofAnswer::proved);
}

TEST(Prove, RefusesANameThatTheLaunchDoesNotHave) {
  residual::Residual residual = handshake(true);
  residual.named = {{{"dta", 0}, "there is no array or variable 'dta'", 0, 0}};
  const base::Result<Proof> proof = prove(residual, {.conditions = {stated_condition("!(7 < dta)")}});
  ASSERT_FALSE(proof.ok());
  EXPECT_EQ(base::render(proof.errors()),
            "--assert:1:7: error: there is no array or variable 'dta'\n !(7 < dta)\n       ^~~\n");
}

TEST(Prove, ManyActorsAreTooMany) {
  ProofRequest request;
  request.name = "k";
  request.most_actors = 1;
  const base::Result<Proof> proof = prove(handshake(true), request);
  ASSERT_TRUE(proof.ok());
  EXPECT_EQ(proof->answer, ProofAnswer::unknown);
  EXPECT_EQ(proof->reason, "2 threads share memory that changes; the limit is 1 (--actors)");
}

// Each thread sets its flag and looks at the other's. The load is sequentially consistent, and if `all`, so is the
// store.
residual::Residual two_flags(bool all) {
  residual::Residual residual;
  residual.launch.grid = {2, 1, 1};
  residual.places = {{}, {"k.cu", 7, 3}, {"k.cu", 8, 3}};
  residual.memory = {{.address = kData, .size = 4, .name = "x"}, {.address = kFlag, .size = 4, .name = "y"}};
  for (std::uint64_t block = 0; block < 2; ++block) {
    std::vector<Instruction> code;
    auto add = [&](Instruction one, std::uint32_t place) {
      one.place = place;
      code.push_back(one);
    };
    if (all) add(fence(), 1);
    add(store(1, block == 0 ? kData : kFlag, true), 1);
    add(fence(), 2);
    add(load(0, block == 0 ? kFlag : kData, true), 2);
    add(branch(Op::ne, 0, 0, 0), 2);
    add(store(block == 0 ? 2 : 3, kData + 8 + 4 * block, false), 2);
    code.push_back(at(0));
    code.push_back(kEnd);
    residual.threads.push_back(thread(block, 0, code));
    residual.memory.push_back({.address = kData + 8 + 4 * block, .size = 4, .name = block == 0 ? "a" : "b"});
    residual.named.push_back(
        {.asked = {block == 0 ? "a" : "b"}, .problem = {}, .address = kData + 8 + 4 * block, .size = 4});
  }
  return residual;
}

TEST(Prove, FencesOfAccessesMayStandOnEitherSide) {
  const Proof proof = proof_of(two_flags(true), {"!(a == 2 && b == 3)"});
  EXPECT_EQ(proof.answer, ProofAnswer::proved);
  EXPECT_FALSE(proof.fences_in_front);
}

TEST(Prove, SaysThatItNeedsFencesInFrontOfAccesses) {
  const residual::Residual residual = two_flags(false);
  const Proof proof = proof_of(residual, {"!(a == 2 && b == 3)"});
  EXPECT_EQ(proof.answer, ProofAnswer::proved);
  EXPECT_TRUE(proof.fences_in_front);
  ProofRequest request;
  request.name = "flags";
  request.conditions = {stated_condition("!(a == 2 && b == 3)")};
  request.either_side = true;
  const base::Result<Proof> strict = prove(residual, request);
  ASSERT_TRUE(strict.ok());
  EXPECT_EQ(strict->answer, ProofAnswer::violated);
  EXPECT_NE("", property(*strict, ProofProperty::Kind::condition).reason);
  request.of_ptx = true;  // its fences stand where they stand
  EXPECT_EQ(prove(residual, request)->answer, ProofAnswer::proved);
}

TEST(Prove, AFenceOfItsOwnStaysWhereItIs) {
  residual::Residual residual = two_flags(false);
  for (residual::Thread& one : residual.threads) one.code[1].place = 1;  // a statement before the load
  const Proof proof = proof_of(residual, {"!(a == 2 && b == 3)"});
  EXPECT_EQ(proof.answer, ProofAnswer::proved);
  EXPECT_FALSE(proof.fences_in_front);
}

TEST(ProveActors, LeavesOutThreadsThatShareNothingAndReadersThatAreAlike) {
  residual::Residual residual = handshake(true);
  residual.launch.block = {3, 1, 1};
  residual.threads.push_back(consumer(1, 1, true));           // as the other consumer
  residual.threads.push_back(thread(1, 2, {fence(), kEnd}));  // silent
  const Cast cast = choose_actors(residual);
  EXPECT_EQ(cast.actors, (std::vector<std::size_t>{0, 1}));
  ASSERT_EQ(cast.left_out.size(), 2u);
  EXPECT_EQ(cast.left_out[0].count, 1u);
  EXPECT_FALSE(cast.left_out[0].like);
  EXPECT_EQ(cast.left_out[1].like, 1u);
}

TEST(ProveActors, WritersAndReadersOfAnotherBlockStay) {
  residual::Residual residual = handshake(true);
  residual.threads.push_back(consumer(2, 0, true));
  residual.threads.push_back(producer(true));
  residual.threads.back().number = 1;
  EXPECT_EQ(choose_actors(residual).actors.size(), 4u);
}

TEST(ProveActors, AThreadThatMissesABarrierStays) {
  residual::Residual residual = handshake(true);
  residual.threads[0].code.insert(residual.threads[0].code.begin(), kBarrier);
  residual.threads.push_back(thread(0, 1, {kBarrier, kEnd}));
  EXPECT_EQ(choose_actors(residual).actors.size(), 2u);
  residual.threads.back().code = {kEnd};
  EXPECT_EQ(choose_actors(residual).actors.size(), 3u);
  // A barrier in a loop: how often it is met depends on what is read.
  residual.threads[0].code = {at(0), kBarrier, load(0, kFlag, true), branch(Op::eq, 0, 0, 0), kEnd};
  residual.threads.back().code = {kBarrier, kEnd};
  EXPECT_EQ(choose_actors(residual).actors.size(), 3u);
}

TEST(Prove, ThreadsThatShareNothing) {
  residual::Residual residual = handshake(true);
  residual.threads = {thread(0, 0, {kEnd}), thread(1, 0, {fence(), kEnd})};
  residual.named = {{{"data", 0}, "", kData, 4}};
  EXPECT_EQ(proof_of(residual, {"data == 0"}).answer, ProofAnswer::proved);
  const Proof proof = proof_of(residual, {"data == 1"});
  EXPECT_EQ(proof.answer, ProofAnswer::violated);
  EXPECT_EQ(proof.actors.size(), 1u);
}

TEST(Prove, BarriersThatSomeThreadsDoNotComeTo) {
  residual::Residual residual = handshake(true);
  residual.threads.push_back(thread(1, 1, {kBarrier, kEnd}));
  const Proof proof = proof_of(residual);
  EXPECT_EQ(proof.answer, ProofAnswer::unknown);
  EXPECT_EQ(property(proof, ProofProperty::Kind::valid).answer, ProofAnswer::unknown);
}

TEST(ProveTranslation, SaysUnsignedAndSignedComparisons) {
  residual::Residual residual = handshake(true);
  Instruction less = branch(Op::less, 0, 5, 0), signed_less = branch(Op::less_signed, 0, 0xffffffff, 0);
  residual.threads[1].code = {at(0), load(0, kFlag, true), less, signed_less, kEnd};
  const base::Result<Translation> made = translate(residual, {}, {.name = "k"});
  ASSERT_TRUE(made.ok());
  EXPECT_NE(made->text.find("blt r0, 5, L0"), std::string::npos) << made->text;
  EXPECT_NE(made->text.find("mov t0, r0"), std::string::npos) << made->text;
  EXPECT_NE(made->text.find("blt t0, -1, L0"), std::string::npos) << made->text;
  EXPECT_NE(made->text.find("1:s32 t0;"), std::string::npos) << made->text;
}

TEST(ProveTranslation, RefusesAccessesThatOverlapInPart) {
  residual::Residual residual = handshake(true);
  residual.memory.push_back({.address = kFlag - 2, .size = 4, .name = "half"});
  const base::Result<Translation> made = translate(residual, {}, {.name = "k"});
  ASSERT_TRUE(made.ok());
  EXPECT_EQ(made->problem, "accesses of different sizes overlap at data");
}

TEST(ProveAssertion, PointsAtWhatItDoesNotUnderstand) {
  const struct {
    const char* text;
    const char* message;
    std::size_t column;
  } kRows[] = {
      {"out[0]", "expected a comparison: '==', '!=', '<', '<=', '>' or '>='", 7},
      {"out[x] == 1", "expected a number", 5},
      {"a == 1 b", "expected '&&', '||' or the end", 8},
      {"(a == 1", "expected ')'", 8},
      {"a = 1", "expected a comparison: '==', '!=', '<', '<=', '>' or '>='", 3},
      {"", "expected a variable, an element as in out[0], or a number", 1},
  };
  for (const auto& row : kRows) {
    const base::Result<Assertion> read = read_assertion(stated_condition(row.text));
    ASSERT_FALSE(read.ok()) << row.text;
    EXPECT_EQ(read.errors().front().message, row.message) << row.text;
    EXPECT_EQ(read.errors().front().position.column, row.column) << row.text;
  }
}

TEST(ProveAssertion, NamesEachLocationOnce) {
  const auto names = names_in({stated_condition("a[1] == 2 && a[1] != b"), stated_condition("s.count < 3")});
  ASSERT_TRUE(names.ok());
  ASSERT_EQ(names->size(), 3u);
  EXPECT_EQ((*names)[0].index, 1u);
  EXPECT_EQ((*names)[2].name, "s.count");
}

}  // namespace
}  // namespace weakspot::prove::prove_test

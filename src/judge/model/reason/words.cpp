// SPDX-License-Identifier: MIT
#include "model/reason/words.h"

#include <fmt/format.h>

#include <algorithm>

#include "model/execution/frame.h"
#include "model/reason/event_texts.h"

namespace weakspot::model {
namespace {

constexpr SetWord kSetWords[] = {
    {"R", "", "read"},
    {"W", "", "write"},
    {"M", "", "access"},
    {"F", "", "fence"},
    {"IW", "initial", "write"},
    {"I", "initial", "write"},
    {"CBAR", "", "barrier"},
    {"RLX", "relaxed", ""},
    {"ACQ", "acquire", ""},
    {"REL", "release", ""},
    {"ACQ_REL", "acquire-release", ""},
    {"SC", "seq_cst", ""},
    {"A", "acquire", ""},
    {"Q", "acquire-pc", ""},
    {"L", "release", ""},
    {"TEX", "texture-proxy", ""},
    {"SUR", "surface-proxy", ""},
    {"ALIAS", "alias-proxy", ""},
    {"ASYNC", "async-proxy", ""},
    {"TENSORMAP", "tensormap-proxy", ""},
    {"WGMMA", "wgmma", ""},
    {"TENSOR", "tensor-memory", ""},
    {"TCWAIT", "tensor-memory", "wait"},
    {"TCBEFORE", "before_thread_sync", ""},
    {"TCAFTER", "after_thread_sync", ""},
    {"PROXY", "proxy", "fence"},
    {"AVDEVICE", "", "availability operation of the device"},
    {"VISDEVICE", "", "visibility operation of the device"},
    {"MFENCE", "", "MFENCE"},
    {"mfence", "", "MFENCE"},
    {"MEMBAR", "", "membar"},
    {"ISB", "", "ISB"},
};

struct SideCondition {
  std::string_view name;
  std::string_view words;
};
constexpr SideCondition kSideConditions[] = {
    {"loc", ""},
    {"vloc", ""},
    {"int", ""},
    {"ext", ""},
    {"id", ""},
    {"si", ""},
    {"sm", ""},
    {"same-instance", "are of one instruction"},
    {"same-bytes", ""},
    {"swi", "are of one thread"},
    {"ssg", "are in one subgroup"},
    {"swarp", "are in one warp"},
    {"swg", "are in one workgroup"},
    {"scta", "are in one CTA"},
    {"scluster", "are in one cluster"},
    {"sqf", "are in one queue family"},
    {"sdv", "are on one device"},
    {"sgpu", "are on one GPU"},
    {"ssys", "are in one system"},
    {"warp", "are in one warp"},
    {"sub_group", "are in one subgroup"},
    {"cta", "are in one CTA"},
    {"work_group", "are in one workgroup"},
    {"cluster", "are in one cluster"},
    {"kernel", "are on one device"},
    {"gl", "are on one GPU"},
    {"gpu", "are on one GPU"},
    {"device", "are on one device"},
    {"sys", ""},
    {"system", ""},
    {"sr", "have scopes that include each other"},
    {"fence-of-proxy", "are an access through a proxy and a fence of it"},
    {"fence-into-proxy", "are a fence of a proxy and an access through it"},
};

const SideCondition* find_side_condition(std::string_view name) {
  const auto* at = std::find_if(std::begin(kSideConditions), std::end(kSideConditions),
                                [&](const SideCondition& entry) { return entry.name == name; });
  return at == std::end(kSideConditions) ? nullptr : at;
}

std::string value_of(const Witness& witness, EventId event) {
  return event_value(witness.frame, witness.values, event);
}

}  // namespace

bool is_side_condition(std::string_view relation) { return find_side_condition(relation) != nullptr; }

std::string_view side_condition_words(std::string_view relation) {
  const SideCondition* found = find_side_condition(relation);
  return found == nullptr ? std::string_view() : found->words;
}

const SetWord* set_word(std::string_view name) {
  const auto* at = std::find_if(std::begin(kSetWords), std::end(kSetWords),
                                [&](const SetWord& entry) { return entry.name == name; });
  return at == std::end(kSetWords) ? nullptr : at;
}

std::string with_article(const std::string& text) {
  static constexpr std::string_view kVowels = "aeiouAEIOU";
  const bool vowel = !text.empty() && kVowels.find(text.front()) != std::string_view::npos;
  return fmt::format("{} {}", vowel ? "an" : "a", text);
}

std::string edge_words(const Witness& witness, std::string_view relation, EventId from, EventId to) {
  const Frame& frame = witness.frame;
  const std::string a = event_letter(frame, from);
  const std::string b = event_letter(frame, to);
  const bool initial = !frame.events[from].thread;
  if (relation == "po" || relation == "po-loc" || relation == "poloc") {
    if (!frame.events[from].thread) return {};
    const std::uint32_t thread = frame.events[from].thread->index;
    return frame.events[from].agent == 0
               ? fmt::format("{} is before {} in P{}", a, b, thread)
               : fmt::format("{} is before {} in an asynchronous operation of P{}", a, b, thread);
  }
  if (relation == "rf" || relation == "rfe" || relation == "rfi") {
    return initial ? fmt::format("{} reads the initial {}", b, value_of(witness, to))
                   : fmt::format("{} reads {} from {}", b, value_of(witness, to), a);
  }
  if (relation == "co" || relation == "coe" || relation == "coi") {
    return initial ? fmt::format("{} overwrites the initial {}", b, value_of(witness, from))
                   : fmt::format("{} overwrites the {} of {}", b, value_of(witness, from), a);
  }
  if (relation == "fr" || relation == "fre" || relation == "fri") {
    return fmt::format("{} reads {}, which {} overwrites", a, value_of(witness, from), b);
  }
  if (relation == "addr") return fmt::format("the address of {} depends on {}", b, a);
  if (relation == "data") return fmt::format("what {} writes depends on {}", b, a);
  if (relation == "ctrl") return fmt::format("whether {} happens depends on {}", b, a);
  if (relation == "rmw" || relation == "amo" || relation == "lxsx" || relation == "lk-rmw") {
    return fmt::format("{} and {} are one read-modify-write", a, b);
  }
  if (relation == "si") return fmt::format("{} and {} are pieces of one access", a, b);
  if (relation == "issue") return fmt::format("{} is done before the operation of {} is issued", a, b);
  if (relation == "complete") return fmt::format("{} waits for the operation of {}", b, a);
  if (relation == "later") return fmt::format("{} is of an operation that is issued before {}", a, b);
  if (relation == "tcpipe") return fmt::format("the operations of {} and {} form a pipeline", a, b);
  if (relation == "start") return fmt::format("{} lets the grid of {} start", a, b);
  if (relation == "launch") return fmt::format("{} waits for the grid of {}", b, a);
  if (relation == "cluster-barrier") return fmt::format("{} and {} meet at a barrier of the cluster", a, b);
  if (relation == "syncbar") return fmt::format("{} and {} meet at a barrier", a, b);
  if (relation == "ssw") return fmt::format("{} and {} synchronise outside the program", a, b);
  if (relation == "membar.cta" || relation == "membar.gl" || relation == "membar.sys") {
    return fmt::format("there is a {} between {} and {}", relation, a, b);
  }
  return {};
}

}  // namespace weakspot::model

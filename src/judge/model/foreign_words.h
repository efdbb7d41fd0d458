// SPDX-License-Identifier: MIT
// Instructions that a model has no meaning for. A cat file answers every test, because a set that it does not name
// orders nothing. For a model that covers only part of the vocabulary, that answer would be made up.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/span.h"
#include "litmus/vocabulary.h"
#include "model/properties.h"

namespace weakspot::litmus {
struct LitmusTest;
}  // namespace weakspot::litmus

namespace weakspot::model {

class Model;

struct ForeignWord {
  enum class Reason : std::uint8_t {
    cpus,              // threads on CPUs beside those on GPUs
    asynchronous,      // asynchronous operations
    narrow_scope,      // rel-acq: a scope that does not reach every thread
    sc_fence,          // rel-acq
    other_fence,       // rel-acq: neither acquire nor release
    sc_access,         // rel-acq
    barrier,           // amdgpu
    unordered_fence,   // amdgpu: a fence without an order
    fence_spaces,      // amdgpu: address spaces of a fence
    proxy,             // amdgpu
    queue_family,      // amdgpu
    full_barrier_rmw,  // an old model of the Linux kernel: a read-modify-write that is a full barrier
  };
  Reason reason;
  base::Span span;                              // the instruction's place in the text of the test
  litmus::Scope scope = litmus::Scope::device;  // for narrow_scope
  litmus::Proxy of = litmus::Proxy::generic;    // for proxy

  // For people: "rel-acq has no scopes, and 'wg' does not reach every thread".
  std::string why() const;
};

// The first instruction of the test that the model has no meaning for, by the properties that it declares. A model
// that declares no vocabulary knows, or leaves out on purpose, all that tests for one machine can say.
std::optional<ForeignWord> foreign_word(const Model& model, const litmus::LitmusTest& test);
// The first instruction that is not in the vocabulary.
std::optional<ForeignWord> foreign_word(Vocabulary vocabulary, const litmus::LitmusTest& test);

}  // namespace weakspot::model

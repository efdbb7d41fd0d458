// SPDX-License-Identifier: MIT
// The purpose of a test, told from its name: result files say nothing else about tests.
//
// Published names are those of the MC Mutants and GPUHarbor studies ("Message Passing Barrier Variant 2", "RR Mutations
// RMW", "storeCoherency"), our own those of the corpus and of mutate ("MP-relacq-nofence.P0", "S-CO"), those of
// cuda-litmus its kernel with the blocks, scopes and variant ("wrc-TB_0_12-SCOPE_DEVICE-NO_FENCE-RELAXED").
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace weakspot::analysis {

enum class NameStyle { published, corpus, cuda_litmus };

// The three of the MC Mutants study, and two more.
enum class Mutator { reversing_po_loc, weakening_po_loc, weakening_sw, weakening_order, narrowing_scope };
inline constexpr Mutator kMutators[] = {Mutator::reversing_po_loc, Mutator::weakening_po_loc, Mutator::weakening_sw,
                                        Mutator::weakening_order, Mutator::narrowing_scope};
std::string_view to_string(Mutator mutator);  // "reversing po-loc"

enum class TestKind {
  mutant,
  conformance,
  other,  // neither: nothing says whether its behaviour is allowed
};

struct TestRole {
  TestKind kind = TestKind::other;
  std::optional<Mutator> mutator;  // for a mutant
  std::string family;              // the same for a conformance test and its mutants

  friend bool operator==(const TestRole&, const TestRole&) = default;
};

TestRole role_of(std::string_view test, NameStyle style);

// Whether an iteration of the test has one instance, whatever the number of workgroups.
bool is_single_instance(std::string_view test, NameStyle style);

}  // namespace weakspot::analysis

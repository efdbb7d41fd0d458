// SPDX-License-Identifier: MIT
// Rounds of loops that write back what they read: a test-and-set of a flag that is set, an exchange of the same value.
//
// Such a round may be left out only if no path that is kept reads a value that it writes back. Then the writes of all
// such rounds are read by such rounds alone, and nothing that is kept has read from them.
#pragma once

#include <vector>

#include "litmus/test.h"
#include "model/execution/path.h"
#include "model/execution/spin.h"
#include "model/execution/value_domain.h"

namespace weakspot::model {

class WriteBacks {
 public:
  // `kept` are the paths, by thread, that are not left out. Everything must outlive it.
  WriteBacks(const litmus::LitmusTest& test, const SharedAccesses& shared, const std::vector<std::vector<Path>>& kept)
      : test_(test), shared_(shared), kept_(kept) {}

  // Whether the last round of some path in `spins` (by thread) writes back a value that others could see.
  bool any(const std::vector<std::vector<Path>>& spins) const;
  // Whether a kept path may read such a value, or the outcome holds it.
  bool may_be_seen(const std::vector<std::vector<Path>>& spins, const ValueDomain& domain) const;

 private:
  template <typename Visit>
  bool some(const std::vector<std::vector<Path>>& spins, const Visit& visit) const;
  bool is_observed(litmus::LocationId physical) const;
  bool is_read(const Bytes& bytes, litmus::Type type, const litmus::Value& value) const;
  bool reads(litmus::ThreadId thread, const Path& path, const Bytes& bytes, litmus::Type type,
             const litmus::Value& value) const;

  const litmus::LitmusTest& test_;
  const SharedAccesses& shared_;
  const std::vector<std::vector<Path>>& kept_;
};

}  // namespace weakspot::model

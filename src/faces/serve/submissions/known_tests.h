// SPDX-License-Identifier: MIT
// The tests that results may speak of: those of the corpus and of the suite that pages run, by hash.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>

#include "base/result.h"

namespace weakspot::serve {

class KnownTests {
 public:
  void add(std::string hash, std::string name) { names_.emplace(std::move(hash), std::move(name)); }
  // Our own name of the test, or nullptr. A sender's name for it is of no interest.
  const std::string* name_of(const std::string& hash) const {
    const auto found = names_.find(hash);
    return found == names_.end() ? nullptr : &found->second;
  }
  std::size_t size() const { return names_.size(); }

 private:
  std::unordered_map<std::string, std::string> names_;
};

base::Result<KnownTests> load_known_tests();

}  // namespace weakspot::serve

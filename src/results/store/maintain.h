// SPDX-License-Identifier: MIT
// Operations on a whole store: merge it into another, and check it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "store/database.h"
#include "store/result_store.h"

namespace weakspot::store {

struct Merged {
  Added records;
  Added campaigns;
  Added shard_results;
  Added submissions;
};

// Adds everything of `from` that `into` lacks. A second time it changes nothing. A shard that is done in `into` keeps
// its result. A submission that was deleted from `into` stays deleted. Fails if both have a campaign of the same id
// with different plans; other parts may have been added before.
base::Result<Merged> merge_store(Database& from, Database& into);

struct Verified {
  std::int64_t records = 0;
  std::int64_t submissions = 0;
  std::vector<std::string> problems;  // a line each; none: all is well
};

// Hashes every document, and has the database check its pages, its indexes and its foreign keys.
base::Result<Verified> verify_store(Database& database);

}  // namespace weakspot::store

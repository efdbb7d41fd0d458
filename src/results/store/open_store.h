// SPDX-License-Identifier: MIT
// Opens a store: a path is a file of SQLite, an address postgresql://... a database of PostgreSQL.
#pragma once

#include <memory>
#include <string>

#include "base/result.h"
#include "store/database.h"

namespace weakspot::store {

// Fails on a database that is not a store, and on a store of a newer version, which stays as it is.
// `patience` is how long a call waits for another process that has locked the store.
base::Result<std::unique_ptr<Database>> open_store(const std::string& place, Access access,
                                                   Duration patience = Duration(10'000));

// Whether this word may name a store: an address of PostgreSQL, or an existing file of SQLite, which may not be a
// store.
bool looks_like_store(const std::string& place);
// Whether it names a store; an address always does.
bool is_store(const std::string& place);

}  // namespace weakspot::store

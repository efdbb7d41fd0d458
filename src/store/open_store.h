// SPDX-License-Identifier: MIT
// Opens a store: a path is a file of SQLite, an address postgresql://... a database of PostgreSQL.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "base/result.h"
#include "store/database.h"

namespace weakspot::store {

enum class Access : std::uint8_t {
  read,    // a store that exists; nothing is written
  write,   // a store that exists; an older version is brought up to date
  create,  // the same, and a missing store is made
};

// Fails on a database that is not a store, and on a store of a newer version, which stays as it is.
base::Result<std::unique_ptr<Database>> open_store(const std::string& place, Access access);

// Whether this word names a store: an address of PostgreSQL, or an existing file of SQLite.
bool looks_like_store(const std::string& place);

}  // namespace weakspot::store

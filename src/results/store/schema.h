// SPDX-License-Identifier: MIT
// The tables of a store and their versions. docs/results-format.md describes them.
//
// Each version is a script that makes it from the one before. A script that was released never changes.
#pragma once

#include "base/result.h"
#include "store/database.h"

namespace weakspot::store {

// The version that this program reads and writes.
int schema_version();

// The version of a store; 0 for an empty database. Fails on a database with tables that are not a store's.
base::Result<int> stored_version(Database& database);

// Whether the database has the tables of a store, of whatever version.
base::Result<bool> has_store_tables(Database& database);

// Brings the tables up to date, in one transaction. Fails on a newer version.
base::Status migrate(Database& database);

}  // namespace weakspot::store

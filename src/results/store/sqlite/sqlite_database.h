// SPDX-License-Identifier: MIT
// A store in a file of SQLite: write-ahead log, foreign keys, and commits that wait for the disk. Deleted bytes are
// overwritten.
#pragma once

#include <memory>
#include <string>

#include "base/result.h"
#include "store/database.h"

namespace weakspot::store {

base::Result<std::unique_ptr<Database>> open_sqlite(const std::string& file, Access access, Duration patience);

}  // namespace weakspot::store

// SPDX-License-Identifier: MIT
// A store on a server of PostgreSQL. A connection that was lost is made again by the next call outside a transaction.
#pragma once

#include <memory>
#include <string>

#include "base/result.h"
#include "store/database.h"

namespace weakspot::store {

base::Result<std::unique_ptr<Database>> open_postgres(const std::string& address, Access access, Duration patience);

}  // namespace weakspot::store

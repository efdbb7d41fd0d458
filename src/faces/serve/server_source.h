// SPDX-License-Identifier: MIT
// Work from a server: the other side of work_api.h. An agent with it behaves as one that has the store itself.
#pragma once

#include <memory>
#include <string>

#include "base/result.h"
#include "workbench/work_source.h"

namespace weakspot::serve {

// Nothing is asked yet. Errors of the source are of kind `environment` where another try may help (no connection, no
// answer, a busy store), and of kind `bad_input` where it cannot: a wrong token, a result that the server refuses.
base::Result<std::unique_ptr<workbench::WorkSource>> server_source(const std::string& url, std::string token);

}  // namespace weakspot::serve

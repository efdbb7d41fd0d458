// SPDX-License-Identifier: MIT
// The store that a command adds its results to.
#pragma once

#include <memory>
#include <string>

#include "base/result.h"
#include "campaign/run_record.h"
#include "store/database.h"

namespace weakspot::workbench {

class StoreSink {
 public:
  // Makes the store if there is none. With an empty place nothing is kept. A job of hours should fail here, at once.
  static base::Result<StoreSink> open(const std::string& place);

  // Durable when it returns. Errors are of kind `environment`.
  base::Status add(const campaign::RunRecord& record);
  // A document as --out or --json writes it.
  base::Status add(const std::string& document);

  bool keeps() const { return database_ != nullptr; }

 private:
  std::unique_ptr<store::Database> database_;
};

}  // namespace weakspot::workbench

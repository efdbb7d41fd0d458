// SPDX-License-Identifier: MIT
// The journal of a search: one line per slice, written as soon as it is measured. When it is read back it stands in for
// the device: the search takes the same steps as before and continues where the journal ends. So a search can be killed
// at any moment, and the same command continues it. Slices that were interrupted, or lost without the device coming
// back, are not in the journal: they are measured again. Checks are not steps of the search and are marked as checks;
// only those after the last step are read back, so that a search that continues for longer makes new ones.
#pragma once

#include <memory>
#include <string>

#include "base/result.h"
#include "campaign/measure.h"

namespace weakspot::campaign {

class Journal : public Measurer {
 public:
  // The number of slices that came from the file.
  virtual std::size_t replayed() const = 0;
  // True if the file ended in part of a line, which was dropped: its writer was killed.
  virtual bool was_torn() const = 0;
  // The first failure to write, or the first slice that does not fit the search.
  virtual base::Status status() const = 0;
};

// `purpose`, a line that says what is searched for and how, is the first line of the file; another first line is an
// error. A last line that was cut off is dropped. The measurer must outlive the journal.
base::Result<std::unique_ptr<Journal>> open_journal(const std::string& path, const std::string& purpose,
                                                    Measurer& measurer);

}  // namespace weakspot::campaign

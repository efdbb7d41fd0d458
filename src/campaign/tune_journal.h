// The journal of a search: one line per slice, written as soon as it is measured. Read back, it stands in for the
// device: the search takes the same steps as before, and goes on where the journal ends. So a search can be killed at
// any moment, and the same command goes on with it. Slices that were interrupted, or lost without the device coming
// back, are not in it: they are measured again. Checks, which are no steps of the search, are marked; those behind the
// last step are read back, so that a search that goes on for longer makes new ones.
#pragma once

#include <memory>
#include <string>

#include "base/result.h"
#include "campaign/measure.h"

namespace weakspot::campaign {

class Journal : public Measurer {
 public:
  // How many slices came from the file.
  virtual std::size_t replayed() const = 0;
  // What could not be written or did not fit the search, if anything.
  virtual base::Status status() const = 0;
};

// `purpose`, a line that says what is searched for and how, heads the file. A file that begins otherwise is an error. A
// last line that was cut off is dropped. The measurer must outlive the journal.
base::Result<std::unique_ptr<Journal>> open_journal(const std::string& path, const std::string& purpose,
                                                    Measurer& measurer);

}  // namespace weakspot::campaign

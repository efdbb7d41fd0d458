// SPDX-License-Identifier: MIT
// Captures: launches that a program made, with the PTX of their kernels, their arguments and the memory that they
// found, as a folder of files (docs/capture.md). A capture may come from anybody: nothing outside of its folder is
// read, and nothing is believed without looking.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "race/architecture.h"
#include "race/launch_shape.h"

namespace weakspot::capture {

inline constexpr std::uint64_t kCaptureVersion = 1;
inline constexpr std::uint64_t kMostMemory = std::uint64_t{2} << 30;  // of all buffers and outputs together

struct Capture {
  struct Module {
    std::string name;  // for findings in PTX without lines of a source
    std::string ptx;
  };
  struct Buffer {
    std::string name;           // empty: that of the parameter it is passed for
    std::uint64_t address = 0;  // on the device where it was captured
    std::uint64_t size = 0;
    std::string contents;  // before the first launch; empty: zeros
    // The symbol, if this is a variable of a module, which then has the memory; else empty.
    std::string variable;
    std::size_t module = 0;
  };
  struct Output {
    std::size_t buffer = 0;
    std::string contents;
  };
  struct Launch {
    std::size_t module = 0;
    std::string kernel;  // its symbol
    race::LaunchShape shape;
    std::vector<std::string> arguments;  // their bytes; pointers are addresses in buffers
    std::vector<Output> outputs;         // what the device left
  };

  std::string program;  // the command that was captured
  std::optional<race::Architecture> architecture;
  std::vector<Module> modules;
  std::vector<Buffer> buffers;
  std::vector<Launch> launches;
};

// Reads all of it, or says all that is wrong with the list, or the first thing that is wrong with another file.
base::Result<Capture> read_capture(const std::string& folder);

// The contents of a file of the folder, at most so many bytes and exactly as many as are expected, unpacked if it is
// packed. Fails if it lies elsewhere, by an absolute path, by '..' or by a link.
base::Result<std::string> read_file_of(const std::string& folder, const std::string& name, std::uint64_t most,
                                       std::optional<std::uint64_t> expected = std::nullopt);

// A file of a folder: its name, which has no folder in it, and its bytes.
struct CaptureFile {
  std::string name;
  std::string bytes;
};

// The files that read_capture() reads back; what is not zeros is packed. The list is the last: a folder that has it is
// whole.
std::vector<CaptureFile> files_of(const Capture& capture);
// Makes the folder if it is missing. Fails if a name is that of a file elsewhere.
base::Status write_files(const std::vector<CaptureFile>& files, const std::string& folder);

}  // namespace weakspot::capture

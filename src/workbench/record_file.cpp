// SPDX-License-Identifier: MIT
#include "workbench/record_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "campaign/record_json.h"

namespace weakspot::workbench {

base::Result<RecordFile> RecordFile::create(const std::string& path) {
  const int fd = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (fd < 0) return base::error_in(path, fmt::format("cannot write: {}", std::strerror(errno)));
  return RecordFile(path, base::UniqueFd(fd));
}

base::Status RecordFile::write(const std::string& text) {
  std::size_t done = 0;
  while (done < text.size()) {
    const ssize_t count =
        ::pwrite(file_.get(), text.data() + done, text.size() - done, static_cast<off_t>(begin_ + done));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return base::error_in(path_, fmt::format("cannot write: {}", std::strerror(errno)));
    done += static_cast<std::size_t>(count);
  }
  return base::ok_status();
}

base::Status RecordFile::update(const campaign::RunRecord& record) {
  std::string line = campaign::to_json(record);
  if (line.size() + 1 < length_) line.append(length_ - line.size() - 1, ' ');
  line += '\n';
  length_ = line.size();
  return write(line);
}

base::Status RecordFile::finish(const campaign::RunRecord& record) {
  base::Status written = update(record);
  begin_ += length_;
  length_ = 0;
  return written;
}

}  // namespace weakspot::workbench

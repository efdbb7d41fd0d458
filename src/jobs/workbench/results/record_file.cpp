// SPDX-License-Identifier: MIT
#include "workbench/record_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "base/file.h"
#include "campaign/record_json.h"

namespace weakspot::workbench {

base::Result<RecordFile> RecordFile::create(const std::string& path, bool append, std::string& note) {
  auto failure = [&] { return base::file_error(path, "write"); };
  auto open = [&] { return base::UniqueFd(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666)); };
  base::UniqueFd file = open();
  if (!file.valid()) return failure();
  if (base::Status locked = base::lock_file(path, file.get()); !locked) return locked.errors();
  struct stat found{};
  if (::fstat(file.get(), &found) != 0) return failure();
  if (!S_ISREG(found.st_mode) || found.st_size == 0) return RecordFile(path, std::move(file));
  if (!append) {
    const std::string old = path + "~";
    if (::rename(path.c_str(), old.c_str()) != 0) return failure();
    note = fmt::format("the records that were in {} are now in {}", path, old);
    base::UniqueFd fresh = open();
    if (!fresh.valid()) return failure();
    if (base::Status locked = base::lock_file(path, fresh.get()); !locked) return locked.errors();
    return RecordFile(path, std::move(fresh));
  }
  const base::Result<std::string> text = base::read_file(path);
  if (!text) return text.errors();
  const std::size_t end = text->rfind('\n');
  const std::size_t whole = end == std::string::npos ? 0 : end + 1;
  if (whole != text->size()) {
    if (::ftruncate(file.get(), static_cast<off_t>(whole)) != 0) return failure();
    note = fmt::format("the last line of {} was not complete and has been dropped", path);
  }
  RecordFile made(path, std::move(file));
  made.begin_ = whole;
  return made;
}

base::Status RecordFile::write(const std::string& text) {
  std::size_t done = 0;
  while (done < text.size()) {
    const ssize_t count =
        ::pwrite(file_.get(), text.data() + done, text.size() - done, static_cast<off_t>(begin_ + done));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return base::file_error(path_, "write");
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

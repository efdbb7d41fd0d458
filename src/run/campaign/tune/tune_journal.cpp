// SPDX-License-Identifier: MIT
#include "campaign/tune_journal.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <deque>
#include <limits>

#include "base/file.h"
#include "base/source.h"
#include "base/unique_fd.h"
#include "campaign/measured_fields.h"

namespace weakspot::campaign {
namespace {

struct Line {
  std::size_t test = 0;
  std::string environment;
  double asked = 0;
  std::uint64_t seed = 0;
  Slice slice;
  bool is_check = false;

  bool asks_the_same(const Line& other) const {
    return test == other.test && environment == other.environment && asked == other.asked && seed == other.seed;
  }
};

std::string to_line(const Line& line) {
  base::JsonValue json = base::json_object({{"test", line.test},
                                            {"environment", line.environment},
                                            {"asked", line.asked},
                                            {"seed", line.seed},
                                            {"kills", line.slice.kills},
                                            {"instances", line.slice.instances},
                                            {"seconds", line.slice.seconds}});
  if (!line.slice.problem.empty()) json.add("problem", line.slice.problem);
  if (line.slice.lost) json.add("lost", true);
  if (line.is_check) json.add("check", true);
  return base::json_compact(json) + "\n";
}

std::optional<Line> read_line(base::Mistakes& mistakes, base::Span part) {
  const std::optional<base::JsonValue> json = base::read_json_part(mistakes, part);
  if (!json) return std::nullopt;
  base::JsonFields fields(*json, mistakes, "a slice");
  Line line;
  line.test = count_in(fields, "test");
  line.environment = fields.text("environment");
  line.asked = seconds_in(fields, "asked");
  line.seed = fields.whole("seed", std::numeric_limits<std::uint64_t>::max());
  line.slice.kills = count_in(fields, "kills");
  line.slice.instances = count_in(fields, "instances");
  line.slice.seconds = seconds_in(fields, "seconds");
  line.slice.problem = fields.string("problem").value_or("");
  line.slice.lost = fields.truth("lost");
  line.is_check = fields.truth("check");
  if (mistakes.any()) return std::nullopt;
  return line;
}

class FileJournal final : public Journal {
 public:
  FileJournal(std::string path, base::UniqueFd file, std::deque<Line> past, std::deque<Line> checks, Measurer& measurer)
      : path_(std::move(path)),
        file_(std::move(file)),
        past_(std::move(past)),
        checks_(std::move(checks)),
        measurer_(measurer) {}

  void announce(std::span<const Cell> cells) override {
    if (past_.empty()) measurer_.announce(cells);
  }

  Slice measure(const Cell& cell, double seconds, std::uint64_t seed) override {
    Line line{cell.test, codegen::to_text(cell.environment), seconds, seed, {}, false};
    if (!past_.empty()) {
      const Line& known = past_.front();
      if (known.asks_the_same(line)) {
        Slice slice = known.slice;
        past_.pop_front();
        ++replayed_;
        return slice;
      }
      // Another version of this program may search in another way.
      if (status_) {
        status_ = base::error_in(path_, fmt::format("slice {} does not fit this search", replayed_ + 1));
      }
      return {0, 0, 0, "the journal does not fit this search", false};
    }
    checks_.clear();  // they were made when the search was shorter
    line.slice = measurer_.measure(cell, seconds, seed);
    // A loss becomes a step of the search once the device answers again. If it never does, or if the user interrupts,
    // the continued search measures that slice again.
    if (line.slice.interrupted) return line.slice;
    losses_ += to_line(line);
    if (line.slice.lost) return line.slice;
    append(losses_);
    losses_.clear();
    return line.slice;
  }

  Slice check(const Cell& cell, double seconds, std::uint64_t seed) override {
    Line line{cell.test, codegen::to_text(cell.environment), seconds, seed, {}, true};
    while (!checks_.empty()) {
      const Line known = std::move(checks_.front());
      checks_.pop_front();
      if (!known.asks_the_same(line)) continue;
      ++replayed_;
      return known.slice;
    }
    line.slice = measurer_.check(cell, seconds, seed);
    // While steps of the file are left, this would be a check of another search.
    if (past_.empty() && !line.slice.lost && !line.slice.interrupted) append(to_line(line));
    return line.slice;
  }

  std::size_t replayed() const override { return replayed_; }
  bool was_torn() const override { return was_torn_; }
  void note_torn() { was_torn_ = true; }
  base::Status status() const override { return status_; }

  void append(std::string_view text) {
    while (!text.empty()) {
      const ssize_t count = ::write(file_.get(), text.data(), text.size());
      if (count < 0 && errno == EINTR) continue;
      if (count < 0) {
        if (status_) status_ = base::file_error(path_, "write");
        return;
      }
      text.remove_prefix(static_cast<std::size_t>(count));
    }
  }

 private:
  std::string path_;
  base::UniqueFd file_;
  std::deque<Line> past_;
  std::deque<Line> checks_;
  std::string losses_;  // lines of the slices lost since the last success
  Measurer& measurer_;
  std::size_t replayed_ = 0;
  bool was_torn_ = false;
  base::Status status_ = base::ok_status();
};

}  // namespace

base::Result<std::unique_ptr<Journal>> open_journal(const std::string& path, const std::string& purpose,
                                                    Measurer& measurer) {
  base::UniqueFd file(::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666));
  if (!file.valid()) return base::file_error(path, "write");
  if (base::Status locked = base::lock_file(path, file.get()); !locked) return locked.errors();
  base::Result<std::string> read = base::read_file(path);
  if (!read) return read.errors();
  std::string text = *std::move(read);
  // Whole lines only.
  const std::size_t size = text.size();
  text.resize(text.rfind('\n') == std::string::npos ? 0 : text.rfind('\n') + 1);
  const base::Source source(path, std::move(text));
  const std::string_view lines = source.text();
  std::deque<Line> past, checks;
  for (std::size_t begin = 0; begin < lines.size();) {
    const std::size_t end = lines.find('\n', begin);
    const base::Span part{static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end)};
    begin = end + 1;
    if (part.begin == 0) {
      if (source.slice(part) == purpose) continue;
      return base::error_in(path, "the file is the journal of another search; remove it, or name another --out");
    }
    base::Mistakes mistakes(source);
    std::optional<Line> slice = read_line(mistakes, part);
    if (!slice) return mistakes.take();
    // Checks that were followed by more steps are of no use.
    if (!slice->is_check) checks.clear();
    (slice->is_check ? checks : past).push_back(*std::move(slice));
  }
  if (::ftruncate(file.get(), static_cast<off_t>(lines.size())) != 0) {
    return base::file_error(path, "write");
  }
  auto journal = std::make_unique<FileJournal>(path, std::move(file), std::move(past), std::move(checks), measurer);
  if (lines.size() != size) journal->note_torn();
  if (lines.empty()) journal->append(purpose + "\n");
  if (base::Status status = journal->status(); !status) return status.errors();
  return std::unique_ptr<Journal>(std::move(journal));
}

}  // namespace weakspot::campaign

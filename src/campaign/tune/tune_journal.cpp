#include "campaign/tune_journal.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <deque>
#include <limits>

#include "base/file.h"
#include "base/unique_fd.h"
#include "campaign/checked_json.h"

namespace weakspot::campaign {
namespace {

using Json = FileJson;

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
  Json json = {{"test", line.test},
               {"environment", line.environment},
               {"asked", line.asked},
               {"seed", line.seed},
               {"kills", line.slice.kills},
               {"instances", line.slice.instances},
               {"seconds", line.slice.seconds}};
  if (!line.slice.problem.empty()) json["problem"] = line.slice.problem;
  if (line.slice.lost) json["lost"] = true;
  if (line.is_check) json["check"] = true;
  return json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

base::Result<Line> read_line(std::string_view text) {
  return take_apart("slice", [&]() -> base::Result<Line> {
    constexpr std::uint64_t kAnySeed = std::numeric_limits<std::uint64_t>::max();
    const Json json = parse_line(text);
    Line line{count_in(json, "test"),
              text_in(json, "environment"),
              seconds_in(json, "asked"),
              whole_in(json, "seed", kAnySeed),
              {}};
    line.slice = {count_in(json, "kills"), count_in(json, "instances"), seconds_in(json, "seconds"), "", false};
    if (json.contains("problem")) line.slice.problem = text_in(json, "problem");
    if (json.contains("lost")) line.slice.lost = flag_in(json, "lost");
    if (json.contains("check")) line.is_check = flag_in(json, "check");
    return line;
  });
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
      // Another version of this program would have searched in another way: from here on it is a new search.
      if (status_) {
        status_ = base::error_in(path_, fmt::format("slice {} is not what this search asks for", replayed_ + 1));
      }
      return {0, 0, 0, "the journal does not fit", false};
    }
    checks_.clear();  // they were made when the search was shorter
    line.slice = measurer_.measure(cell, seconds, seed);
    // A loss is a step of the search once the device has answered again. If it never does, or if the user has had
    // enough, the search that goes on from here measures that slice again.
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
    // Behind steps that this search has not taken it would be the check of another.
    if (past_.empty() && !line.slice.lost && !line.slice.interrupted) append(to_line(line));
    return line.slice;
  }

  std::size_t replayed() const override { return replayed_; }
  base::Status status() const override { return status_; }

  void append(std::string_view text) {
    while (!text.empty()) {
      const ssize_t count = ::write(file_.get(), text.data(), text.size());
      if (count < 0 && errno == EINTR) continue;
      if (count < 0) {
        if (status_) status_ = base::error_in(path_, fmt::format("cannot write: {}", std::strerror(errno)));
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
  std::string losses_;  // lines of the slices that were lost since the last one that was not
  Measurer& measurer_;
  std::size_t replayed_ = 0;
  base::Status status_ = base::ok_status();
};

}  // namespace

base::Result<std::unique_ptr<Journal>> open_journal(const std::string& path, const std::string& purpose,
                                                    Measurer& measurer) {
  std::string text;
  struct stat found{};
  if (::stat(path.c_str(), &found) == 0) {
    base::Result<std::string> read = base::read_file(path);
    if (!read) return read.errors();
    text = *std::move(read);
  }
  // Whole lines only.
  text.resize(text.rfind('\n') == std::string::npos ? 0 : text.rfind('\n') + 1);
  std::deque<Line> past, checks;
  std::size_t begin = 0;
  for (std::size_t number = 0; begin < text.size(); ++number) {
    const std::size_t end = text.find('\n', begin);
    const std::string_view line = std::string_view(text).substr(begin, end - begin);
    begin = end + 1;
    if (number == 0) {
      if (line == purpose) continue;
      return base::error_in(path, "this is the journal of another search; remove it, or name another --out");
    }
    base::Result<Line> slice = read_line(line);
    if (!slice) return base::error_in(path, fmt::format("line {}: {}", number + 1, slice.errors().front().message));
    // Checks of a search that went on since then are of no use.
    if (!slice->is_check) checks.clear();
    (slice->is_check ? checks : past).push_back(*std::move(slice));
  }
  base::UniqueFd file(::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666));
  if (file.get() < 0 || ::ftruncate(file.get(), static_cast<off_t>(text.size())) != 0) {
    return base::error_in(path, fmt::format("cannot write: {}", std::strerror(errno)));
  }
  auto journal = std::make_unique<FileJournal>(path, std::move(file), std::move(past), std::move(checks), measurer);
  if (text.empty()) journal->append(purpose + "\n");
  if (base::Status status = journal->status(); !status) return status.errors();
  return std::unique_ptr<Journal>(std::move(journal));
}

}  // namespace weakspot::campaign

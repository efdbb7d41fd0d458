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
    return line;
  });
}

class FileJournal final : public Journal {
 public:
  FileJournal(std::string path, base::UniqueFd file, std::deque<Line> past, Measurer& measurer)
      : path_(std::move(path)), file_(std::move(file)), past_(std::move(past)), measurer_(measurer) {}

  void announce(std::span<const Cell> cells) override {
    if (past_.empty()) measurer_.announce(cells);
  }

  Slice measure(const Cell& cell, double seconds, std::uint64_t seed) override {
    Line line{cell.test, codegen::to_text(cell.environment), seconds, seed, {}};
    if (!past_.empty()) {
      const Line& known = past_.front();
      if (known.test == line.test && known.environment == line.environment && known.asked == seconds &&
          known.seed == seed) {
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
    line.slice = measurer_.measure(cell, seconds, seed);
    append(to_line(line));
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
  Measurer& measurer_;
  std::size_t replayed_ = 0;
  base::Status status_ = base::ok_status();
};

}  // namespace

base::Result<std::unique_ptr<Journal>> open_journal(const std::string& path, const std::string& purpose,
                                                    Measurer& measurer) {
  std::string text;
  struct stat found {};
  if (::stat(path.c_str(), &found) == 0) {
    base::Result<std::string> read = base::read_file(path);
    if (!read) return read.errors();
    text = *std::move(read);
  }
  // Whole lines only.
  text.resize(text.rfind('\n') == std::string::npos ? 0 : text.rfind('\n') + 1);
  std::deque<Line> past;
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
    past.push_back(*std::move(slice));
  }
  base::UniqueFd file(::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666));
  if (file.get() < 0 || ::ftruncate(file.get(), static_cast<off_t>(text.size())) != 0) {
    return base::error_in(path, fmt::format("cannot write: {}", std::strerror(errno)));
  }
  auto journal = std::make_unique<FileJournal>(path, std::move(file), std::move(past), measurer);
  if (text.empty()) journal->append(purpose + "\n");
  if (base::Status status = journal->status(); !status) return status.errors();
  return std::unique_ptr<Journal>(std::move(journal));
}

}  // namespace weakspot::campaign

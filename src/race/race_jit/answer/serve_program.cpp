// SPDX-License-Identifier: MIT
#include "race_jit/answer/serve_program.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sys/auxv.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <set>
#include <thread>

#include "base/file.h"
#include "base/markup.h"
#include "base/printable.h"
#include "race/replay.h"
#include "race/source_lines.h"
#include "race_jit/answer/compile_source.h"
#include "race_jit/compile/compile_cache.h"
#include "race_jit/compile/frontend.h"
#include "race_jit/from_ptx/translate.h"
#include "race_jit/host/device_code.h"
#include "race_jit/host/device_link.h"
#include "race_jit/host/device_service.h"
#include "race_jit/host/program_table.h"
#include "race_jit/link/link_code.h"
#include "race_jit/lower/growing_module.h"
#include "race_jit/machine/signals.h"
#include "race_jit/search/bytes.h"

namespace weakspot::race_jit {
namespace {

namespace fs = std::filesystem;
using ProgramClock = std::chrono::steady_clock;

constexpr double kNoLimit = 1e8;              // seconds
constexpr double kTrialTime = 1;              // seconds at most, for barriers that may be redundant
constexpr std::chrono::seconds kPatience{2};  // for a launch whose program has ended

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

std::string read_words() {
  const off_t size = lseek(kProgramTable, 0, SEEK_END);
  std::string bytes(static_cast<std::size_t>(std::max<off_t>(size, 0)), '\0');
  if (pread(kProgramTable, bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size())) bytes.clear();
  return bytes;
}

bool write_words(const std::string& bytes) {
  return ftruncate(kProgramTable, 0) == 0 &&
         pwrite(kProgramTable, bytes.data(), bytes.size(), 0) == static_cast<ssize_t>(bytes.size());
}

bool write_table(const ProgramTable& table) {
  ByteWriter writer;
  writer(table);
  return write_words(writer.take());
}

bool answer(const ProgramTable& table) {
  const char ready = 1;
  return write_table(table) && send(kProgramSocket, &ready, 1, MSG_NOSIGNAL) == 1;
}

// Stops a launch that runs on after its program has ended.
class EndWatcher {
 public:
  EndWatcher() : main_(pthread_self()) {
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    thread_ = std::thread([this] { watch(); });
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    thread_.detach();  // this process ends without destructors
  }
  void set_busy(bool busy) { busy_ = busy; }

 private:
  void watch() {
    pollfd wait = {kProgramSocket, POLLRDHUP, 0};
    while (poll(&wait, 1, -1) < 0 && errno == EINTR) {
    }
    std::this_thread::sleep_for(kPatience);
    if (busy_) pthread_kill(main_, SIGTERM);
  }

  pthread_t main_;
  std::atomic<bool> busy_ = false;
  std::thread thread_;
};

struct ProgramEnding {
  std::optional<int> exit_code;
  bool broken = false;  // the program wrote into its connection
};

// Until the program ends. A packet of one byte is its exit code.
ProgramEnding serve_calls(DeviceService& service, EndWatcher& watcher) {
  ProgramEnding ending;
  while (true) {
    char bytes[2];
    const ssize_t size = recv(kProgramSocket, bytes, sizeof bytes, MSG_PEEK | MSG_TRUNC);
    if (size < 0 && errno == EINTR) continue;
    if (size <= 0) return ending;
    if (size == 1) {
      (void)recv(kProgramSocket, bytes, sizeof bytes, 0);
      ending.exit_code = static_cast<unsigned char>(bytes[0]);
      continue;
    }
    watcher.set_busy(true);
    const Answered answered = answer_request(kProgramSocket, service, [] { return time_left(); });
    watcher.set_busy(false);
    ending.broken = answered == Answered::not_a_request;
    if (answered != Answered::yes) return ending;
  }
}

base::Result<CodeToLink> to_link(DeviceCode code) {
  if (!code.ptx) return CodeToLink{code.relocatable, std::move(code.source), std::move(code.bitcode)};
  base::Result<std::string> bitcode = bitcode_of_ptx(base::Source(code.source, std::move(code.bitcode)));
  if (!bitcode) return bitcode.errors();
  return CodeToLink{code.relocatable, std::move(code.source), *std::move(bitcode)};
}

base::Result<LinkedCode> link_all(const ProgramWords& words, const std::set<std::string>& taken = {}) {
  std::vector<CodeToLink> codes, libraries;
  std::set<std::string> known;
  for (const std::string& bytes : words.codes) {
    std::vector<DeviceCode> found = device_code_in(bytes);
    if (found.empty()) found.emplace_back();
    known.insert(found.front().id);
    base::Result<CodeToLink> code = to_link(std::move(found.front()));
    if (!code) return code.errors();
    codes.push_back(*std::move(code));
  }
  for (const std::string& bytes : words.libraries) {
    for (DeviceCode& code : device_code_in(bytes)) {
      if (!known.insert(code.id).second) continue;
      base::Result<CodeToLink> library = to_link(std::move(code));
      if (!library) return library.errors();
      libraries.push_back(*std::move(library));
    }
  }
  return link_code(codes, libraries, taken);
}

race::Request request_for(const ProgramWords& words) {
  race::Request request;
  request.file = words.command.empty() ? "program" : words.command.front();
  request.program = true;
  request.headers = base::data_directory("cuda").string();
  request.seconds = kNoLimit;
  if (const double limit = std::atof(environment("WEAKSPOT_RACE_SECONDS").c_str()); limit > 0) request.seconds = limit;
  if (const int schedules = std::atoi(environment("WEAKSPOT_RACE_SCHEDULES").c_str()); schedules > 0) {
    request.schedules = static_cast<unsigned>(schedules);
  }
  request.lockstep = environment("WEAKSPOT_RACE_WARP") == "lockstep";
  request.jobs = std::max(std::thread::hardware_concurrency(), 1u);
  if (const int jobs = std::atoi(environment("WEAKSPOT_RACE_JOBS").c_str()); jobs > 0) {
    request.jobs = static_cast<unsigned>(jobs);
  }
  return request;
}

// That of WEAKSPOT_ARCH, for a program that brings no code of its own.
race::Architecture stated_architecture() {
  const base::Result<race::Architecture> named = race::parse_architecture(environment("WEAKSPOT_ARCH"));
  return named ? *named : race::Architecture{};
}

// The answer takes the place of the source in the file of the table.
bool compile_source_of_program(const race::Request& request) {
  const std::string bytes = read_words();
  SourceToCompile source;
  ByteReader reader(bytes);
  reader(source);
  ByteWriter writer;
  writer(reader.failed() ? CompiledSource{} : compile_program_source(source, request));
  return write_words(writer.take());
}

// Headers may also be included through the toolkit's folder, from whose bin/ this program was started.
std::vector<std::string> own_folders(const race::Request& request) {
  std::vector<std::string> folders = header_folders(request);
  const auto* program = reinterpret_cast<const char*>(getauxval(AT_EXECFN));
  if (program == nullptr) return folders;
  folders.push_back((fs::path(program).parent_path().parent_path() / "include").string());
  return folders;
}

// `stated` is the device's architecture where no code says more.
ProgramTable table_of(const Arena& arena, const DeviceModule& module, LinkedCode& linked, unsigned stated) {
  ProgramTable table;
  table.address = reinterpret_cast<std::uint64_t>(arena.base());
  table.size = arena.size();
  table.architecture = std::max(module.architecture(), stated);
  table.kernels = module.kernels();
  table.renamed = std::move(linked.renamed);
  for (const auto& [symbol, address] : module.variables()) {
    const Allocation* allocation = arena.find(address);
    const std::uint64_t size = allocation == nullptr ? 0 : allocation->size;
    table.variables.push_back({symbol, reinterpret_cast<std::uint64_t>(address), size, module.is_managed(symbol)});
  }
  return table;
}

std::string command_line(const std::vector<std::string>& words) {
  std::string line;
  for (const std::string& word : words) line += (line.empty() ? "" : " ") + base::shell_word(word);
  return line;
}

std::string ending_text(const ProgramEnding& ending, const race::Request& request) {
  if (ending.broken) return "the program wrote into its connection to the device";
  if (!ending.exit_code && !time_left() && !stop_requested()) {
    return fmt::format("the time limit was reached, {} s (WEAKSPOT_RACE_SECONDS)", request.seconds);
  }
  if (!ending.exit_code) return "the program ended without exit()";
  return *ending.exit_code == 0 ? "" : fmt::format("the program ended with exit code {}", *ending.exit_code);
}

// The file of this process: "scan_test.1234.json". It exists, empty and locked, until the report is written, so that
// whoever collects reports knows that there will be one.
class ReportFile {
 public:
  explicit ReportFile(const std::string& program) {
    const std::string folder = environment("WEAKSPOT_RACE_REPORTS");
    if (folder.empty()) return;
    std::error_code error;
    fs::create_directories(folder, error);
    const fs::path base =
        fs::absolute(folder, error) / fmt::format("{}.{}.{:x}", fs::path(program).filename().string(), getpid(),
                                                  ProgramClock::now().time_since_epoch().count() & 0xffffff);
    waiting_ = base.string() + ".running";
    lock_ = base::UniqueFd(open(waiting_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666));
    if (!lock_.valid()) {
      std::fprintf(stderr,
                   "weakspot: cannot write into '%s', which WEAKSPOT_RACE_REPORTS names: %s; findings go here\n",
                   base::printable(folder).c_str(), std::strerror(errno));
      return;
    }
    path_ = base.string() + ".json";
    (void)base::lock_file(waiting_, lock_.get());
    // Places are written relative to where this process is: none is below this folder.
    (void)!chdir(folder.c_str());
    if (const base::UniqueFd nothing(open("/dev/null", O_WRONLY | O_CLOEXEC)); nothing.valid()) {
      dup2(nothing.get(), STDERR_FILENO);  // the program's may be a pipe that somebody waits for
    }
  }

  void write(const race::Report& report) {
    if (path_.empty()) return print(report);
    // Where the disk is full the announcement stays: whoever collects reports counts this one as missing.
    if (base::write_file(path_, race::to_json(report) + "\n", base::Durable::no)) unlink(waiting_.c_str());
    lock_.reset();
  }

 private:
  static void print(const race::Report& report) {
    if (race::verdict(report) == race::RaceVerdict::clean) return;
    std::fputs(race::to_text(report, race::lines_of_files()).c_str(), stderr);
    std::fflush(stderr);
  }

  std::string path_, waiting_;
  base::UniqueFd lock_;
};

// Loads the code of libraries that the program has opened meanwhile.
class LaterCode {
 public:
  LaterCode(Machine& machine, GrowingModule& module, Session& session, const DeviceOptions& options)
      : machine_(machine), module_(module), session_(session), options_(options) {}

  // What the file of the table says, which becomes the answer.
  bool add() {
    base::Result<ProgramTable> table = load();
    if (!table) {
      const std::string problem = base::render(table.errors());
      session_.collector().add_not_modelled(
          {fmt::format("{}: {}",
                       is_module_ ? "a module that the program loads" : "kernels of a library that was opened later",
                       problem.substr(0, problem.find('\n'))),
           {},
           race::Effect::call,
           true});
      // A module that the program loads itself fails before its eyes; launches of a library's kernels fail unseen.
      if (!is_module_) machine_.doubt(race::Effect::call, 0);
      ProgramTable failed;
      failed.problem = problem;
      return write_table(failed);
    }
    return write_table(*table);
  }

 private:
  base::Result<ProgramTable> load() {
    const std::string bytes = read_words();
    ProgramWords words;
    ByteReader reader(bytes);
    reader(words);
    if (reader.failed()) return base::error("the program said nothing that the checker understands");
    const std::vector<DeviceCode> codes = device_code_in(words.codes.empty() ? std::string() : words.codes.front());
    is_module_ = words.codes.size() == 1 && !codes.empty() && codes.front().ptx;
    std::set<std::string> taken;
    for (const Kernel& kernel : module_.kernels()) taken.insert(kernel.symbol);
    for (const auto& [symbol, address] : module_.variables()) taken.insert(symbol);
    base::Result<LinkedCode> linked = link_all(words, taken);
    if (!linked) return linked.errors();
    base::Result<std::unique_ptr<DeviceModule>> part = load_device_module(linked->bitcode, machine_, options_);
    if (!part) return part.errors();
    for (const Kernel& kernel : (*part)->kernels()) session_.ask_for(kernel);
    ProgramTable table = table_of(machine_.arena(), **part, *linked, 0);
    module_.add(*std::move(part));
    return table;
  }

  Machine& machine_;
  GrowingModule& module_;
  Session& session_;
  const DeviceOptions& options_;
  bool is_module_ = false;  // what is added was loaded by the driver's interface
};

int refuse(const std::string& problem) {
  ProgramTable table;
  table.problem = problem;
  answer(table);
  return 3;
}

double since(ProgramClock::time_point start) {
  return std::chrono::duration<double>(ProgramClock::now() - start).count();
}

}  // namespace

int serve_program() {
  for (const int descriptor : {kProgramSocket, kProgramMemory, kProgramTable}) fcntl(descriptor, F_SETFD, FD_CLOEXEC);
  const ProgramClock::time_point start = ProgramClock::now();
  const std::string bytes = read_words();
  ProgramWords words;
  ByteReader reader(bytes);
  reader(words);
  if (reader.failed()) return refuse("it said nothing that the checker understands");
  base::Result<LinkedCode> linked = link_all(words);
  if (!linked) return refuse(base::render(linked.errors()));
  const race::Request request = request_for(words);
  base::Result<std::unique_ptr<Arena>> arena = Arena::create_in(kProgramMemory, words.attempt);
  if (!arena) return refuse(base::render(arena.errors()));
  Machine device(std::move(*arena), {.detector = {.lockstep = request.lockstep, .replicas = words.codes.empty()}});
  std::error_code ignored;
  const std::string folder = fs::current_path(ignored).string();
  ReportFile file(request.file);
  const DeviceOptions options{
      .own_folders = own_folders(request), .lazy = true, .code_cache = CompileCache::default_folder()};
  GrowingModule module(device);
  // A program that loads all of its kernels later begins without any.
  if (!words.codes.empty()) {
    base::Result<std::unique_ptr<DeviceModule>> first = load_device_module(linked->bitcode, device, options);
    if (!first) return refuse(base::render(first.errors()));
    module.add(*std::move(first));
  }
  const double compile_seconds = since(start);

  CrashGuard guard(request.seconds);
  Session session(request, device, module);
  for (const Kernel& kernel : module.kernels()) session.ask_for(kernel);
  DeviceService service(session, device, module, request, folder);
  LaterCode later(device, module, session, options);
  service.on_new_code([&] { return later.add(); });
  race::Request sources = request;
  sources.architecture = stated_architecture();
  sources.front = race::Front::clang;
  service.on_source([&] { return compile_source_of_program(sources); });
  EndWatcher watcher;
  const unsigned stated = words.codes.empty() ? stated_architecture().number : 0;
  if (!answer(table_of(device.arena(), module, *linked, stated))) return 3;
  const ProgramClock::time_point started = ProgramClock::now();
  const ProgramEnding ending = serve_calls(service, watcher);
  const std::string problem = ending_text(ending, request);  // the report takes time as well
  race::Report report = session.report(stop_requested() ? 0 : kTrialTime);
  report.run_seconds = since(started);
  report.compile_seconds = compile_seconds;
  report.program_exit = ending.exit_code.value_or(0);
  if (!problem.empty()) {
    report.incomplete = report.incomplete.empty() ? problem : fmt::format("{}: {}", problem, report.incomplete);
  }
  race::set_replays(report, command_line(words.command));
  report.architectures = {fmt::format("sm_{}", std::max(module.architecture(), stated))};
  report.files = {{command_line(words.command), race::verdict(report)}};
  file.write(report);
  return 0;
}

}  // namespace weakspot::race_jit

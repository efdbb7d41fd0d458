// SPDX-License-Identifier: MIT
#include "race_jit/host/built_program.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <iterator>
#include <utility>

#include "base/file.h"
#include "base/unique_fd.h"
#include "race/channel.h"
#include "race_jit/host/device_code.h"
#include "race_jit/host/device_link.h"
#include "race_jit/host/program_table.h"
#include "race_jit/host/registrations.h"
#include "race_jit/search/bytes.h"

namespace weakspot::race_jit {
namespace {

namespace fs = std::filesystem;

constexpr int kHighDescriptor = 512;  // far from those that programs close in a loop
constexpr std::uint64_t kMostAttempts = 4;

// The kernels and variables of the checker, as far as the runtime asks for them.
class TableModule : public DeviceModule {
 public:
  explicit TableModule(ProgramTable table) : table_(std::move(table)) {}
  void add(ProgramTable more) {
    table_.architecture = std::max(table_.architecture, more.architecture);
    std::move(more.kernels.begin(), more.kernels.end(), std::back_inserter(table_.kernels));
    std::move(more.variables.begin(), more.variables.end(), std::back_inserter(table_.variables));
  }

  const std::deque<Kernel>& kernels() const override { return table_.kernels; }
  base::Status prepare(const Kernel&) override { return base::ok_status(); }
  unsigned architecture() const override { return static_cast<unsigned>(table_.architecture); }
  void* variable(const std::string& symbol) const override {
    const TableVariable* found = find(symbol);
    return found == nullptr ? nullptr : reinterpret_cast<void*>(found->address);  // NOLINT: it came as a number
  }
  std::map<std::string, void*> variables() const override { return {}; }
  bool is_managed(const std::string& symbol) const override {
    const TableVariable* found = find(symbol);
    return found != nullptr && found->managed;
  }
  void reset_variables() override {}
  std::string shared_name(std::uint64_t, std::uint64_t&, const std::string&) const override { return {}; }
  std::span<std::uint8_t> marks() override { return {}; }
  const std::vector<LeftOut>& left_out() const override { return left_out_; }
  race::Share modelled() const override { return {}; }
  const std::vector<IdleTemplate>& idle_templates() const override { return idle_templates_; }

 private:
  const TableVariable* find(const std::string& symbol) const {
    for (const TableVariable& variable : table_.variables) {
      if (variable.symbol == symbol) return &variable;
    }
    return nullptr;
  }

  ProgramTable table_;
  std::vector<LeftOut> left_out_;
  std::vector<IdleTemplate> idle_templates_;
};

struct Ends {
  base::UniqueFd socket, memory, table;
};

[[noreturn]] void cannot_check(const std::string& why) {
  const std::string text = "weakspot: the kernels of this program cannot be checked: " + why + "\n";
  (void)!write(STDERR_FILENO, text.data(), text.size());
  _exit(3);
}

base::UniqueFd high(int descriptor) {
  base::UniqueFd first(descriptor);
  base::UniqueFd second(fcntl(descriptor, F_DUPFD_CLOEXEC, kHighDescriptor));
  return second.valid() ? std::move(second) : std::move(first);
}

// The checker lies beside this library: lib64/ and bin/ are neighbours.
std::string checker_program() {
  if (const char* named = std::getenv("WEAKSPOT_RACE_PROGRAM"); named != nullptr) return named;
  Dl_info info{};
  if (dladdr(reinterpret_cast<void*>(&device_of_built_program), &info) == 0) return {};
  return (fs::path(info.dli_fname).parent_path().parent_path() / "bin" / "weakspot-race").string();
}

std::vector<std::string> own_command() {
  std::vector<std::string> words;
  base::Result<std::string> text = base::read_file("/proc/self/cmdline");
  if (!text) return words;
  for (std::size_t at = 0; at < text->size();) {
    const std::size_t end = std::min(text->find('\0', at), text->size());
    words.push_back(text->substr(at, end - at));
    at = end + 1;
  }
  return words;
}

std::string bytes_of(const char* code) {
  const std::optional<DeviceCode> found = device_code_at(code);
  return found ? to_bytes(*found) : std::string();
}

// Device code that the checker knows of, in the order of registration.
struct Told {
  std::size_t codes = 0, libraries = 0;
  bool operator==(const Told&) const = default;
};

Told registered() { return {registrations().codes().size(), registrations().libraries().size()}; }

std::string words_for_checker(std::uint64_t attempt, const Told& told) {
  ProgramWords words;
  words.command = own_command();
  words.attempt = attempt;
  const auto& codes = registrations().codes();
  const auto& libraries = registrations().libraries();
  for (std::size_t i = told.codes; i < codes.size(); ++i) words.codes.push_back(bytes_of(codes[i]));
  for (std::size_t i = told.libraries; i < libraries.size(); ++i) {
    words.libraries.emplace_back(libraries[i].first, libraries[i].second);
  }
  ByteWriter writer;
  writer(words);
  return writer.take();
}

// As the only content of the file.
bool write_all(int descriptor, std::string_view text) {
  if (ftruncate(descriptor, 0) != 0) return false;
  for (off_t at = 0; !text.empty();) {
    const ssize_t count = pwrite(descriptor, text.data(), text.size(), at);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    at += count;
    text.remove_prefix(static_cast<std::size_t>(count));
  }
  return true;
}

// The descriptor through which 'weakspot race' is asked for a checker that runs outside of the program's sandbox; -1 if
// the program was started by somebody else.
int door() {
  const char* number = std::getenv(race::kDoorVariable);
  return number == nullptr ? -1 : std::atoi(number);
}

// Programs close descriptors that they know nothing of when they start others.
bool door_is_closed() {
  int type = 0;
  socklen_t size = sizeof type;
  return door() >= 0 && (getsockopt(door(), SOL_SOCKET, SO_TYPE, &type, &size) != 0 || type != SOCK_SEQPACKET);
}

// Hands the three descriptors of a checker over.
bool ask_for_checker(const Ends& ends, int theirs) {
  const int descriptors[] = {theirs, ends.memory.get(), ends.table.get()};
  char byte = 0;
  iovec bytes{&byte, 1};
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof descriptors)] = {};
  msghdr message{};
  message.msg_iov = &bytes;
  message.msg_iovlen = 1;
  message.msg_control = control;
  message.msg_controllen = sizeof control;
  cmsghdr* head = CMSG_FIRSTHDR(&message);
  head->cmsg_level = SOL_SOCKET;
  head->cmsg_type = SCM_RIGHTS;
  head->cmsg_len = CMSG_LEN(sizeof descriptors);
  std::memcpy(CMSG_DATA(head), descriptors, sizeof descriptors);
  ssize_t sent = 0;
  do {
    sent = sendmsg(door(), &message, MSG_NOSIGNAL);
  } while (sent < 0 && errno == EINTR);
  return sent == 1;
}

// In the process that becomes the checker: only calls that are safe after fork() in a program with threads.
[[noreturn]] void become_checker(const char* program, int socket, int memory, int table) {
  setsid();
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  for (const int number : {SIGPIPE, SIGTERM, SIGALRM, SIGINT, SIGHUP, SIGCHLD}) signal(number, SIG_DFL);
  // All three are above those that they become.
  dup2(socket, kProgramSocket);
  dup2(memory, kProgramMemory);
  dup2(table, kProgramTable);
  close_range(kProgramTable + 1, ~0u, 0);
  const int nothing = open("/dev/null", O_RDWR);
  dup2(nothing, STDIN_FILENO);
  dup2(nothing, STDOUT_FILENO);
  close(nothing);
  char* const words[] = {const_cast<char*>(program), const_cast<char*>(race::kServe), nullptr};
  execv(program, words);
  _exit(127);
}

bool start_checker(const std::string& program, const Ends& ends, int theirs) {
  const pid_t between = fork();
  if (between < 0) return false;
  if (between == 0) {
    const pid_t checker = fork();
    if (checker == 0) become_checker(program.c_str(), theirs, ends.memory.get(), ends.table.get());
    _exit(checker < 0 ? 1 : 0);
  }
  int status = 0;
  while (waitpid(between, &status, 0) < 0) {
    if (errno != EINTR) return true;  // the program lets the system collect its children
  }
  return status == 0;
}

base::UniqueFd memory_file(const char* name) { return high(memfd_create(name, MFD_CLOEXEC)); }

// What the checker wrote.
template <typename Value>
std::optional<Value> read_answer(const Ends& ends) {
  std::string bytes(static_cast<std::size_t>(std::max<off_t>(lseek(ends.table.get(), 0, SEEK_END), 0)), '\0');
  if (pread(ends.table.get(), bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size())) return std::nullopt;
  ByteReader reader(bytes);
  Value value;
  reader(value);
  if (reader.failed()) return std::nullopt;
  return value;
}

std::optional<ProgramTable> read_table(const Ends& ends) { return read_answer<ProgramTable>(ends); }

// The checker's answer; nothing if it ended without one.
std::optional<ProgramTable> answer_of_checker(const Ends& ends) {
  char byte = 0;
  ssize_t count = 0;
  do {
    count = recv(ends.socket.get(), &byte, 1, 0);
  } while (count < 0 && errno == EINTR);
  return count <= 0 ? std::nullopt : read_table(ends);
}

struct Attached {
  Ends ends;
  std::unique_ptr<Arena> memory;
  std::unique_ptr<TableModule> module;
  std::unique_ptr<DeviceLink> link;
  std::unique_ptr<HostDevice> device;
  pid_t owner = 0;
  Told told;
};

Attached* attached = nullptr;  // never destroyed: destructors of the program may use the device

void adopt_variables(Arena& memory, const ProgramTable& table) {
  for (const TableVariable& variable : table.variables) {
    memory.adopt(reinterpret_cast<void*>(variable.address), variable.size);  // NOLINT: it came as a number
  }
}

// False if the addresses that the checker chose are taken here.
bool attach_once(const std::string& program, std::uint64_t attempt) {
  auto made = std::make_unique<Attached>();
  int sockets[2];
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, sockets) != 0) cannot_check("no socket can be made");
  made->ends.socket = high(sockets[0]);
  base::UniqueFd theirs = high(sockets[1]);
  made->ends.memory = memory_file("weakspot-memory");
  made->ends.table = memory_file("weakspot-table");
  made->told = registered();
  if (!made->ends.memory.valid() || !made->ends.table.valid() ||
      !write_all(made->ends.table.get(), words_for_checker(attempt, {}))) {
    cannot_check("no memory can be shared");
  }
  const bool started =
      door() >= 0 ? ask_for_checker(made->ends, theirs.get()) : start_checker(program, made->ends, theirs.get());
  if (!started) cannot_check("no process can be started");
  theirs.reset();
  std::optional<ProgramTable> table = answer_of_checker(made->ends);
  if (!table) cannot_check(fmt::format("{} did not start", program));
  if (!table->problem.empty()) cannot_check(table->problem);
  made->memory = Arena::join(made->ends.memory.get(), table->address, table->size);
  if (made->memory == nullptr) return false;
  adopt_variables(*made->memory, *table);
  registrations().rename(0, table->renamed);
  made->module = std::make_unique<TableModule>(*std::move(table));
  made->link = std::make_unique<DeviceLink>(made->ends.socket.get());
  made->device = std::make_unique<HostDevice>(*made->link, *made->memory, *made->module);
  made->owner = getpid();
  attached = made.release();
  return true;
}

// The exit code is known here, but destructors that use the device still follow.
void tell_exit_code(int code, void*) {
  if (attached == nullptr || attached->owner != getpid()) return;
  const auto byte = static_cast<char>(code & 0xff);
  send(attached->ends.socket.get(), &byte, 1, MSG_NOSIGNAL);
}

// After all other destructors: waits until the report is written.
__attribute__((destructor)) void detach() {
  if (attached == nullptr || attached->owner != getpid()) return;
  shutdown(attached->ends.socket.get(), SHUT_WR);
  char byte = 0;
  while (recv(attached->ends.socket.get(), &byte, 1, 0) < 0 && errno == EINTR) {
  }
}

}  // namespace

HostDevice& device_of_built_program() {
  const std::string program = checker_program();
  if (door() < 0 && access(program.c_str(), X_OK) != 0) cannot_check(fmt::format("there is no program {}", program));
  if (door_is_closed()) {
    cannot_check(
        fmt::format("its parent closed descriptor {}, which leads to 'weakspot race' (Python: subprocess.run(..., "
                    "close_fds=False))",
                    door()));
  }
  std::uint64_t attempt = 0;
  while (!attach_once(program, attempt)) {
    if (++attempt == kMostAttempts) cannot_check("its memory is in the way of the device's");
  }
  on_exit(&tell_exit_code, nullptr);
  return *attached->device;
}

namespace {

// Hands over what was registered since the last time. Nothing if nothing was, or it cannot be said.
std::optional<ProgramTable> tell_of_new_code() {
  if (attached == nullptr || attached->owner != getpid()) return std::nullopt;
  const Told now = registered();
  const Told before = std::exchange(attached->told, now);
  if (now == before || !write_all(attached->ends.table.get(), words_for_checker(0, before))) return std::nullopt;
  if (!attached->link->add_code()) return std::nullopt;
  std::optional<ProgramTable> table = read_table(attached->ends);
  if (!table || !table->problem.empty()) return table;
  adopt_variables(*attached->memory, *table);
  registrations().rename(before.codes, table->renamed);
  attached->module->add(*table);
  return table;
}

}  // namespace

void add_new_code() { tell_of_new_code(); }

std::optional<CompiledSource> compile_by_checker(const SourceToCompile& source) {
  if (attached == nullptr || attached->owner != getpid()) return std::nullopt;
  ByteWriter writer;
  writer(source);
  if (!write_all(attached->ends.table.get(), writer.take()) || !attached->link->compile_source()) return std::nullopt;
  return read_answer<CompiledSource>(attached->ends);
}

AddedCode add_module_code() {
  AddedCode added;
  const std::optional<ProgramTable> table = tell_of_new_code();
  if (!table) {
    added.problem = "this program has no checker beside it that takes modules";
    return added;
  }
  added.problem = table->problem;
  if (!added.problem.empty()) return added;
  std::map<std::string, std::string> names;  // in the code, by symbols
  for (const std::map<std::string, std::string>& renamed : table->renamed) {
    for (const auto& [name, symbol] : renamed) names[symbol] = name;
  }
  auto name_of = [&](const std::string& symbol) {
    const auto found = names.find(symbol);
    return found == names.end() ? symbol : found->second;
  };
  for (const Kernel& kernel : table->kernels) added.kernels[name_of(kernel.symbol)] = kernel.symbol;
  for (const TableVariable& variable : table->variables) {
    added.variables[name_of(variable.symbol)] = {variable.address, variable.size};
  }
  return added;
}

}  // namespace weakspot::race_jit

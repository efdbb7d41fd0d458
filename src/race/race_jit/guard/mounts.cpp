// SPDX-License-Identifier: MIT
#include "race_jit/guard/mounts.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <filesystem>
#include <utility>

#include "base/unique_fd.h"
#include "race_jit/guard/readable.h"

namespace weakspot::race_jit {
namespace {

namespace fs = std::filesystem;

// mount_setattr(), since Linux 5.12; older headers do not have it.
constexpr long kSetAttributes = 442;
struct MountAttributes {
  std::uint64_t set = 0, clear = 0, propagation = 0, user_namespace = 0;
};
constexpr std::uint64_t kReadOnly = 1, kNoSetUid = 2, kNoDevices = 4;
constexpr unsigned kRecursive = 0x8000;

bool change_mount(const char* path, const MountAttributes& how, unsigned flags) {
  return syscall(kSetAttributes, AT_FDCWD, path, flags, &how, sizeof how) == 0;
}

base::UniqueFd place(const char* path) { return base::UniqueFd(open(path, O_PATH | O_CLOEXEC)); }

// A name for what a descriptor refers to, which holds whatever is mounted over it.
std::string name_of(const base::UniqueFd& fd) { return fmt::format("/proc/self/fd/{}", fd.get()); }

constexpr const char* kDevices[] = {"/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom"};
constexpr const char* kScratch = "/dev/.scratch";

// A new /dev in limited memory, which also takes all changes of files.
bool make_devices(std::uint64_t scratch_bytes) {
  std::vector<std::pair<const char*, base::UniqueFd>> devices;
  for (const char* path : kDevices) devices.emplace_back(path, place(path));
  const std::string options = fmt::format("size={},nr_inodes=65536,mode=755", scratch_bytes);
  if (mount("scratch", "/dev", "tmpfs", MS_NOSUID, options.c_str()) != 0) return false;
  for (const auto& [path, fd] : devices) {
    if (!fd.valid()) continue;
    base::UniqueFd(open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0666));
    if (mount(name_of(fd).c_str(), path, nullptr, MS_BIND, nullptr) != 0) return false;
    change_mount(path, {.clear = kReadOnly | kNoDevices}, 0);
  }
  mkdir("/dev/shm", 0777);
  chmod("/dev/shm", 01777);
  mkdir(kScratch, 0700);
  for (const auto& [name, target] :
       {std::pair("/dev/fd", "/proc/self/fd"), std::pair("/dev/stdin", "/proc/self/fd/0"),
        std::pair("/dev/stdout", "/proc/self/fd/1"), std::pair("/dev/stderr", "/proc/self/fd/2")}) {
    if (symlink(target, name) != 0) return false;
  }
  return true;
}

constexpr const char* kTemporary = "/tmp";

bool is_within(const std::string& path, const std::string& folder) {
  return path == folder || (path.starts_with(folder) && path[folder.size()] == '/');
}

// A file or folder that is to stay visible where something is mounted over its place.
struct Kept {
  std::string path;
  base::UniqueFd below;
};

// Its name again, as a read-only view.
bool show_again(const Kept& kept) {
  std::error_code error;
  struct stat found{};
  if (!kept.below.valid() || fstat(kept.below.get(), &found) != 0) return false;
  if (S_ISDIR(found.st_mode)) {
    fs::create_directories(kept.path, error);
  } else {
    fs::create_directories(fs::path(kept.path).parent_path(), error);
    base::UniqueFd(open(kept.path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0666));
  }
  return mount(name_of(kept.below).c_str(), kept.path.c_str(), nullptr, MS_BIND | MS_REC, nullptr) == 0;
}

// An empty /tmp in the scratch memory, with what is kept.
bool replace_temporary(const std::vector<Kept>& kept) {
  const std::string fresh = fmt::format("{}/private", kScratch);
  if (mkdir(fresh.c_str(), 01777) != 0 || chmod(fresh.c_str(), 01777) != 0) return false;
  if (mount(fresh.c_str(), kTemporary, nullptr, MS_BIND, nullptr) != 0) return false;
  for (const Kept& one : kept) show_again(one);
  return true;
}

// Checkouts keep tokens there.
void hide_folder(const std::string& folder) {
  const std::string empty = fmt::format("{}/empty", kScratch);
  if (mkdir(empty.c_str(), 0755) == 0) mount(empty.c_str(), folder.c_str(), nullptr, MS_BIND, nullptr);
}

// The folder as it is, with changes that go to the scratch memory.
bool make_changeable(const std::string& folder, const base::UniqueFd& below, const char* name) {
  const std::string upper = fmt::format("{}/{}", kScratch, name), work = upper + ".work";
  struct stat found{};
  if (!below.valid() || fstat(below.get(), &found) != 0) return false;
  if (mkdir(upper.c_str(), found.st_mode & 07777) != 0 || mkdir(work.c_str(), 0700) != 0) return false;
  chmod(upper.c_str(), found.st_mode & 07777);
  const std::string layers = fmt::format("lowerdir={},upperdir={},workdir={}", name_of(below), upper, work);
  for (const char* more : {",userxattr", ""}) {
    if (mount("overlay", folder.c_str(), "overlay", MS_NOSUID | MS_NODEV, (layers + more).c_str()) == 0) return true;
  }
  return false;
}

}  // namespace

Mounted arrange_file_system(std::uint64_t scratch_bytes, const std::vector<std::string>& readable) {
  Mounted result;
  std::error_code error;
  const std::string here = fs::current_path(error).string();
  const base::UniqueFd here_below = place("."), temporary_below = place(kTemporary);
  bool all_of_temporary = here == kTemporary;
  std::vector<Kept> kept;
  if (is_within(here, kTemporary)) kept.push_back({here, place(".")});
  for (const std::string& path : readable) {
    all_of_temporary = all_of_temporary || path == kTemporary;
    if (is_within(path, kTemporary)) kept.push_back({path, place(path.c_str())});
  }
  if (mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0) return result;
  if (!change_mount("/", {.set = kReadOnly | kNoSetUid | kNoDevices}, kRecursive)) return result;
  if (!make_devices(scratch_bytes)) return result;
  result.read_only = true;
  result.temporary = "/dev/shm";
  result.fresh_proc = mount("proc", "/proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC | MS_RDONLY, nullptr) == 0;
  if (!result.fresh_proc) result.missing.push_back("the program sees the names of this machine's processes");
  if (all_of_temporary ? make_changeable(kTemporary, temporary_below, "tmp") : replace_temporary(kept)) {
    result.temporary = kTemporary;
  } else {
    result.missing.push_back("/tmp is read-only; TMPDIR names another folder");
  }
  // What takes changes is shown whole: a home folder has keys in it.
  result.here_changes = (here == kTemporary && result.temporary == kTemporary) ||
                        (!here.empty() && here != "/" && !is_home(here) && make_changeable(here, here_below, "here"));
  hide_folder(here + "/.git");
  if (!result.here_changes) result.missing.push_back("the working folder is read-only");
  if (here.empty() || chdir(here.c_str()) != 0) (void)!fchdir(here_below.get());
  return result;
}

}  // namespace weakspot::race_jit

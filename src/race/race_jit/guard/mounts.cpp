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

Mounted arrange_file_system(std::uint64_t scratch_bytes) {
  Mounted result;
  std::error_code error;
  const std::string here = fs::current_path(error).string();
  const base::UniqueFd here_below = place("."), temporary_below = place("/tmp");
  struct stat of_here{}, of_temporary{};
  fstat(here_below.get(), &of_here);
  fstat(temporary_below.get(), &of_temporary);
  if (mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0) return result;
  if (!change_mount("/", {.set = kReadOnly | kNoSetUid | kNoDevices}, kRecursive)) return result;
  if (!make_devices(scratch_bytes)) return result;
  result.read_only = true;
  result.temporary = "/dev/shm";
  result.fresh_proc = mount("proc", "/proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC | MS_RDONLY, nullptr) == 0;
  if (!result.fresh_proc) result.missing.push_back("the program sees the names of this machine's processes");
  if (make_changeable("/tmp", temporary_below, "tmp")) {
    result.temporary = "/tmp";
  } else {
    result.missing.push_back("/tmp is read-only; TMPDIR names another folder");
  }
  // Within /tmp it is changeable already, unless something else is mounted there.
  const bool covered = (here == "/tmp" || here.starts_with("/tmp/")) && result.temporary == "/tmp" &&
                       of_here.st_dev == of_temporary.st_dev;
  if (!covered && (here.empty() || here == "/" || !make_changeable(here, here_below, "here"))) {
    result.missing.push_back("the working folder is read-only");
  }
  if (here.empty() || chdir(here.c_str()) != 0) (void)!fchdir(here_below.get());
  return result;
}

}  // namespace weakspot::race_jit

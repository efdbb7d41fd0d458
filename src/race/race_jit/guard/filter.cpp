// SPDX-License-Identifier: MIT
#include "race_jit/guard/filter.h"

#include <fcntl.h>
#include <linux/audit.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>

namespace weakspot::race_jit {
namespace {

#if defined(__x86_64__)
constexpr std::uint32_t kArchitecture = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
constexpr std::uint32_t kArchitecture = AUDIT_ARCH_AARCH64;
#else
#error "no filter for this processor"
#endif

// Numbers that the headers of an older system do not have; they are the same on all processors.
constexpr std::uint32_t kOpenTree = 428, kMoveMount = 429, kFsopen = 430, kFsconfig = 431, kFsmount = 432,
                        kFspick = 433, kPidfdOpen = 434, kClone3 = 435, kOpenat2 = 437, kPidfdGetfd = 438,
                        kMountSetattr = 442, kQuotactlFd = 443, kIoUringSetup = 425, kIoUringEnter = 426,
                        kIoUringRegister = 427, kPidfdSendSignal = 424, kFchmodat2 = 452, kOpenTreeAttr = 467;

constexpr std::uint32_t kNewNamespaces = 0x7e020000;  // the CLONE_NEW* flags

// Other processes, the system, and parts of the kernel that programs do not need.
constexpr std::uint32_t kRefused[] = {
    SYS_ptrace,
    SYS_process_vm_readv,
    SYS_process_vm_writev,
    SYS_kcmp,
    kPidfdGetfd,
    kPidfdSendSignal,
    kPidfdOpen,
    SYS_mount,
    SYS_umount2,
    SYS_pivot_root,
    SYS_chroot,
    kOpenTree,
    kMoveMount,
    kFsopen,
    kFsconfig,
    kFsmount,
    kFspick,
    kMountSetattr,
    kOpenTreeAttr,
    SYS_unshare,
    SYS_setns,
    SYS_add_key,
    SYS_request_key,
    SYS_keyctl,
    SYS_bpf,
    SYS_perf_event_open,
    SYS_userfaultfd,
    kIoUringSetup,
    kIoUringEnter,
    kIoUringRegister,
    SYS_init_module,
    SYS_finit_module,
    SYS_delete_module,
    SYS_kexec_load,
    SYS_reboot,
    SYS_swapon,
    SYS_swapoff,
    SYS_acct,
    SYS_quotactl,
    kQuotactlFd,
    SYS_settimeofday,
    SYS_clock_settime,
    SYS_adjtimex,
    SYS_clock_adjtime,
    SYS_sethostname,
    SYS_setdomainname,
    SYS_syslog,
    SYS_open_by_handle_at,
    SYS_fanotify_init,
    SYS_vhangup,
    SYS_migrate_pages,
    SYS_move_pages,
#if defined(__x86_64__)
    SYS_iopl,
    SYS_ioperm,
    SYS_modify_ldt,
    SYS_kexec_file_load,
    SYS_uselib,
    SYS_ustat,
    SYS_sysfs,
#endif
};

// System calls that change files by name, and those that start programs.
constexpr std::uint32_t kRefusedToChecker[] = {
    SYS_execve,    SYS_execveat,    SYS_unlinkat,     SYS_renameat2, SYS_mkdirat,  SYS_linkat,    SYS_symlinkat,
    SYS_mknodat,   SYS_fchmodat,    kFchmodat2,       SYS_fchownat,  SYS_truncate, SYS_utimensat, SYS_setxattr,
    SYS_lsetxattr, SYS_removexattr, SYS_lremovexattr, kOpenat2,      SYS_renameat,
#if defined(__x86_64__)
    SYS_unlink,    SYS_rmdir,       SYS_rename,       SYS_mkdir,     SYS_link,     SYS_symlink,   SYS_mknod,
    SYS_chmod,     SYS_chown,       SYS_lchown,       SYS_utime,     SYS_utimes,   SYS_futimesat, SYS_creat,
#endif
};

constexpr std::uint32_t kPushInput = 0x5412, kConsole = 0x541c;  // ioctl: TIOCSTI, TIOCLINUX

class FilterWriter {
 public:
  FilterWriter() {
    load(offsetof(seccomp_data, arch));
    code_.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, kArchitecture, 1, 0));
    give(SECCOMP_RET_ERRNO | ENOSYS);
    load_number();
#if defined(__x86_64__)
    // Calls of the x32 kind have numbers of their own.
    code_.push_back(BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, 0x40000000, 0, 1));
    give(SECCOMP_RET_ERRNO | ENOSYS);
#endif
  }

  void refuse(std::uint32_t call, int error = EPERM) {
    code_.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, call, 0, 1));
    give(SECCOMP_RET_ERRNO | static_cast<std::uint32_t>(error));
  }

  // If the comparison of an argument of the call holds.
  void refuse_if(std::uint32_t call, unsigned argument, unsigned comparison, std::uint32_t operand, int error) {
    code_.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, call, 0, 4));
    load_argument(argument);
    code_.push_back(BPF_JUMP(static_cast<std::uint16_t>(BPF_JMP | comparison | BPF_K), operand, 0, 1));
    give(SECCOMP_RET_ERRNO | static_cast<std::uint32_t>(error));
    load_number();
  }

  // If an argument of the call has one of these bits.
  void refuse_bits(std::uint32_t call, unsigned argument, std::uint32_t bits, int error = EPERM) {
    refuse_if(call, argument, BPF_JSET, bits, error);
  }

  void refuse_value(std::uint32_t call, unsigned argument, std::uint32_t value, int error = EPERM) {
    refuse_if(call, argument, BPF_JEQ, value, error);
  }

  // Unless the argument is one of these two.
  void refuse_others(std::uint32_t call, unsigned argument, std::uint32_t one, std::uint32_t other, int error = EPERM) {
    code_.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, call, 0, 5));
    load_argument(argument);
    code_.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, one, 2, 0));
    code_.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, other, 1, 0));
    give(SECCOMP_RET_ERRNO | static_cast<std::uint32_t>(error));
    load_number();
  }

  std::vector<sock_filter> take() {
    give(SECCOMP_RET_ALLOW);
    return std::move(code_);
  }

 private:
  void load(std::size_t offset) {
    code_.push_back(BPF_STMT(BPF_LD | BPF_W | BPF_ABS, static_cast<std::uint32_t>(offset)));
  }
  void load_number() { load(offsetof(seccomp_data, nr)); }
  // Its lower half; both processors are little-endian.
  void load_argument(unsigned argument) { load(offsetof(seccomp_data, args) + argument * 8); }
  void give(std::uint32_t answer) { code_.push_back(BPF_STMT(BPF_RET | BPF_K, answer)); }

  std::vector<sock_filter> code_;
};

void refuse_common(FilterWriter& filter) {
  for (const std::uint32_t call : kRefused) filter.refuse(call);
  filter.refuse_bits(SYS_clone, 0, kNewNamespaces);
  // Its flags are in memory, where a filter cannot look. The C library uses clone() instead.
  filter.refuse(kClone3, ENOSYS);
  filter.refuse_value(SYS_ioctl, 1, kPushInput);
  filter.refuse_value(SYS_ioctl, 1, kConsole);
}

}  // namespace

std::vector<sock_filter> program_filter(const ProgramFilter& what) {
  FilterWriter filter;
  refuse_common(filter);
  // A socket in the file system reaches other processes from any network namespace: pairs are all that is left of that
  // family.
  if (what.internet) {
    filter.refuse_others(SYS_socket, 0, AF_INET, AF_INET6, EAFNOSUPPORT);
  } else {
    filter.refuse(SYS_socket, EAFNOSUPPORT);
  }
  if (what.signals_to) {
    const auto own = static_cast<std::uint32_t>(*what.signals_to);
    for (const long call : {SYS_kill, SYS_tgkill, SYS_rt_sigqueueinfo, SYS_rt_tgsigqueueinfo}) {
      filter.refuse_others(static_cast<std::uint32_t>(call), 0, own, 0);
    }
    filter.refuse(SYS_tkill);
  }
  return filter.take();
}

std::vector<sock_filter> checker_filter() {
  FilterWriter filter;
  refuse_common(filter);
  filter.refuse(SYS_socket, EAFNOSUPPORT);
  for (const std::uint32_t call : kRefusedToChecker) filter.refuse(call);
  constexpr std::uint32_t kWrites = O_WRONLY | O_RDWR | O_CREAT | O_TRUNC;
  filter.refuse_bits(SYS_openat, 2, kWrites, EROFS);
#if defined(__x86_64__)
  filter.refuse_bits(SYS_open, 1, kWrites, EROFS);
#endif
  return filter.take();
}

void protect_checker() {
  prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
  install_filter(checker_filter());
}

bool install_filter(const std::vector<sock_filter>& filter) {
  sock_fprog program{static_cast<unsigned short>(filter.size()), const_cast<sock_filter*>(filter.data())};
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

}  // namespace weakspot::race_jit

// SPDX-License-Identifier: MIT
// A program that does what no program should; its first argument says what. It launches a racy kernel first.
#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

__global__ void racy(int* data) { data[0] = threadIdx.x; }

void launch() {
  int* data = nullptr;
  cudaMalloc(&data, 256);
  racy<<<1, 64>>>(data);
  cudaDeviceSynchronize();
}

const char kClean[] =
    "{\"kernels\": [], \"findings\": [], \"suppressed\": [], \"not_modelled\": [], \"output\": \"\", \"accesses\": 0, "
    "\"compile_seconds\": 0, \"run_seconds\": 0, \"program_exit\": 0}";

// Clean reports on everything that can be written.
void forge() {
  const std::string record = "report " + std::to_string(sizeof kClean - 1) + "\n" + kClean;
  for (int fd = 0; fd < 4096; ++fd) {
    (void)!write(fd, kClean, sizeof kClean - 1);
    (void)!write(fd, record.data(), record.size());
  }
}

void be_deaf() {
  sigset_t all;
  sigfillset(&all);
  sigprocmask(SIG_BLOCK, &all, nullptr);
  for (int number = 1; number < 64; ++number) signal(number, SIG_IGN);
}

// A process that outlives its parents, in a session of its own; its name tells it from others.
void leave_daemon(const char* name) {
  if (fork() != 0) return;
  setsid();
  if (fork() != 0) _exit(0);
  be_deaf();
  execl("/bin/sh", name, "-c", "while :; do sleep 1; done", nullptr);
  _exit(1);
}

void fork_without_end() {
  be_deaf();
  for (;;) {
    if (fork() < 0) usleep(1000);
  }
}

void fill() {
  static char block[1 << 20];
  std::memset(block, 1, sizeof block);
  unsigned long long written = 0;
  for (int number = 0; number < 1000; ++number) {
    const int fd = open(("filler" + std::to_string(number)).c_str(), O_WRONLY | O_CREAT, 0600);
    if (fd < 0) break;
    signal(SIGXFSZ, SIG_IGN);
    ssize_t count = 0;
    for (int i = 0; i < 256 && (count = write(fd, block, sizeof block)) > 0; ++i) written += count;
    close(fd);
    if (count <= 0) break;
  }
  std::printf("filled %s\n", written <= (1ull << 30) ? "little" : "much");
}

void report(const char* what, bool done) { std::printf("%s: %s\n", what, done ? "DONE" : "refused"); }

void reach_out(const std::string& outside, int listener) {
  report("new file", open((outside + "/new").c_str(), O_WRONLY | O_CREAT, 0666) >= 0);
  report("old file", open((outside + "/canary").c_str(), O_WRONLY | O_TRUNC) >= 0);
  report("removal", unlink((outside + "/canary").c_str()) == 0);
  report("rename", rename((outside + "/canary").c_str(), (outside + "/moved").c_str()) == 0);
  report("permissions", chmod((outside + "/canary").c_str(), 0777) == 0);
  report("mount", mount("none", outside.c_str(), "tmpfs", 0, "") == 0);
  report("settings", open("/proc/sys/kernel/core_pattern", O_WRONLY) >= 0);
  const int fd = socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<unsigned short>(listener));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  report("network", fd >= 0 && connect(fd, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0);
  report("local sockets", socket(AF_UNIX, SOCK_STREAM, 0) >= 0);
}

int main(int argc, char** argv) {
  const std::string what = argc > 1 ? argv[1] : "";
  if (what == "forge-first") {
    forge();
    return 0;
  }
  if (what == "close-first") {
    for (int fd = 0; fd < 4096; ++fd) close(fd);
  }
  launch();
  if (what == "leave") _exit(0);
  if (what == "forge") forge();
  if (what == "close") {
    for (int fd = 0; fd < 4096; ++fd) close(fd);
  }
  if (what == "deaf") {
    be_deaf();
    leave_daemon(argv[2]);
    for (;;) pause();
  }
  if (what == "daemon") leave_daemon(argv[2]);
  if (what == "forks") fork_without_end();
  if (what == "flood") {
    static char block[1 << 16];
    std::memset(block, 'x', sizeof block);
    for (;;) (void)!write(1, block, sizeof block);
  }
  if (what == "fill") fill();
  if (what == "memory") {
    for (;;) {
      char* memory = static_cast<char*>(std::malloc(64 << 20));
      if (memory == nullptr) std::abort();
      for (int i = 0; i < 64 << 20; i += 4096) static_cast<volatile char*>(memory)[i] = 1;
    }
  }
  if (what == "kill") {
    kill(atoi(argv[2]), SIGKILL);
    kill(getppid(), SIGKILL);
    kill(-1, SIGKILL);
  }
  if (what == "outside") reach_out(argv[2], atoi(argv[3]));
  if (what == "read") {
    char text[64] = {};
    FILE* file = std::fopen("input.txt", "r");
    if (file != nullptr && std::fgets(text, sizeof text, file) != nullptr) std::printf("read %s", text);
    file = std::fopen("output.txt", "w");
    std::printf("write %s\n", file != nullptr ? "done" : std::strerror(errno));
  }
  return 0;
}

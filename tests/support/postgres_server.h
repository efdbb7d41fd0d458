// SPDX-License-Identifier: MIT
// A server of PostgreSQL of our own, on a free port of this machine, for as long as the test program runs.
#pragma once

#include <arpa/inet.h>
#include <glob.h>
#include <grp.h>
#include <netinet/in.h>
#include <pwd.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "base/unique_fd.h"
#include "system/temporary_folder.h"

namespace weakspot::support {

class PostgresServer {
 public:
  // Durable commits are for benchmarks: what a killed server has written is safe with the system.
  explicit PostgresServer(bool durable = false) : durable_(durable) {
    programs_ = find_programs();
    if (programs_.empty()) {
      problem_ = "PostgreSQL is not installed (tools/setup test)";
    } else if (!give_folder_away()) {
      problem_ = "PostgreSQL does not run as root, and there is no user postgres";
    } else if (!run({programs_ + "/initdb", "-A", "trust", "-N", "-U", "postgres", "-E", "UTF8", "--locale=C", "-D",
                     data()})) {
      problem_ = "initdb failed: " + log();
    } else {
      port_ = free_port();
      start();
    }
  }
  ~PostgresServer() { stop(SIGINT); }
  PostgresServer(const PostgresServer&) = delete;
  PostgresServer& operator=(const PostgresServer&) = delete;

  // The reason why there is no server; empty if there is one.
  const std::string& problem() const { return problem_; }
  std::string address() const { return "postgresql://postgres@127.0.0.1:" + std::to_string(port_) + "/postgres"; }
  // The address for tables of this name space only, which must exist.
  std::string address(const std::string& schema) const { return address() + "?options=-csearch_path%3D" + schema; }

  void start() {
    server_ =
        spawn({programs_ + "/postgres", "-D", data(), "-p", std::to_string(port_), "-k", data(), "-c",
               "listen_addresses=127.0.0.1", "-c", durable_ ? "fsync=on" : "fsync=off", "-c", "max_connections=100"});
    for (int tries = 0; tries < 1500; ++tries) {
      if (accepts()) return;
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
      // Processes of a server that was killed may still hold its memory.
      if (::waitpid(server_, nullptr, WNOHANG) == server_) server_ = spawn_server();
    }
    problem_ = "PostgreSQL did not start: " + log();
    stop(SIGKILL);
  }

  // SIGKILL also ends the processes of its connections, which then notice that their server is gone.
  void stop(int signal) {
    if (server_ <= 0) return;
    ::kill(server_, signal);
    ::waitpid(server_, nullptr, 0);
    server_ = -1;
  }

 private:
  std::string data() const { return (folder_.path() / "data").string(); }
  std::string log_file() const { return (folder_.path() / "log").string(); }

  static std::string find_programs() {
    glob_t found{};
    std::string programs;
    if (::glob("/usr/lib/postgresql/*/bin/initdb", 0, nullptr, &found) == 0) {
      programs = std::filesystem::path(found.gl_pathv[found.gl_pathc - 1]).parent_path().string();
    }
    ::globfree(&found);
    return programs;
  }

  bool give_folder_away() {
    if (::geteuid() != 0) return true;
    const passwd* user = ::getpwnam("postgres");
    if (user == nullptr) return false;
    user_ = user->pw_uid;
    group_ = user->pw_gid;
    return ::chown(folder_.path().c_str(), user_, group_) == 0;
  }

  static int free_port() {
    const base::UniqueFd listener(::socket(AF_INET, SOCK_STREAM, 0));
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    ::bind(listener.get(), reinterpret_cast<sockaddr*>(&address), size);
    ::getsockname(listener.get(), reinterpret_cast<sockaddr*>(&address), &size);
    return ntohs(address.sin_port);
  }

  // The file says whose it is in its first line, and "ready" in its last when connections are accepted.
  bool accepts() const {
    std::ifstream file(data() + "/postmaster.pid");
    std::string first, line, last;
    std::getline(file, first);
    while (std::getline(file, line)) last = line;
    return first == std::to_string(server_) && last.starts_with("ready");
  }

  pid_t spawn_server() const {
    return spawn({programs_ + "/postgres", "-D", data(), "-p", std::to_string(port_), "-k", data(), "-c",
                  "listen_addresses=127.0.0.1", "-c", durable_ ? "fsync=on" : "fsync=off", "-c",
                  "max_connections=100"});
  }

  pid_t spawn(std::vector<std::string> command) const {
    const std::string log = log_file();
    std::vector<char*> words;
    for (std::string& word : command) words.push_back(word.data());
    words.push_back(nullptr);
    const pid_t child = ::fork();
    if (child != 0) return child;
    if (user_ != 0 && (::setgroups(0, nullptr) != 0 || ::setgid(group_) != 0 || ::setuid(user_) != 0)) ::_exit(126);
    ::prctl(PR_SET_PDEATHSIG, SIGINT);
    if (std::freopen(log.c_str(), "a", stdout) == nullptr) ::_exit(126);
    ::dup2(1, 2);
    ::execv(words[0], words.data());
    ::_exit(127);
  }

  bool run(std::vector<std::string> command) const {
    int status = 0;
    const pid_t child = spawn(std::move(command));
    return child > 0 && ::waitpid(child, &status, 0) == child && status == 0;
  }

  std::string log() const {
    std::ifstream file(log_file());
    std::string line, last;
    while (std::getline(file, line)) last = line.empty() ? last : line;
    return last;
  }

  base::TemporaryFolder folder_;
  bool durable_;
  std::string programs_;
  std::string problem_;
  uid_t user_ = 0;
  gid_t group_ = 0;
  int port_ = 0;
  pid_t server_ = -1;
};

}  // namespace weakspot::support

// SPDX-License-Identifier: MIT
// Processes that compile programs for one device. NVIDIA's driver compiles the programs of a process nearly one after
// the other, however many threads ask.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "system/child.h"

namespace weakspot::backend::opencl {

struct Compiled {
  std::string binary;  // as the driver gives it
  std::string log;

  friend bool operator==(const Compiled&, const Compiled&) = default;
};

// The pipe carries lines: a process is sent the text of a program as one, and answers with one.
std::string to_line(const Compiled& compiled);
std::optional<Compiled> compiled_from_line(std::string_view line);
// The text of a program that is asked for.
std::string to_line(std::string_view text);
std::optional<std::string> text_from_line(std::string_view line);

class Compilers {
 public:
  // `command` starts a process that calls serve_compiler(); an empty one: the caller always compiles.
  explicit Compilers(std::vector<std::string> command) : command_(std::move(command)) {}

  // Lives as long as a thread loads programs.
  class Loading {
   public:
    explicit Loading(Compilers& compilers) : count_(compilers.loading_) { ++count_; }
    ~Loading() { --count_; }
    Loading(const Loading&) = delete;
    Loading& operator=(const Loading&) = delete;

   private:
    std::atomic<unsigned>& count_;
  };

  // Nothing if few threads load at the same time, or if no process could compile it: then the caller does, and learns
  // what is wrong with the text. Any thread may ask.
  std::optional<Compiled> compile(const std::string& text);

 private:
  bool may_start();
  std::optional<base::Child> take();
  void give_back(std::optional<base::Child> child);

  std::vector<std::string> command_;
  std::atomic<unsigned> loading_ = 0;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<base::Child> idle_;
  std::size_t alive_ = 0;  // idle or at work
  bool started_ = false;
};

}  // namespace weakspot::backend::opencl

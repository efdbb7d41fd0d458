// SPDX-License-Identifier: MIT
// Copies of this process that share many independent pieces of work.
//
// Compiled kernels, the device they run on and the signals that guard them exist once in a process, so work is spread
// over processes: each worker is a fork with all of it, started once and given pieces as it finishes them. Any worker
// may do any piece; the answers come in the order of the requests.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace weakspot::race_jit {

class Workers {
 public:
  using Work = std::function<std::string(const std::string& request)>;

  // Starts them; fewer or none if the system does not allow more.
  Workers(unsigned count, Work work);
  // Ends them.
  ~Workers();
  Workers(const Workers&) = delete;
  Workers& operator=(const Workers&) = delete;

  std::size_t count() const { return workers_.size(); }
  // The answer is missing for a request whose worker died, and for those not begun when `goes_on` said no.
  std::vector<std::optional<std::string>> run(
      const std::vector<std::string>& requests, const std::function<bool()>& goes_on = [] { return true; });

 private:
  struct Worker {
    int process = 0;
    int socket = -1;
    std::optional<std::size_t> request;  // the one it works on
  };

  [[noreturn]] void serve(int socket) const;
  void give(Worker& worker, std::size_t number, const std::vector<std::string>& requests);

  Work work_;
  std::vector<Worker> workers_;
};

}  // namespace weakspot::race_jit

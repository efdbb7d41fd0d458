// SPDX-License-Identifier: MIT
// Predicts rates of tests in environments from the rates of other tests and environments: an environment that is good
// for one test is usually good for its kin. The logarithms of an environment's rates are taken as one draw from a
// normal distribution over the tests. Kills come as in a Poisson process, with some jitter of the device on top. The
// distribution's mean and covariance are estimated from the measurements themselves.
//
// The estimates of one environment are those of Laplace's approximation: the mode, and a normal distribution around it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

namespace weakspot::stats {

// The logarithm of a rate per second.
struct LogRate {
  double mean = 0;
  double deviation = 0;
};

struct RateModelOptions {
  double rate = 1;    // per second: expected of a test before anything is measured
  double jitter = 0;  // relative deviation of a device's rate from one measurement to the next
};

class RateModel {
 public:
  RateModel(std::size_t tests, const RateModelOptions& options);
  ~RateModel();

  // One more measurement. Environments are numbered from 0 and need not be declared.
  void observe(std::size_t test, std::size_t environment, std::uint64_t kills, double seconds);
  // Estimates the distribution anew. Costs as much as a few observations of every environment.
  void fit();

  // The estimate. For an environment without measurements it follows from the others.
  LogRate at(std::size_t test, std::size_t environment) const;
  // The kin of a test, itself included: tests from `first` up to, not including, `second` inform each other.
  std::pair<std::size_t, std::size_t> kin(std::size_t test) const;

 private:
  class Kin;
  std::unique_ptr<Kin[]> kin_;
  std::size_t tests_, groups_;
};

}  // namespace weakspot::stats

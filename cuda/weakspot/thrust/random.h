// SPDX-License-Identifier: MIT
// The random numbers of thrust: the engines are all the same one, so the numbers are not NVIDIA's.
#pragma once

#define __WS_BOTH __attribute__((host)) __attribute__((device)) inline

namespace __ws_thrust {

class minstd_rand {
 public:
  using result_type = unsigned int;
  static constexpr unsigned int min = 1, max = 2147483646u, default_seed = 1;
  __WS_BOTH explicit minstd_rand(unsigned int seed_value = 1) { seed(seed_value); }
  __WS_BOTH void seed(unsigned int value = 1) { state_ = value % 2147483647u == 0 ? 1 : value % 2147483647u; }
  __WS_BOTH unsigned int operator()() {
    state_ = (unsigned int)((unsigned long long)state_ * 48271u % 2147483647u);
    return state_;
  }
  __WS_BOTH void discard(unsigned long long n) {
    unsigned long long factor = 48271u, power = 1;
    for (; n > 0; n >>= 1) {
      if (n & 1) power = power * factor % 2147483647u;
      factor = factor * factor % 2147483647u;
    }
    state_ = (unsigned int)(state_ * power % 2147483647u);
  }

 private:
  unsigned int state_;
};
using default_random_engine = minstd_rand;
using minstd_rand0 = minstd_rand;
using taus88 = minstd_rand;
using ranlux24 = minstd_rand;

template <typename T = double> class uniform_real_distribution {
 public:
  __WS_BOTH explicit uniform_real_distribution(T low = 0, T high = 1) : low_(low), high_(high) {}
  template <typename E> __WS_BOTH T operator()(E& engine) {
    return (T)(low_ + (high_ - low_) * (T)((double)(engine() - E::min) / ((double)E::max - E::min + 1.0)));
  }

 private:
  T low_, high_;
};
template <typename T = int> class uniform_int_distribution {
 public:
  __WS_BOTH explicit uniform_int_distribution(T low = 0, T high = 2147483647) : low_(low), high_(high) {}
  template <typename E> __WS_BOTH T operator()(E& engine) {
    const double part = (double)(engine() - E::min) / ((double)E::max - E::min + 1.0);
    return (T)(low_ + (T)(part * ((double)high_ - (double)low_ + 1.0)));
  }

 private:
  T low_, high_;
};
template <typename T = double> class normal_distribution {
 public:
  __WS_BOTH explicit normal_distribution(T mean = 0, T deviation = 1) : mean_(mean), deviation_(deviation) {}
  template <typename E> __WS_BOTH T operator()(E& engine) {
    uniform_real_distribution<double> part(1e-12, 1.0);
    const double a = part(engine), b = part(engine);
    return (T)(mean_ + deviation_ * ::sqrt(-2.0 * ::log(a)) * ::cos(6.283185307179586 * b));
  }

 private:
  T mean_, deviation_;
};
namespace random {
using __ws_thrust::default_random_engine;
using __ws_thrust::minstd_rand;
using __ws_thrust::normal_distribution;
using __ws_thrust::uniform_int_distribution;
using __ws_thrust::uniform_real_distribution;
}

}  // namespace __ws_thrust

#undef __WS_BOTH

// SPDX-License-Identifier: MIT
// Message passing by read-modify-writes: who sees the flag must see the data.
extern "C" void send(int* data, int* flag) {
  __atomic_store_n(data, 1, __ATOMIC_RELAXED);
  __atomic_exchange_n(flag, 1, __ATOMIC_ACQ_REL);
}

extern "C" int receive(int* data, int* flag) {
  if (__atomic_fetch_add(flag, 0, __ATOMIC_ACQ_REL) == 0) return -1;
  return __atomic_load_n(data, __ATOMIC_RELAXED);
}

// The compare-exchange and the strongest order.
extern "C" bool lock(int* mutex) {
  int free = 0;
  return __atomic_compare_exchange_n(mutex, &free, 1, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED);
}

extern "C" int count(int* counter) { return __atomic_fetch_add(counter, 1, __ATOMIC_SEQ_CST); }

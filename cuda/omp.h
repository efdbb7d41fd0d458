// SPDX-License-Identifier: MIT
// OpenMP's functions for a program with one thread of the host: its directives are left out.
#pragma once
#include <time.h>

typedef struct {
  int held;
} omp_lock_t;
typedef omp_lock_t omp_nest_lock_t;
typedef enum { omp_sched_static = 1, omp_sched_dynamic, omp_sched_guided, omp_sched_auto } omp_sched_t;

static inline int omp_get_num_threads(void) { return 1; }
static inline int omp_get_max_threads(void) { return 1; }
static inline int omp_get_thread_num(void) { return 0; }
static inline int omp_get_num_procs(void) { return 1; }
static inline int omp_in_parallel(void) { return 0; }
static inline int omp_get_dynamic(void) { return 0; }
static inline int omp_get_nested(void) { return 0; }
static inline int omp_get_level(void) { return 0; }
static inline int omp_get_thread_limit(void) { return 1; }
static inline int omp_get_max_active_levels(void) { return 1; }
static inline int omp_get_num_devices(void) { return 0; }
static inline int omp_get_default_device(void) { return 0; }
static inline int omp_get_initial_device(void) { return 0; }
static inline int omp_is_initial_device(void) { return 1; }
static inline void omp_set_num_threads(int) {}
static inline void omp_set_dynamic(int) {}
static inline void omp_set_nested(int) {}
static inline void omp_set_max_active_levels(int) {}
static inline void omp_set_default_device(int) {}
static inline void omp_set_schedule(omp_sched_t, int) {}
static inline void omp_init_lock(omp_lock_t* lock) { lock->held = 0; }
static inline void omp_destroy_lock(omp_lock_t*) {}
static inline void omp_set_lock(omp_lock_t* lock) { lock->held = 1; }
static inline void omp_unset_lock(omp_lock_t* lock) { lock->held = 0; }
static inline int omp_test_lock(omp_lock_t* lock) { return lock->held ? 0 : (lock->held = 1); }
static inline double omp_get_wtime(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}
static inline double omp_get_wtick(void) { return 1e-9; }

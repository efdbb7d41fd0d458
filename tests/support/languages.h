// SPDX-License-Identifier: MIT
// Features of random tests in each language, so that every rule of its models has something to do. For property tests.
#pragma once

#include <algorithm>
#include <string>
#include <utility>

#include "support/random_program.h"

namespace weakspot::tests {

inline Features neutral_words() {
  return {.fences = 3,
          .loads = {"", "", ".acq", ".sc", ".na"},
          .stores = {"", "", ".rel", ".sc", ".na"},
          .atomics = {"", ".acq", ".rel", ".acqrel", ".sc"},
          .fence_words = {"fence.sc", "fence.rel", "fence.acq", "fence.acqrel.wg", "membar", "bar", "bar", "bar.sg"}};
}

inline Features c_words() {
  Features features = neutral_words();
  features.arch = "c";
  return features;
}

inline Features opencl_words() {
  return {.fences = 3,
          .levels = true,
          .arch = "opencl",
          .loads = {"", ".na", ".wg", ".acq", ".acq.wg", ".sc"},
          .stores = {"", ".na", ".wg", ".rel", ".rel.wg", ".sc"},
          .atomics = {"", ".wg", ".acqrel", ".acqrel.wg", ".sc"},
          .fence_words = {"fence.sc", "fence.rel.wg", "fence.acq", "fence.acqrel", "bar", "bar.sg"}};
}

inline Features ptx_2015_words() {
  return {.fences = 3,
          .arch = "ptx-2015",
          .loads = {".na", ".na.vol"},
          .stores = {".na", ".na.vol"},
          .fence_words = {"membar.wg", "membar", "membar.sys", "fence.sc.wg"}};
}

// Partial coherence has many more orders, and each sequentially consistent fence multiplies them.
inline Features ptx_words() {
  return {.writes = 3,
          .reads = 4,
          .fences = 3,
          .levels = true,
          .arch = "ptx",
          .loads = {".na", "", ".wg", ".acq", ".acq.wg", ".acq.cluster", ".na.vol"},
          .stores = {".na", "", ".wg", ".rel", ".rel.wg", ".rel.cluster", ".sys"},
          .atomics = {"", ".wg", ".acq", ".rel.wg", ".acqrel"},
          .fence_words = {"fence.sc", "fence.sc.wg", "fence.acqrel", "fence.acqrel.wg", "membar", "bar", "bar.arrive"}};
}

// Barriers of all levels, one after the other, and fences before arrivals.
inline Features ptx_barrier_words() {
  return {.instructions = 4,
          .writes = 3,
          .reads = 3,
          .fence_percent = 60,
          .control = false,
          .levels = true,
          .arch = "ptx",
          .loads = {".na"},
          .stores = {".na"},
          .fence_words = {"bar", "bar", "bar 1", "bar.arrive 1", "bar.sg", "bar.cluster", "bar.arrive.cluster",
                          "bar.arrive.cluster.rlx", "bar.wait.cluster", "bar.wait.cluster", "fence.acqrel.cluster",
                          "fence.acqrel.wg"},
          .space = "shared"};
}

inline Features ptx_proxy_words() {
  return {.writes = 3,
          .reads = 3,
          .fences = 3,
          .control = false,
          .arch = "ptx",
          .loads = {".na", "", ".acq"},
          .stores = {".na", "", ".rel"},
          .fence_words = {"fence.proxy.texture", "fence.proxy.alias", "fence.acqrel", "fence.sc", "bar"},
          .declarations = "a aliases x; t @ texture aliases x;",
          .locations = {"x", "a", "t", "y"}};
}

// Copies between x and y, mbarriers, and what waits for them and orders them.
inline Features ptx_async_words() {
  return {.threads = 2,
          .instructions = 4,
          .writes = 1,
          .reads = 2,
          .fences = 5,
          .fence_percent = 60,
          .control = false,
          .arch = "ptx",
          .loads = {".na", ".acq"},
          .stores = {".na", ".rel"},
          .fence_words = {"copy.lane x, y", "commit.lane", "wait.lane 0", "copy.bulk y, x", "copy.bulk y, x",
                          "commit.bulk", "wait.bulk 0", "wait.bulk.read 0", "fence.proxy.async",
                          "fence.proxy.async.semshared", "fence.proxy.async.rel.semshared", "bar", "bar.arrive.cluster",
                          "bar.wait.cluster", "bar.arrive.cluster.rlx"},
          .space = "shared",
          .locations = {"x", "y"}};
}

inline Features ptx_mbarrier_words() {
  Features words = ptx_async_words();
  words.fence_words = {"copy.bulk x, y, b",      "copy.lane x, y",         "mbar.follow b",
                       "mbar.arrive _, b, 1, 4", "mbar.arrive _, b",       "mbar.arrive.rlx r0, b",
                       "mbar.test r1, b, 0",     "mbar.test.rlx r1, b, 0", "mbar.complete b, 4"};
  words.declarations = "shared b = 1;";
  words.fences = 4;
  return words;
}

// Products of warpgroups. Each has an accumulator of its own.
inline Features ptx_product_words() {
  Features words = ptx_async_words();
  const std::string product = "copy.wgmma d$, x ; commit.wgmma";
  words.fence_words = {"wgfence ; " + product,
                       product,
                       "wgfence ; " + product + " ; wait.wgmma 0 ; ld.na r0, d$",
                       product + " ; wait.wgmma 0 ; ld.na r1, d$",
                       product + " ; wait.wgmma 1 ; ld.na r0, d$",
                       "st.na d$, 1 ; wgfence ; " + product + " ; wait.wgmma 0 ; ld.na r0, d$",
                       "wgfence",
                       "wait.wgmma 0",
                       "fence.proxy.async",
                       "copy.bulk y, x",
                       "bar"};
  return words;
}

// Tensor memory: t and u, shared memory x, and a flag y between two threads.
inline Features ptx_tensor_words() {
  Features words = ptx_async_words();
  words.fence_words = {"st.tensor t, 1",
                       "st.tensor t, 1 ; wait.tcst",
                       "ld.tensor r0, t",
                       "tcfence.after ; ld.tensor r1, t",
                       "ld.tensor r0, t ; wait.tcld",
                       "tcfence.before",
                       "tcfence.after",
                       "wait.tcst",
                       "copy.tccp t, x",
                       "copy.tcmma u, t",
                       "bar"};
  words.declarations = "tensor t; tensor u;";
  words.fences = 5;
  return words;
}

// Copies and products that an mbarrier tracks.
inline Features ptx_tensor_commit_words() {
  Features words = ptx_tensor_words();
  words.fence_words = {"copy.tccp t, x ; mbar.commit b",
                       "copy.tcmma t, x ; mbar.commit b",
                       "copy.tcmma.add t, x",
                       "mbar.commit b",
                       "mbar.test r1, b, 0",
                       "mbar.test.rlx r1, b, 0 ; tcfence.after ; ld.tensor r0, t",
                       "tcfence.after ; ld.tensor r0, t",
                       "fence.proxy.async",
                       "tcfence.before ; mbar.arrive.rlx _, b"};
  words.declarations = "shared b = 1; tensor t; tensor u;";
  words.fences = 4;
  return words;
}

// Arrivals that are dropped, and second lives of an mbarrier.
inline Features ptx_drop_words() {
  Features words = ptx_mbarrier_words();
  words.fence_words = {"mbar.drop _, b",    "mbar.drop _, b",   "mbar.drop.rlx r0, b", "mbar.arrive _, b",
                       "mbar.inval b",      "mbar.init b, 2",   "mbar.test r1, b, 0",  "mbar.test r1, b, 1",
                       "mbar.drop _, b, 2", "copy.bulk x, y, b"};
  words.declarations = "shared b = 2;";
  return words;
}

// Storage classes, availability and visibility; memory without a class is in none.
inline Features vulkan_words() {
  return {.writes = 3,
          .reads = 3,
          .fences = 3,
          .arch = "vulkan",
          .loads = {".na", ".na.nonpriv", ".na.nonpriv.vis.wg", "", ".wg", ".acq.semsc0", ".acq.vis.semsc0.semsc1"},
          .stores = {".na", ".na.nonpriv", ".na.nonpriv.av.wg", "", ".wg", ".rel.semsc0", ".rel.av.semsc0.semsc1"},
          .atomics = {"", ".acq.semsc0", ".rel.av.semsc0", ".acqrel.av.vis.semsc0"},
          .fence_words = {"fence.acqrel.av.vis.semsc0", "fence.rel.wg.semsc0", "fence.acq.semsc1", "bar",
                          "bar.acqrel.av.vis.semsc0"},
          .declarations = "sc0 s; sc1 t;",
          .locations = {"s", "s", "t", "x"}};
}

// Accesses that are available or visible, synchronisation that only orders, volatile accesses, local memory.
inline Features amdgpu_words() {
  return {.writes = 3,
          .reads = 3,
          .fences = 2,
          .levels = true,
          .loads = {".na", ".na.vol", ".na.wg.vis", "", ".wg", ".acq", ".acq.wg", ".acq.noav", ".acq.cluster", ".sc"},
          .stores = {".na", ".na.vol", ".na.wg.av", "", ".wg", ".rel", ".rel.wg", ".rel.noav", ".rel.sg", ".sc.sys"},
          .atomics = {"", ".acqrel", ".acq.noav", ".rel.wg", ".sc"},
          .fence_words = {"fence.acqrel", "fence.rel.wg", "fence.acq", "fence.rel.noav", "fence.acq.noav", "fence.sc"},
          .declarations = "shared s;",
          .locations = {"x", "x", "x", "y", "s"}};
}

inline Features aarch64_words() {
  return {.fences = 3,
          .arch = "aarch64",
          .loads = {"", "", ".acq", ".acqpc"},
          .stores = {"", "", ".rel"},
          .atomics = {"", ".acq", ".rel", ".acqrel"},
          .fence_words = {"dmb.sy", "dmb.ld", "dmb.ishst", "dsb.sy", "isb"}};
}

inline Features riscv_words() {
  return {.fences = 3,
          .arch = "riscv",
          .loads = {"", "", ".acq"},
          .stores = {"", "", ".rel"},
          .atomics = {"", ".acq", ".rel", ".acqrel"},
          .fence_words = {"riscv.rw.rw", "riscv.r.r", "riscv.r.w", "riscv.w.w", "riscv.tso"}};
}

inline Features linux_words() {
  return {.fences = 4,
          .arch = "linux",
          .loads = {"", "", ".acq", ".na"},
          .stores = {"", "", ".rel", ".na"},
          .atomics = {"", ".acq", ".rel", ".sc"},
          .fence_words = {"linux.mb", "linux.rmb", "linux.wmb", "linux.sync_rcu", "linux.rcu_lock", "linux.rcu_unlock",
                          "linux.before_atomic", "linux.after_atomic"}};
}

inline Features x86_words() {
  return {.fences = 3, .arch = "x86-64", .fence_words = {"mfence", "sfence", "lfence", "fence.sc"}};
}

// Parts of x, with less of everything: a part more multiplies the executions.
inline Features in_parts(Features features) {
  features.mixed = features.vectors = true;
  features.instructions = 3;
  features.writes = 3;
  features.reads = 3;
  return features;
}

// Loops that wait. A barrier in a loop would have to meet others.
inline Features waiting(Features features) {
  features.threads = 2;
  features.instructions = 2;
  features.writes = 3;
  features.reads = 3;
  features.fences = 2;
  features.loops = true;
  std::erase_if(features.fence_words, [](const std::string& word) { return word.starts_with("bar"); });
  return features;
}

}  // namespace weakspot::tests

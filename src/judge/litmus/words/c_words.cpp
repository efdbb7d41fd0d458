// SPDX-License-Identifier: MIT
// The words of C11, of OpenCL and of the Linux kernel's C.
#include "litmus/c/linux_words.h"
#include "litmus/words/meanings.h"
#include "litmus/words/word_list.h"

namespace weakspot::litmus::words {
namespace {

using Kind = Word::Kind;

constexpr Entry kKeywords[] = {
    {"if", "if (CONDITION) STATEMENT"},
    {"else", "if (CONDITION) STATEMENT else STATEMENT"},
    {"while", "while (CONDITION) STATEMENT"},
    {"do", "do STATEMENT while (CONDITION);"},
    {"for", "for (FIRST; CONDITION; STEP) STATEMENT"},
    {"goto", "goto LABEL;"},
    {"break", "leaves the loop"},
    {"continue", "goes on with the next round of the loop"},
    {"return", "ends the function"},
    {"true", "1"},
    {"false", "0"},
    {"void", "before the name of a function"},
    {"kernel", "before the name of a function"},
    {"__kernel", "before the name of a function"},
};

// Functions that also exist with `_explicit` and an order.
constexpr Entry kAtomics[] = {
    {"atomic_load", "(x): loads"},
    {"atomic_store", "(x, VALUE): stores"},
    {"atomic_compare_exchange_strong", "(x, &EXPECTED, NEW): 1 if it stored, else EXPECTED is what it read"},
    {"atomic_compare_exchange_weak", "(x, &EXPECTED, NEW): may fail for no reason"},
};

constexpr Entry kOpenclFunctions[] = {
    {"atomic_work_item_fence", "atomic_work_item_fence(FLAGS, ORDER, SCOPE)"},
    {"mem_fence", "mem_fence(FLAGS): acquire and release"},
    {"read_mem_fence", "read_mem_fence(FLAGS): acquire"},
    {"write_mem_fence", "write_mem_fence(FLAGS): release"},
    {"barrier", "barrier(FLAGS): waits for the other threads of the workgroup"},
    {"work_group_barrier", "work_group_barrier(FLAGS[, SCOPE]): waits for the other threads of the workgroup"},
    {"sub_group_barrier", "sub_group_barrier(FLAGS[, SCOPE]): waits for the other threads of the subgroup"},
};

constexpr Entry kLinuxFunctions[] = {
    {"spin_lock", "spin_lock(l): waits until the lock is free and takes it"},
    {"spin_unlock", "spin_unlock(l)"},
    {"spin_trylock", "spin_trylock(l): 1 if it took the lock"},
};

void add_types(WordList& list, CFace face) {
  for (std::string_view atomic : {"", "atomic_"}) {
    list.add(kCTypes, kTypeMeanings, Kind::type, atomic);
    for (std::string_view word : kCBasicTypes) {
      list.add(std::string(atomic).append(word), Kind::type, atomic.empty() ? "an integer type" : "an atomic type");
    }
  }
  for (std::string_view word : kCQualifiers) list.add(std::string(word), Kind::type, "qualifies a type");
  if (face == CFace::opencl) list.add(kCSpaces, kSpaceMeanings, Kind::type);
  if (face != CFace::linux_kernel) return;
  list.add("atomic_t", Kind::type, "an atomic int");
  list.add("spinlock_t", Kind::type, "a lock");
}

void add_atomics(WordList& list, CFace face) {
  for (std::string_view ending : {"", "_explicit"}) {
    for (const Entry& entry : kAtomics) {
      list.add(std::string(entry.text).append(ending), Kind::instruction, entry.meaning);
    }
    for (const auto& fetch : kCFetches) {
      if (face != CFace::opencl && (fetch.value == RmwOp::min || fetch.value == RmwOp::max)) continue;
      list.add(std::string(fetch.name).append(ending), Kind::instruction,
               kRmwOpMeanings[static_cast<std::size_t>(fetch.value)]);
    }
  }
  list.add("atomic_thread_fence", Kind::instruction, "atomic_thread_fence(ORDER)");
  for (const auto& order : kCOrders) {
    if (face == CFace::opencl && order.value == Order::consume) continue;
    list.add(std::string(order.name), Kind::order, kOrderMeanings[static_cast<std::size_t>(order.value)]);
  }
}

void add_linux(WordList& list) {
  for (const auto& fence : kLinuxFences)
    list.add(std::string(fence.name), Kind::instruction, "a barrier of the kernel");
  for (const auto& access : kLinuxAccesses) {
    list.add(std::string(access.name), Kind::instruction,
             access.value.store     ? access.value.pointer ? "(x, VALUE): stores" : "(*x, VALUE): stores"
             : access.value.pointer ? "(x): loads"
                                    : "(*x): loads");
  }
  list.add(kLinuxFunctions, Kind::instruction);
  for (const auto& op : kLinuxOps) {
    const std::string_view meaning = kRmwOpMeanings[static_cast<std::size_t>(op.value)];
    const std::string plain = std::string("atomic_").append(op.name);
    for (std::string_view ending : {"", "_and_test", "_negative"}) {
      list.add(plain + std::string(ending), Kind::instruction, meaning);
    }
    for (const auto& order : kLinuxOrders) {
      list.add(plain + std::string("_return").append(order.name), Kind::instruction, meaning);
      list.add(std::string("atomic_fetch_").append(op.name).append(order.name), Kind::instruction, meaning);
    }
  }
  for (std::string_view atomic : {"", "atomic_"}) {
    for (const auto& order : kLinuxOrders) {
      list.add(std::string(atomic).append("xchg").append(order.name), Kind::instruction, "(x, VALUE): exchanges");
      list.add(std::string(atomic).append("cmpxchg").append(order.name), Kind::instruction,
               "(x, OLD, NEW): compares and swaps");
    }
  }
}

}  // namespace

WordList c(CFace face) {
  WordList list;
  list.add(kKeywords, Kind::keyword);
  add_types(list, face);
  if (face == CFace::linux_kernel) {
    add_linux(list);
    return list;
  }
  add_atomics(list, face);
  if (face == CFace::c11) return list;
  list.add(kOpenclFunctions, Kind::instruction);
  list.add(kCScopes, kScopeMeanings, Kind::scope);
  list.add(kCFlags, kSpaceMeanings, Kind::suffix);
  return list;
}

}  // namespace weakspot::litmus::words

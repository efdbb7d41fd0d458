// SPDX-License-Identifier: MIT
// Meanings of the words of the field, by enumerator: the same in every dialect.
#pragma once

#include <string_view>

#include "litmus/instruction.h"

namespace weakspot::litmus::words {

inline constexpr std::string_view kOrderMeanings[] = {
    "not atomic",
    "relaxed: atomic, ordered only with accesses to the same location",
    "consume: orders what depends on the load",
    "acquire-PC, AArch64's LDAPR",
    "acquire",
    "release",
    "acquire and release",
    "sequentially consistent",
};

inline constexpr std::string_view kScopeMeanings[] = {
    "the thread alone", "subgroup (warp)", "workgroup (CTA)",  "cluster",
    "queue family",     "device (GPU)",    "the whole system",
};

inline constexpr std::string_view kSpaceMeanings[] = {
    "in any memory",   "global memory",   "shared memory: one copy per workgroup",
    "constant memory", "storage class 0", "storage class 1",
    "storage class 2", "storage class 3", "tensor memory: one copy per workgroup",
};

inline constexpr std::string_view kProxyMeanings[] = {
    "the generic proxy",        "the proxy of textures", "the proxy of surfaces",
    "the proxy of constants",   "the proxy of aliases",  "the proxy of asynchronous copies",
    "the proxy of tensor maps",
};

inline constexpr std::string_view kCacheOpMeanings[] = {
    "",         "cache at all levels",       "cache at the global level", "cache as streaming",
    "last use", "do not cache: fetch again", "write back at all levels",  "write through",
};

inline constexpr std::string_view kTypeMeanings[] = {
    "signed, 8 bits",    "unsigned, 8 bits",  "signed, 16 bits", "unsigned, 16 bits",
    "signed, 32 bits",   "unsigned, 32 bits", "32 bits",         "signed, 64 bits",
    "unsigned, 64 bits", "64 bits",           "a truth value",
};

inline constexpr std::string_view kTagMeanings[] = {
    "volatile",
    "exclusive",
    "non-private: takes part in inter-thread ordering",
    "made available to the scope",
    "sees what is visible in the scope",
    "one more element of a vector",
    "orders, but makes nothing available or visible",
    "the Linux kernel's spinlocks",
};

inline constexpr std::string_view kRmwOpMeanings[] = {
    "writes the value",
    "adds the value",
    "subtracts the value",
    "adds 1, or wraps to 0 at the value",
    "subtracts 1, or wraps to the value at 0",
    "bitwise and with the value",
    "bitwise or with the value",
    "bitwise exclusive or with the value",
    "the smaller one of old and value",
    "the greater one of old and value",
    "compares with an expected value and swaps",
};

inline constexpr std::string_view kComputeOpMeanings[] = {
    "the operand",
    "the bitwise complement",
    "the negative",
    "the sum",
    "the difference",
    "the product",
    "bitwise and",
    "bitwise or",
    "bitwise exclusive or",
    "shifts left",
    "shifts right",
    "1 if equal, else 0",
    "1 if not equal, else 0",
    "1 if less, else 0",
    "1 if less or equal, else 0",
    "1 if greater, else 0",
    "1 if greater or equal, else 0",
};

inline constexpr std::string_view kCompareOpMeanings[] = {"if equal",         "if not equal", "if less",
                                                          "if less or equal", "if greater",   "if greater or equal"};

inline constexpr std::string_view kAsyncEngineMeanings[] = {"copies of the thread (cp.async)",
                                                            "bulk copies (cp.async.bulk)",
                                                            "remote stores (st.async)",
                                                            "products (wgmma)",
                                                            "loads of tensor memory (tcgen05.ld)",
                                                            "stores to tensor memory (tcgen05.st)",
                                                            "copies from shared to tensor memory (tcgen05.cp)",
                                                            "products into tensor memory (tcgen05.mma)"};

inline constexpr std::string_view kMbarrierOpMeanings[] = {
    "makes an mbarrier",
    "arrives at the mbarrier",
    "expects more bytes",
    "counts bytes as come",
    "arrives when the thread's earlier lane copies are complete",
    "asks whether a phase is over",
    "waits until a phase is over",
    "arrives, and later phases expect less",
    "ends the life of the mbarrier",
    "arrives when the thread's earlier tccp and tcmma operations are complete (tcgen05.commit)",
};

// An order after `fail`, a scope after `mem`, a space after `sem`, a comparison after `b`.
inline constexpr std::string_view kFailureMeanings[] = {
    "a failure is not atomic",
    "a failure is relaxed",
    "a failure consumes",
    "a failure acquires as LDAPR",
    "a failure acquires",
    "a failure releases",
    "a failure acquires and releases",
    "a failure is sequentially consistent",
};
inline constexpr std::string_view kMemoryScopeMeanings[] = {
    "memory for the thread alone", "memory for the subgroup", "memory for the workgroup",    "memory for the cluster",
    "memory for the queue family", "memory for the device",   "memory for the whole system",
};
inline constexpr std::string_view kSemanticsMeanings[] = {
    "",
    "covers global memory",
    "covers shared memory",
    "covers constant memory",
    "covers storage class 0",
    "covers storage class 1",
    "covers storage class 2",
    "covers storage class 3",
};
inline constexpr std::string_view kBranchMeanings[] = {"jumps if equal",   "jumps if not equal",
                                                       "jumps if less",    "jumps if less or equal",
                                                       "jumps if greater", "jumps if greater or equal"};

}  // namespace weakspot::litmus::words

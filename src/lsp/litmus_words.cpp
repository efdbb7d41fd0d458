// SPDX-License-Identifier: MIT
#include "lsp/litmus_words.h"

#include <algorithm>

namespace weakspot::lsp {
namespace {

using litmus::Dialect;

constexpr auto kInstruction = LitmusWord::Kind::instruction;
constexpr auto kOrder = LitmusWord::Kind::order;
constexpr auto kScope = LitmusWord::Kind::scope;
constexpr auto kSuffix = LitmusWord::Kind::suffix;
constexpr auto kType = LitmusWord::Kind::type;

constexpr LitmusWord kCanonical[] = {
    {"ld", kInstruction, "ld TARGET, ADDRESS: loads"},
    {"st", kInstruction, "st ADDRESS, VALUE: stores"},
    {"atom", kInstruction, "atom.OP TARGET, ADDRESS, VALUE: reads, computes and writes in one step"},
    {"fence", kInstruction, "fence.ORDER: orders accesses before it with accesses after it (default sc)"},
    {"membar", kInstruction, "PTX's older fence, with a scope and without an order"},
    {"bar", kInstruction, "bar [ID]: waits for the other threads of the workgroup"},
    {"copy", kInstruction,
     "copy.ENGINE TO, FROM[, MBARRIER]: issues an asynchronous copy; lane, bulk, remote or wgmma"},
    {"commit", kInstruction, "commit.ENGINE: the copies since the last one are a group"},
    {"wait", kInstruction, "wait.ENGINE N: waits for all groups but the youngest N"},
    {"mbar", kInstruction, "mbar.OP: init, arrive, drop, expect, complete, follow, test, wait or inval on an mbarrier"},
    {"mbarinit", kInstruction, "PTX's fence.mbarrier_init"},
    {"wgfence", kInstruction, "PTX's wgmma.fence"},
    {"griddep", kInstruction, "griddep.launch, griddep.wait: dependent grids"},
    {"mov", kInstruction, "mov TARGET, VALUE"},
    {"add", kInstruction, "add TARGET, A, B"},
    {"sub", kInstruction, "sub TARGET, A, B"},
    {"and", kInstruction, "and TARGET, A, B"},
    {"or", kInstruction, "or TARGET, A, B"},
    {"xor", kInstruction, "xor TARGET, A, B"},
    {"eq", kInstruction, "eq TARGET, A, B: 1 if equal, else 0"},
    {"ne", kInstruction, "ne TARGET, A, B: 0 if equal, else 1"},
    {"b", kInstruction, "b LABEL: jumps"},
    {"beq", kInstruction, "beq A, B, LABEL: jumps if equal"},
    {"bne", kInstruction, "bne A, B, LABEL: jumps if not equal"},
    {"sel", kInstruction, "sel.eq TARGET, A, B, YES, NO: takes YES if A equals B"},
    {"dmb", kInstruction, "dmb.DOMAIN: AArch64's data memory barrier"},
    {"dsb", kInstruction, "dsb.DOMAIN: AArch64's data synchronisation barrier"},
    {"isb", kInstruction, "AArch64's instruction synchronisation barrier"},
    {"mfence", kInstruction, "x86's full fence"},
    {"sfence", kInstruction, "x86's store fence"},
    {"lfence", kInstruction, "x86's load fence"},
    {"avdev", kInstruction, "Vulkan's availability operation of the device"},
    {"visdev", kInstruction, "Vulkan's visibility operation of the device"},
    {"na", kOrder, "non-atomic (PTX: weak)"},
    {"rlx", kOrder, "relaxed (default)"},
    {"con", kOrder, "consume"},
    {"acqpc", kOrder, "acquire-PC, AArch64's LDAPR"},
    {"acq", kOrder, "acquire"},
    {"rel", kOrder, "release"},
    {"acqrel", kOrder, "acquire and release"},
    {"sc", kOrder, "sequentially consistent"},
    {"thread", kScope, "the thread alone"},
    {"sg", kScope, "subgroup (warp)"},
    {"wg", kScope, "workgroup (CTA)"},
    {"cluster", kScope, "cluster"},
    {"qf", kScope, "queue family"},
    {"dev", kScope, "device (default)"},
    {"sys", kScope, "system"},
    {"vol", kSuffix, "volatile"},
    {"ex", kSuffix, "exclusive"},
    {"global", kSuffix, "global memory"},
    {"shared", kSuffix, "shared memory: one copy per workgroup"},
    {"proxy", kSuffix, "fence.proxy.PROXY: orders accesses through different proxies"},
    {"exch", kSuffix, "atom.exch: writes the value"},
    {"cas", kSuffix, "atom.cas TARGET, ADDRESS, EXPECTED, NEW"},
    {"s32", kType, "signed, 32 bits"},
    {"u32", kType, "unsigned, 32 bits"},
    {"s64", kType, "signed, 64 bits"},
    {"u64", kType, "unsigned, 64 bits"},
};

constexpr LitmusWord kPtx[] = {
    {"ld", kInstruction, "ld.ORDER.SCOPE TARGET, ADDRESS: loads"},
    {"st", kInstruction, "st.ORDER.SCOPE ADDRESS, VALUE: stores"},
    {"atom", kInstruction, "atom.OP.ORDER.SCOPE TARGET, ADDRESS, VALUE"},
    {"red", kInstruction, "red.OP.ORDER.SCOPE ADDRESS, VALUE: a read-modify-write without a result"},
    {"fence", kInstruction, "fence.ORDER.SCOPE or fence.proxy.PROXY"},
    {"bar", kInstruction, "bar.cta.sync ID: waits for the other threads of the CTA"},
    {"weak", kOrder, "not atomic"},
    {"relaxed", kOrder, "atomic, ordered only with accesses to the same location"},
    {"acquire", kOrder, "acquire"},
    {"release", kOrder, "release"},
    {"acq_rel", kOrder, "acquire and release"},
    {"sc", kOrder, "sequentially consistent; for fences"},
    {"cta", kScope, "the CTA (workgroup)"},
    {"cluster", kScope, "the cluster"},
    {"gpu", kScope, "the GPU"},
    {"sys", kScope, "the whole system"},
    {"proxy", kSuffix, "fence.proxy.alias, texture, surface, constant, async or generic"},
    {"sync", kSuffix, "waits"},
    {"arrive", kSuffix, "does not wait"},
    {"s32", kType, "signed, 32 bits"},
    {"u32", kType, "unsigned, 32 bits"},
    {"b32", kType, "32 bits"},
    {"s64", kType, "signed, 64 bits"},
    {"u64", kType, "unsigned, 64 bits"},
    {"b64", kType, "64 bits"},
};

constexpr LitmusWord kPtx2015[] = {
    {"ld", kInstruction, "ld[.CACHE].TYPE TARGET, [ADDRESS]: loads"},
    {"st", kInstruction, "st[.CACHE].TYPE [ADDRESS], VALUE: stores"},
    {"atom", kInstruction, "atom.OP.TYPE TARGET, [ADDRESS], VALUE"},
    {"membar", kInstruction, "membar.cta, membar.gl or membar.sys"},
    {"mov", kInstruction, "mov.TYPE TARGET, VALUE"},
    {"add", kInstruction, "add.TYPE TARGET, A, B"},
    {"and", kInstruction, "and.TYPE TARGET, A, B"},
    {"xor", kInstruction, "xor.TYPE TARGET, A, B"},
    {"setp", kInstruction, "setp.OP.TYPE TARGET, A, B: a predicate"},
    {"bra", kInstruction, "bra LABEL: jumps"},
    {"cta", kScope, "the CTA (workgroup)"},
    {"gl", kScope, "the GPU"},
    {"sys", kScope, "the whole system"},
    {"volatile", kSuffix, "volatile"},
    {"ca", kSuffix, "cache at all levels"},
    {"cg", kSuffix, "cache at the global level"},
    {"s32", kType, "signed, 32 bits"},
    {"u32", kType, "unsigned, 32 bits"},
    {"b32", kType, "32 bits"},
    {"b64", kType, "64 bits"},
};

constexpr LitmusWord kVulkan[] = {
    {"ld", kInstruction, "ld.atom.acq.dv.sc0.semsc0 TARGET, ADDRESS: loads"},
    {"st", kInstruction, "st.atom.rel.dv.sc0.semsc0 ADDRESS, VALUE: stores"},
    {"rmw", kInstruction, "rmw.atom.acq_rel.dv.sc0.add TARGET, ADDRESS, VALUE"},
    {"membar", kInstruction, "membar.acq_rel.dv.semsc0: a memory barrier"},
    {"cbar", kInstruction, "cbar.acq_rel.wg.semsc0 ID: a control barrier"},
    {"avdevice", kInstruction, "writes become available to the device"},
    {"visdevice", kInstruction, "what is available becomes visible"},
    {"goto", kInstruction, "goto LABEL: jumps"},
    {"acq", kOrder, "acquire"},
    {"rel", kOrder, "release"},
    {"acq_rel", kOrder, "acquire and release"},
    {"sg", kScope, "subgroup"},
    {"wg", kScope, "workgroup"},
    {"qf", kScope, "queue family"},
    {"dv", kScope, "device"},
    {"atom", kSuffix, "atomic"},
    {"nonpriv", kSuffix, "takes part in inter-thread ordering"},
    {"av", kSuffix, "made available to the scope"},
    {"vis", kSuffix, "sees what is visible in the scope"},
    {"semav", kSuffix, "the release makes writes available"},
    {"semvis", kSuffix, "the acquire makes writes visible"},
    {"sc0", kSuffix, "storage class 0"},
    {"sc1", kSuffix, "storage class 1"},
    {"semsc0", kSuffix, "covers storage class 0"},
    {"semsc1", kSuffix, "covers storage class 1"},
};

constexpr LitmusWord kC[] = {
    {"atomic_load_explicit", kInstruction, "atomic_load_explicit(x, ORDER)"},
    {"atomic_store_explicit", kInstruction, "atomic_store_explicit(x, VALUE, ORDER)"},
    {"atomic_exchange_explicit", kInstruction, "atomic_exchange_explicit(x, VALUE, ORDER)"},
    {"atomic_fetch_add_explicit", kInstruction, "atomic_fetch_add_explicit(x, VALUE, ORDER)"},
    {"atomic_compare_exchange_strong_explicit", kInstruction, "(x, &EXPECTED, NEW, ORDER, FAILURE)"},
    {"atomic_thread_fence", kInstruction, "atomic_thread_fence(ORDER)"},
    {"memory_order_relaxed", kOrder, "atomic, ordered only with accesses to the same location"},
    {"memory_order_consume", kOrder, "orders what depends on the load"},
    {"memory_order_acquire", kOrder, "acquire"},
    {"memory_order_release", kOrder, "release"},
    {"memory_order_acq_rel", kOrder, "acquire and release"},
    {"memory_order_seq_cst", kOrder, "sequentially consistent"},
    {"atomic_int", kType, "an atomic int"},
    {"int", kType, "32 bits, signed"},
};

constexpr LitmusWord kOpencl[] = {
    {"atomic_load_explicit", kInstruction, "atomic_load_explicit(x, ORDER, SCOPE)"},
    {"atomic_store_explicit", kInstruction, "atomic_store_explicit(x, VALUE, ORDER, SCOPE)"},
    {"atomic_exchange_explicit", kInstruction, "atomic_exchange_explicit(x, VALUE, ORDER, SCOPE)"},
    {"atomic_fetch_add_explicit", kInstruction, "atomic_fetch_add_explicit(x, VALUE, ORDER, SCOPE)"},
    {"atomic_work_item_fence", kInstruction, "atomic_work_item_fence(FLAGS, ORDER, SCOPE)"},
    {"work_group_barrier", kInstruction, "work_group_barrier(FLAGS)"},
    {"memory_order_relaxed", kOrder, "atomic, ordered only with accesses to the same location"},
    {"memory_order_acquire", kOrder, "acquire"},
    {"memory_order_release", kOrder, "release"},
    {"memory_order_acq_rel", kOrder, "acquire and release"},
    {"memory_order_seq_cst", kOrder, "sequentially consistent"},
    {"memory_scope_work_item", kScope, "the thread alone"},
    {"memory_scope_sub_group", kScope, "subgroup"},
    {"memory_scope_work_group", kScope, "workgroup"},
    {"memory_scope_device", kScope, "device"},
    {"memory_scope_all_svm_devices", kScope, "all devices and the host"},
    {"CLK_GLOBAL_MEM_FENCE", kSuffix, "global memory"},
    {"CLK_LOCAL_MEM_FENCE", kSuffix, "shared (local) memory"},
    {"atomic_int", kType, "an atomic int"},
    {"global", kType, "in global memory"},
    {"local", kType, "in shared (local) memory"},
};

constexpr LitmusWord kLinux[] = {
    {"READ_ONCE", kInstruction, "READ_ONCE(*x): a relaxed load"},
    {"WRITE_ONCE", kInstruction, "WRITE_ONCE(*x, VALUE): a relaxed store"},
    {"smp_load_acquire", kInstruction, "smp_load_acquire(x)"},
    {"smp_store_release", kInstruction, "smp_store_release(x, VALUE)"},
    {"smp_mb", kInstruction, "smp_mb(): a full barrier"},
    {"smp_rmb", kInstruction, "smp_rmb(): orders loads"},
    {"smp_wmb", kInstruction, "smp_wmb(): orders stores"},
    {"rcu_read_lock", kInstruction, "rcu_read_lock(): begins a read-side critical section"},
    {"rcu_read_unlock", kInstruction, "rcu_read_unlock(): ends it"},
    {"synchronize_rcu", kInstruction, "synchronize_rcu(): waits for a grace period"},
    {"rcu_dereference", kInstruction, "rcu_dereference(*p)"},
    {"rcu_assign_pointer", kInstruction, "rcu_assign_pointer(*p, VALUE)"},
    {"xchg", kInstruction, "xchg(x, VALUE): a full barrier on both sides"},
    {"cmpxchg", kInstruction, "cmpxchg(x, OLD, NEW)"},
    {"spin_lock", kInstruction, "spin_lock(l)"},
    {"spin_unlock", kInstruction, "spin_unlock(l)"},
};

constexpr LitmusWord kAarch64[] = {
    {"LDR", kInstruction, "LDR W0,[X1]: loads"},
    {"STR", kInstruction, "STR W0,[X1]: stores"},
    {"LDAR", kInstruction, "LDAR W0,[X1]: load-acquire"},
    {"LDAPR", kInstruction, "LDAPR W0,[X1]: load-acquire that earlier releases may pass"},
    {"STLR", kInstruction, "STLR W0,[X1]: store-release"},
    {"LDXR", kInstruction, "LDXR W0,[X1]: load-exclusive"},
    {"STXR", kInstruction, "STXR W2,W0,[X1]: store-exclusive; W2 is 0 if it stored"},
    {"LDAXR", kInstruction, "load-acquire-exclusive"},
    {"STLXR", kInstruction, "store-release-exclusive"},
    {"LDP", kInstruction, "LDP W0,W1,[X2]: two loads"},
    {"STP", kInstruction, "STP W0,W1,[X2]: two stores"},
    {"SWP", kInstruction, "SWP W0,W1,[X2]: exchanges; SWPA, SWPL, SWPAL: with orders"},
    {"CAS", kInstruction, "CAS W0,W1,[X2]: compares and swaps; CASA, CASL, CASAL"},
    {"LDADD", kInstruction, "LDADD W0,W1,[X2]: adds; LDADDA, LDADDL, LDADDAL"},
    {"DMB", kInstruction, "DMB SY, DMB LD, DMB ST, DMB ISH ...: data memory barrier"},
    {"DSB", kInstruction, "DSB SY ...: data synchronisation barrier"},
    {"ISB", kInstruction, "instruction synchronisation barrier"},
    {"MOV", kInstruction, "MOV W0,#1"},
    {"ADD", kInstruction, "ADD W0,W1,W2"},
    {"EOR", kInstruction, "EOR W0,W1,W1: 0, and a dependency"},
    {"AND", kInstruction, "AND W0,W1,W2"},
    {"CBZ", kInstruction, "CBZ W0,LABEL: jumps if zero"},
    {"CBNZ", kInstruction, "CBNZ W0,LABEL: jumps if not zero"},
    {"CMP", kInstruction, "CMP W0,W1"},
    {"CSEL", kInstruction, "CSEL W0,W1,W2,EQ: selects"},
};

constexpr LitmusWord kX86[] = {
    {"MOV", kInstruction, "MOV [x],1 or MOV EAX,[x]"},
    {"XCHG", kInstruction, "XCHG [x],EAX: exchanges, locked"},
    {"XADD", kInstruction, "LOCK XADD [x],EAX: adds; EAX is the old value"},
    {"CMPXCHG", kInstruction, "LOCK CMPXCHG [x],EBX: compares with EAX and swaps"},
    {"LOCK", kInstruction, "makes the instruction behind it atomic"},
    {"INC", kInstruction, "LOCK INC [x]"},
    {"ADD", kInstruction, "ADD EAX,EBX"},
    {"XOR", kInstruction, "XOR EAX,EAX"},
    {"LEA", kInstruction, "LEA RAX,[x]: the address"},
    {"CMP", kInstruction, "CMP EAX,1"},
    {"JE", kInstruction, "JE LABEL: jumps if equal"},
    {"JNE", kInstruction, "JNE LABEL: jumps if not equal"},
    {"MFENCE", kInstruction, "a full fence"},
    {"SFENCE", kInstruction, "a store fence"},
    {"LFENCE", kInstruction, "a load fence"},
};

constexpr LitmusWord kRiscv[] = {
    {"lw", kInstruction, "lw x5,0(x6): loads"},
    {"sw", kInstruction, "sw x5,0(x6): stores"},
    {"lr.w", kInstruction, "lr.w[.aq|.rl|.aqrl] x5,(x6): load-reserved"},
    {"sc.w", kInstruction, "sc.w[.aq|.rl|.aqrl] x7,x5,(x6): store-conditional"},
    {"amoswap.w", kInstruction, "amoswap.w x7,x5,(x6): exchanges"},
    {"amoadd.w", kInstruction, "amoadd.w x7,x5,(x6): adds"},
    {"fence", kInstruction, "fence rw,rw: what before it with what after it"},
    {"fence.tso", kInstruction, "orders all but stores with later loads"},
    {"fence.i", kInstruction, "instruction fetches"},
    {"ori", kInstruction, "ori x5,x0,1: a constant"},
    {"xor", kInstruction, "xor x5,x6,x6: 0, and a dependency"},
    {"add", kInstruction, "add x5,x6,x7"},
    {"beq", kInstruction, "beq x5,x0,LABEL: jumps if equal"},
    {"bne", kInstruction, "bne x5,x0,LABEL: jumps if not equal"},
};

constexpr LitmusWord kFrame[] = {
    {"exists", kInstruction, "exists (P): whether some execution ends with P"},
    {"forall", kInstruction, "forall (P): whether every execution ends with P"},
    {"filter", kInstruction, "filter (P): final states without P are left out"},
    {"locations", kInstruction, "locations [x; 0:r1;]: what to report besides"},
    {"scopes", kInstruction, "scopes (wg P0) (wg P1): where the threads run"},
};

}  // namespace

std::span<const LitmusWord> words_of(Dialect dialect) {
  switch (dialect) {
    case Dialect::canonical:
      return kCanonical;
    case Dialect::ptx:
      return kPtx;
    case Dialect::ptx2015:
      return kPtx2015;
    case Dialect::vulkan:
      return kVulkan;
    case Dialect::opencl:
      return kOpencl;
    case Dialect::c11:
      return kC;
    case Dialect::aarch64:
      return kAarch64;
    case Dialect::x86_64:
      return kX86;
    case Dialect::riscv:
      return kRiscv;
    case Dialect::linux_kernel:
      return kLinux;
    case Dialect::json:
      break;
  }
  return {};
}

bool is_dotted(Dialect dialect) {
  return dialect == Dialect::canonical || dialect == Dialect::ptx || dialect == Dialect::ptx2015 ||
         dialect == Dialect::vulkan;
}

const LitmusWord* find_word(Dialect dialect, std::string_view text) {
  const std::span<const LitmusWord> words = words_of(dialect);
  const auto found =
      std::find_if(words.begin(), words.end(), [&](const LitmusWord& word) { return word.text == text; });
  return found == words.end() ? nullptr : &*found;
}

std::span<const LitmusWord> frame_words() { return kFrame; }

}  // namespace weakspot::lsp

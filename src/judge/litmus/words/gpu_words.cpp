// SPDX-License-Identifier: MIT
// The words of the canonical form, of PTX and of Vulkan.
#include "litmus/vulkan/vulkan_words.h"
#include "litmus/words/meanings.h"
#include "litmus/words/word_list.h"

namespace weakspot::litmus::words {
namespace {

using Kind = Word::Kind;

constexpr Entry kCanonicalInstructions[] = {
    {"ld", "ld TARGET, ADDRESS: loads"},
    {"st", "st ADDRESS, VALUE: stores"},
    {"atom", "atom.OP TARGET, ADDRESS, VALUE: reads, computes and writes in one step"},
    {"fence", "fence.ORDER: orders accesses before it with accesses after it (default sc)"},
    {"membar", "PTX's older fence, with a scope and without an order"},
    {"bar", "bar [ID]: waits for the other threads of the workgroup"},
    {"copy", "copy.ENGINE TO, FROM[, MBARRIER]: issues an asynchronous copy; lane, bulk, remote, wgmma, tccp or tcmma"},
    {"commit", "commit.ENGINE: the copies since the last one are a group"},
    {"wait", "wait.ENGINE N: waits for all groups but the youngest N; wait.tcld, wait.tcst: for all"},
    {"mbar", "mbar.OP: init, arrive, drop, expect, complete, follow, commit, test, wait or inval on an mbarrier"},
    {"mbarinit", "PTX's fence.mbarrier_init"},
    {"wgfence", "PTX's wgmma.fence"},
    {"tcfence", "tcfence.before, tcfence.after: PTX's tcgen05.fence"},
    {"griddep", "griddep.launch, griddep.wait: dependent grids"},
    {"b", "b LABEL: jumps"},
    {"sel", "sel.eq TARGET, A, B, YES, NO: takes YES if A equals B"},
    {"dmb", "dmb.DOMAIN: AArch64's data memory barrier"},
    {"dsb", "dsb.DOMAIN: AArch64's data synchronisation barrier"},
    {"isb", "AArch64's instruction synchronisation barrier"},
    {"mfence", "x86's full fence"},
    {"sfence", "x86's store fence"},
    {"lfence", "x86's load fence"},
    {"avdev", "Vulkan's availability operation of the device"},
    {"visdev", "Vulkan's visibility operation of the device"},
};

constexpr Entry kCanonicalSuffixes[] = {
    {"weak", "atom.cas: may fail for no reason"},
    {"proxy", "fence.proxy.PROXY: orders accesses through different proxies"},
    {"arrive", "bar: does not wait"},
    {"wait", "bar, griddep: waits"},
    {"launch", "griddep: dependent grids may start"},
    {"before", "tcfence: before a synchronisation of threads (tcgen05.fence::before_thread_sync)"},
    {"after", "tcfence: after a synchronisation of threads (tcgen05.fence::after_thread_sync)"},
    {"map", "copy.bulk: reads a tensor map"},
    {"read", "wait.bulk: until the sources have been read"},
    {"sy", "dmb, dsb: the full system, all accesses"},
};

constexpr Entry kReaches[] = {{"", "the full system"},
                              {"ish", "the inner shareable domain"},
                              {"osh", "the outer shareable domain"},
                              {"nsh", "the processor alone"}};

constexpr Entry kPtxInstructions[] = {
    {"ld", "ld[.ORDER.SCOPE] TARGET, ADDRESS: loads"},
    {"st", "st[.ORDER.SCOPE] ADDRESS, VALUE: stores"},
    {"atom", "atom.OP[.ORDER.SCOPE] TARGET, ADDRESS, VALUE: reads, computes and writes in one step"},
    {"red", "red.OP[.ORDER.SCOPE] ADDRESS, VALUE: a read-modify-write without a result"},
    {"membar", "membar.cta, membar.gl or membar.sys"},
    {"bar", "bar.sync ID: waits for the other threads of the CTA"},
    {"barrier", "barrier.sync ID: waits for the other threads of the CTA"},
    {"bra", "bra LABEL: jumps"},
    {"setp", "setp.OP.TYPE TARGET, A, B: a predicate"},
    {"cvt", "cvt.TYPE.TYPE TARGET, A: converts"},
};

constexpr Entry kPtxSuffixes[] = {
    {"volatile", "volatile"},
    {"v2", "two elements"},
    {"v4", "four elements"},
    {"sync", "waits"},
    {"arrive", "does not wait"},
    {"aligned", "all threads of the warp"},
    {"uni", "bra: no thread diverges"},
    {"lo", "mul: the lower half"},
};

constexpr Entry kNewPtxInstructions[] = {
    {"fence", "fence.ORDER.SCOPE or fence.proxy.PROXY"},
    {"goto", "goto LABEL: jumps"},
    {"tld", "a load through the texture proxy"},
    {"suld", "a load through the surface proxy"},
    {"cold", "a load through the constant proxy"},
    {"sust", "a store through the surface proxy"},
    {"suatom", "a read-modify-write through the surface proxy"},
    {"sured", "a reduction through the surface proxy"},
    {"cp", "cp.async, cp.async.bulk or cp.reduce.async.bulk: asynchronous copies"},
    {"mbarrier", "mbarrier.init, arrive, arrive_drop, expect_tx, complete_tx, test_wait, try_wait or inval"},
    {"griddepcontrol", "griddepcontrol.launch_dependents or wait: dependent grids"},
    {"wgmma", "wgmma.mma_async, fence, commit_group or wait_group: products"},
    {"tcgen05", "tcgen05.ld, st, cp, mma, commit, wait::ld, wait::st or fence: tensor memory"},
};

constexpr Entry kNewPtxSuffixes[] = {
    {"proxy", "fence.proxy.alias, texture, surface, constant, async or generic"},
    {"mbarrier_init", "fence.mbarrier_init.release.cluster"},
    {"async", "asynchronous"},
    {"reduce", "cp.reduce.async.bulk: into the target"},
    {"bulk", "cp.async.bulk: the TMA"},
    {"tensor", "cp.async.bulk.tensor: by a tensor map"},
    {"commit_group", "the copies since the last one are a group"},
    {"wait_group", "waits for all groups but the youngest N"},
    {"wait_all", "cp.async: waits for all copies"},
    {"read", "wait_group: until the sources have been read"},
    {"mbarrier", "cp.async.mbarrier.arrive.noinc: arrives when earlier copies are complete"},
    {"noinc", "cp.async.mbarrier.arrive: the count stays"},
    {"bulk_group", "the copy belongs to a group"},
    {kCompleteTx, "bytes are counted on an mbarrier"},
    {"multicast::cluster", "to several CTAs of the cluster"},
    {"shared::cta", "shared memory of the CTA"},
    {"shared::cluster", "shared memory of the cluster"},
    {"mma_async", "wgmma: a product"},
    {"fence", "wgmma.fence"},
    {"ld", "tcgen05: loads from tensor memory"},
    {"st", "tcgen05: stores to tensor memory"},
    {"cp", "tcgen05: a copy from shared to tensor memory"},
    {"mma", "tcgen05: a product into tensor memory"},
    {"commit", "tcgen05: arrives at an mbarrier when copies and products are complete"},
    {"wait::ld", "tcgen05: waits for the loads of the thread"},
    {"wait::st", "tcgen05: waits for the stores of the thread"},
    {"fence::before_thread_sync", "tcgen05: before a synchronisation of threads"},
    {"fence::after_thread_sync", "tcgen05: after a synchronisation of threads"},
    {"mbarrier::arrive::one", "tcgen05.commit: one arrival"},
    {"init", "mbarrier: makes one"},
    {"expect_tx", "mbarrier: expects more bytes"},
    {"complete_tx", "mbarrier: counts bytes as come"},
    {"test_wait", "mbarrier: asks whether a phase is over"},
    {"try_wait", "mbarrier: asks, or waits until a phase is over"},
    {"arrive_drop", "mbarrier: arrives, and later phases expect less"},
    {"inval", "mbarrier: ends its life"},
    {"parity", "mbarrier: the phase by its parity"},
    {"wait", "waits"},
    {"launch_dependents", "griddepcontrol: dependent grids may start"},
    {"tensormap::generic", "fence.proxy: writes of a tensor map with its use"},
    {"async::generic", "fence.proxy: one direction"},
    {"sync_restrict::shared::cta", "fence.proxy.async::generic.release"},
    {"sync_restrict::shared::cluster", "fence.proxy.async::generic.acquire"},
};

constexpr Entry kVulkanInstructions[] = {
    {"ld", "ld.atom.acq.dv.sc0.semsc0 TARGET, ADDRESS: loads"},
    {"st", "st.atom.rel.dv.sc0.semsc0 ADDRESS, VALUE: stores"},
    {"rmw", "rmw.atom.acq_rel.dv.sc0.add TARGET, ADDRESS, VALUE: without an operation, exchanges"},
    {"membar", "membar.acq_rel.dv.semsc0: a memory barrier"},
    {"cbar", "cbar.acq_rel.wg.semsc0 ID: a control barrier"},
    {"avdevice", "writes become available to the device"},
    {"visdevice", "what is available becomes visible"},
    {"goto", "goto LABEL: jumps"},
};

constexpr Entry kVulkanSuffixes[] = {
    {"atom", "atomic"},
    {"nonpriv", "takes part in inter-thread ordering"},
    {"av", "made available to the scope"},
    {"vis", "sees what is visible in the scope"},
    {"semav", "the release makes writes available"},
    {"semvis", "the acquire makes writes visible"},
};

// Branches: beq A, B, LABEL.
void add_branches(WordList& list) { list.add<CompareOp>(kBranchMeanings, Kind::instruction, "b"); }

}  // namespace

WordList canonical() {
  WordList list;
  list.add(kCanonicalInstructions, Kind::instruction);
  add_branches(list);
  list.add<ComputeOp>(kComputeOpMeanings, Kind::instruction);
  for (auto i = static_cast<int>(FenceName::riscv_r_r); i <= static_cast<int>(FenceName::linux_sync_rcu); ++i) {
    list.add(std::string(to_string(static_cast<FenceName>(i))), Kind::instruction, "a fence that only its model knows");
  }
  list.add<Order>(kOrderMeanings, Kind::order);
  list.add<Order>(kFailureMeanings, Kind::suffix, "fail");
  list.add<Scope>(kScopeMeanings, Kind::scope);
  list.add<Scope>(kMemoryScopeMeanings, Kind::suffix, "mem");
  list.add<Space>(kSpaceMeanings, Kind::suffix);
  list.add<Space>(kSemanticsMeanings, Kind::suffix, "sem");
  list.add<Proxy>(kProxyMeanings, Kind::suffix);
  list.add<CacheOp>(kCacheOpMeanings, Kind::suffix);
  list.add<Tag>(kTagMeanings, Kind::suffix);
  list.add<RmwOp>(kRmwOpMeanings, Kind::suffix);
  list.add<CompareOp>(kCompareOpMeanings, Kind::suffix);
  list.add<AsyncEngine>(kAsyncEngineMeanings, Kind::suffix);
  list.add<MbarrierOp>(kMbarrierOpMeanings, Kind::suffix);
  list.add(kCanonicalSuffixes, Kind::suffix);
  for (const Entry& reach : kReaches) {
    for (std::string_view accesses : {"", "ld", "st"}) {
      const std::string word = std::string(reach.text).append(accesses);
      if (!word.empty()) list.add(word, Kind::suffix, reach.meaning);
    }
  }
  list.add<Type>(kTypeMeanings, Kind::type);
  return list;
}

WordList ptx(PtxEdition edition) {
  WordList list;
  list.add(kPtxInstructions, Kind::instruction);
  for (auto op = ComputeOp::mov; !is_comparison(op); op = static_cast<ComputeOp>(static_cast<int>(op) + 1)) {
    list.add(std::string(to_string(op)), Kind::instruction, kComputeOpMeanings[static_cast<std::size_t>(op)]);
  }
  list.add(kMembarScopes, kScopeMeanings, Kind::scope);
  list.add(kPtxSuffixes, Kind::suffix);
  list.add(kPtxSpaces, kSpaceMeanings, Kind::suffix);
  list.add(kPtxCacheOps, kCacheOpMeanings, Kind::suffix);
  list.add(kPtxRmwOps, kRmwOpMeanings, Kind::suffix);
  list.add(kPtxCompareOps, kCompareOpMeanings, Kind::suffix);
  list.add(kPtxTypes, kTypeMeanings, Kind::type);
  if (edition == PtxEdition::y2015) return list;
  list.add(kNewPtxInstructions, Kind::instruction);
  add_branches(list);
  list.add(kPtxOrders, kOrderMeanings, Kind::order);
  list.add(kPtxScopes, kScopeMeanings, Kind::scope);
  list.add(kPtxProxyFences, kProxyMeanings, Kind::suffix);
  list.add(kNewPtxSuffixes, Kind::suffix);
  return list;
}

WordList vulkan() {
  WordList list;
  list.add(kVulkanInstructions, Kind::instruction);
  add_branches(list);
  list.add(kVulkanComputeOps, kComputeOpMeanings, Kind::instruction);
  list.add(kVulkanOrders, kOrderMeanings, Kind::order);
  list.add(kVulkanScopes, kScopeMeanings, Kind::scope);
  list.add(kVulkanSuffixes, Kind::suffix);
  list.add(kVulkanSpaces, kSpaceMeanings, Kind::suffix);
  list.add(kVulkanSpaces, kSemanticsMeanings, Kind::suffix, "sem");
  list.add(kVulkanRmwOps, kRmwOpMeanings, Kind::suffix);
  return list;
}

}  // namespace weakspot::litmus::words

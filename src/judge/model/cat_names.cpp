// SPDX-License-Identifier: MIT
#include "model/cat_names.h"

#include <algorithm>

#include "model/cat/predefined.h"

namespace weakspot::model {
namespace {

struct Meaning {
  std::string_view name, words;
};

constexpr Meaning kSetMeanings[] = {
    {"R", "reads, also those of read-modify-writes"},
    {"W", "writes, also initial writes and those of read-modify-writes"},
    {"M", "reads and writes"},
    {"IW", "initial writes"},
    {"I", "initial writes"},
    {"F", "fences; in some architectures barriers as well"},
    {"B", "branches"},
    {"BCC", "branches"},
    {"RMW", "both halves of read-modify-writes"},
    {"NA", "plain (non-atomic) accesses"},
    {"WEAK", "plain (non-atomic) accesses"},
    {"RLX", "relaxed accesses"},
    {"CON", "consume reads in C; accesses through the constant proxy elsewhere"},
    {"ACQ", "acquire reads and fences"},
    {"REL", "release writes and fences"},
    {"ACQ_REL", "fences and read-modify-writes that acquire and release"},
    {"SC", "sequentially consistent accesses and fences"},
    {"ATOM", "accesses that are not plain"},
    {"ATOMIC", "accesses that are not plain"},
    {"A", "accesses that are not plain; acquiring reads on AArch64, locked accesses on x86-64"},
    {"L", "AArch64: releasing writes"},
    {"Q", "AArch64: acquire-PC reads (LDAPR)"},
    {"X", "read-modify-writes of one instruction; locked accesses on x86-64"},
    {"AMO", "RISC-V: read-modify-writes of one instruction"},
    {"older-X", "X of models that name AMO: read-modify-writes, also those of LR/SC"},
    {"R-or-AMO", "R of models that name RISC-V's fences: also the writes of AMOs"},
    {"W-or-AMO", "W of models that name RISC-V's fences: also the reads of AMOs"},
    {"every-read", "reads, also those of locks"},
    {"every-write", "writes, also those of locks"},
    {"EX", "exclusive accesses"},
    {"NAL", "accesses to locations that only plain accesses touch"},
    {"VOL", "volatile accesses"},
    {"NAVOL", "volatile accesses that are not atomic"},
    {"NoRet", "reads of read-modify-writes whose result is thrown away"},
    {"WI", "events that name no scope, or their own thread"},
    {"SG", "events of scope subgroup"},
    {"WARP", "events of scope subgroup (warp)"},
    {"WG", "events of scope workgroup"},
    {"CTA", "events of scope workgroup (CTA)"},
    {"CLUSTER", "events of scope cluster"},
    {"QF", "events of scope queue family"},
    {"DV", "events of scope device"},
    {"DEV", "events of scope device"},
    {"GPU", "events of scope device"},
    {"SYS", "events of scope system"},
    {"ALL", "events of scope system"},
    {"GLOBAL", "accesses to global memory, and fences and barriers that cover it"},
    {"LOCAL", "accesses to shared memory, and fences and barriers that cover it"},
    {"SHARED", "accesses to shared memory, and fences and barriers that cover it"},
    {"GEN", "accesses through the generic proxy"},
    {"TEX", "accesses through the texture proxy"},
    {"SUR", "accesses through the surface proxy"},
    {"ASYNC", "accesses through the asynchronous proxy"},
    {"ALIAS", "fences of aliases"},
    {"PROXY", "fences of a proxy"},
    {"MBARRIER", "accesses to mbarriers"},
    {"MBINIT", "PTX's fence.mbarrier_init"},
    {"TENSORMAP", "through the tensormap proxy, and its fences"},
    {"WGMMA", "what products of warpgroups do, and PTX's wgmma.fence"},
    {"TENSOR", "what PTX's tcgen05 operations do, and the arrivals of tcgen05.commit"},
    {"TCWAIT", "PTX's tcgen05.wait::ld and ::st"},
    {"TCBEFORE", "PTX's tcgen05.fence::before_thread_sync"},
    {"TCAFTER", "PTX's tcgen05.fence::after_thread_sync"},
    {"HOST", "events of threads on a CPU, in a test that has a GPU as well"},
    {"SC0", "Vulkan: accesses to storage class 0"},
    {"SC1", "Vulkan: accesses to storage class 1"},
    {"SC2", "Vulkan: accesses to storage class 2"},
    {"SC3", "Vulkan: accesses to storage class 3"},
    {"SEMSC0", "Vulkan: synchronisation that covers storage class 0"},
    {"SEMSC1", "Vulkan: synchronisation that covers storage class 1"},
    {"SEMSC2", "Vulkan: synchronisation that covers storage class 2"},
    {"SEMSC3", "Vulkan: synchronisation that covers storage class 3"},
    {"NONPRIV", "Vulkan: accesses that take part in inter-thread ordering"},
    {"AV", "Vulkan: writes that are made available"},
    {"VIS", "Vulkan: reads of what was made visible"},
    {"SEMAV", "Vulkan: releases that make earlier writes available"},
    {"SEMVIS", "Vulkan: acquires that make earlier writes visible"},
    {"NOAV", "AMDGPU: releases and acquires that only order"},
    {"AVDEVICE", "Vulkan: availability operations of the device"},
    {"VISDEVICE", "Vulkan: visibility operations of the device"},
    {"CBAR", "control barriers"},
    {"MEMBAR", "PTX's membar fences"},
    {"MEMBAR.CTA", "membar.cta, and fence.sc of that scope"},
    {"MEMBAR.GL", "membar.gl, and fence.sc of that scope"},
    {"MEMBAR.SYS", "membar.sys, and fence.sc of that scope"},
    {"MFENCE", "x86: MFENCE"},
    {"SFENCE", "x86: SFENCE"},
    {"LFENCE", "x86: LFENCE"},
    {"ISB", "AArch64: ISB"},
    {"LKR", "Linux: reads that take a lock"},
    {"LKW", "Linux: writes that take a lock"},
    {"UL", "Linux: writes that release a lock"},
    {"LF", "Linux: reads that find a lock taken"},
};

constexpr Meaning kRelationMeanings[] = {
    {"po", "program order: from an event to later ones of its thread"},
    {"addr", "address dependency: what a read returned decides where a later access goes"},
    {"data", "data dependency: what a read returned decides what a later write stores"},
    {"ctrl", "control dependency: what a read returned decides whether later events happen"},
    {"arm-ctrl", "ctrl, up to where the two ways from the branch meet"},
    {"rmw", "from the read to the write of one read-modify-write"},
    {"amo", "rmw of one instruction"},
    {"lxsx", "rmw of a pair of exclusives"},
    {"loc", "accesses to the same memory"},
    {"vloc", "accesses to the same memory by the same name for it"},
    {"int", "events of one thread"},
    {"ext", "events of different threads; initial writes are outside all threads"},
    {"id", "each event with itself"},
    {"rf", "reads-from: from a write to the reads that return its value"},
    {"co", "coherence: the order of the writes to each location"},
    {"sync_fence", "an order of the sequentially consistent fences that include each other"},
    {"si", "pieces of one access, where accesses of different sizes overlap"},
    {"sm", "pieces of one access, where accesses of different sizes overlap"},
    {"same-bytes", "accesses that overlap completely"},
    {"same-instance", "all pieces of one read-modify-write"},
    {"swi", "events of one thread"},
    {"ssg", "events of threads in one subgroup"},
    {"swarp", "events of threads in one subgroup (warp)"},
    {"warp", "events of threads in one subgroup (warp)"},
    {"sub_group", "events of threads in one subgroup"},
    {"swg", "events of threads in one workgroup"},
    {"scta", "events of threads in one workgroup (CTA)"},
    {"cta", "events of threads in one workgroup (CTA)"},
    {"work_group", "events of threads in one workgroup"},
    {"scluster", "events of threads in one cluster"},
    {"cluster", "events of threads in one cluster"},
    {"sqf", "events of threads in one queue family"},
    {"sdv", "events of threads on one device"},
    {"sgpu", "events of threads on one device"},
    {"kernel", "events of threads on one device"},
    {"gl", "events of threads on one device"},
    {"gpu", "events of threads on one device"},
    {"device", "events of threads on one device"},
    {"ssys", "events of threads of one system"},
    {"sys", "all pairs of events"},
    {"system", "all pairs of events"},
    {"sr", "each event names a scope that includes the other's thread"},
    {"syncbar", "barriers that meet"},
    {"ssw", "Vulkan: system-synchronizes-with"},
    {"fence-of-proxy", "from an access through a proxy to the fences of that proxy"},
    {"fence-into-proxy", "from the fences of a proxy to the accesses through it"},
    {"cluster-barrier", "barriers of a cluster that meet, whatever their order"},
    {"issue", "from what a thread did to the accesses of asynchronous operations that it issues later"},
    {"later", "from an asynchronous operation to what its thread does and issues later"},
    {"tcpipe",
     "pairs of tcgen05 operations that PTX executes in the order of issue: a copy and a product, and products "
     "with one accumulator"},
    {"complete", "from the steps of an asynchronous operation to a wait for its group"},
    {"start", "from a thread's griddepcontrol.launch_dependents to all that dependent grids do"},
    {"launch", "from what a grid does to the waits of grids that depend on it"},
    {"membar.cta", "events of a thread with a membar.cta between them"},
    {"membar.gl", "events of a thread with a membar.gl between them"},
    {"membar.sys", "events of a thread with a membar.sys between them"},
    {"lock-regions", "Linux: from taking a lock to releasing it"},
};

constexpr Meaning kFunctionMeanings[] = {
    {"domain", "domain r: the events on the left of r"},
    {"range", "range r: the events on the right of r"},
    {"linearisations", "linearisations(s, r): the total orders of s that contain r"},
    {"generate_orders", "generate_orders(s, r): the total orders of s for each location that contain r"},
    {"generate_cos", "generate_cos r: the coherence orders that contain r"},
    {"generate_partial_cos", "generate_partial_cos r: the partial coherence orders that contain r"},
    {"cross", "cross s: one of each of a set of sets of relations, united"},
    {"partition", "partition s: a set of events by location"},
    {"classes-loc", "classes-loc s: a set of events by location"},
    {"classes", "classes r: the classes of an equivalence"},
    {"tag2scope", "tag2scope t: the relation with the name of the tag"},
    {"tag2level", "tag2level t: the relation with the name of the tag"},
    {"tag2events", "tag2events t: the set with the name of the tag in capitals"},
    {"tag2set", "tag2set t: the set with the name of the tag in capitals"},
    {"tag2instrs", "tag2instrs t: the set with the name of the tag in capitals"},
    {"tag2fenced", "tag2fenced t: fencerel of the set with the name of the tag in capitals"},
    {"different-values", "different-values r: the pairs of r whose events have different values"},
    {"fromto", "fromto s: po; [s]; po"},
    {"as_transitive", "as_transitive r: r+"},
    {"fail", "fail x: a mistake when it is reached"},
};

constexpr Meaning kLibraryMeanings[] = {
    {"fr", "from-reads: from a read to the writes that overwrite what it read"},
    {"rfe", "reads-from between threads"},
    {"rfi", "reads-from within a thread"},
    {"coe", "coherence between threads"},
    {"coi", "coherence within a thread"},
    {"fre", "from-reads between threads"},
    {"fri", "from-reads within a thread"},
    {"ca", "what comes after in the order of a location: fr | co"},
    {"po-loc", "program order between accesses to one location"},
    {"co0", "initial writes come first"},
    {"FW", "final writes"},
    {"emptyset", "no events"},
    {"toid", "toid s: [s]"},
    {"fencerel", "fencerel s: events of a thread with one of s between them"},
    {"ctrlcfence", "ctrlcfence(r, s): r; [s]; po"},
    {"imply", "imply(a, b): ~a | b"},
    {"nodetour", "nodetour(a, b, c): a \\ (b; c)"},
    {"singlestep", "singlestep r: r \\ (r; r)"},
    {"udr", "udr r: the events on either side of r"},
    {"map", "map f s: f of each element of s"},
    {"fold", "fold f (s, y): f over the elements of s, from y"},
};

template <std::size_t N>
std::string_view meaning_in(const Meaning (&table)[N], std::string_view name) {
  const auto* found =
      std::find_if(std::begin(table), std::end(table), [&](const Meaning& entry) { return entry.name == name; });
  return found == std::end(table) ? std::string_view() : found->words;
}

std::string_view set_meaning(std::string_view name) {
  if (name.starts_with("DMB.")) return "AArch64: DMB of this domain";
  if (name.starts_with("DSB.")) return "AArch64: DSB of this domain";
  if (name.starts_with("Fence.")) return "RISC-V: this fence";
  return meaning_in(kSetMeanings, name);
}

CatName described(const Predefined& entry) {
  CatName name{entry.name, CatName::Kind::set, {}, entry.always_empty};
  switch (entry.kind) {
    case PredefinedKind::set:
      name.meaning = set_meaning(entry.name);
      break;
    case PredefinedKind::relation:
      name.kind = CatName::Kind::relation;
      name.meaning = meaning_in(kRelationMeanings, entry.name);
      break;
    case PredefinedKind::function:
      name.kind = CatName::Kind::function;
      name.meaning = meaning_in(kFunctionMeanings, entry.name);
      break;
  }
  if (entry.always_empty) name.meaning = "always empty: tests of machines that have it are not read";
  return name;
}

}  // namespace

std::string_view to_string(CatName::Kind kind) {
  switch (kind) {
    case CatName::Kind::set:
      return "set";
    case CatName::Kind::relation:
      return "relation";
    case CatName::Kind::function:
      return "function";
  }
  return "";
}

std::optional<CatName> predefined_cat_name(std::string_view name) {
  const std::optional<std::uint32_t> index = find_predefined(name);
  if (!index) return std::nullopt;
  return described(predefined(*index));
}

std::vector<CatName> predefined_cat_names() {
  std::vector<CatName> names;
  for (std::uint32_t i = 0; i < predefined_count(); ++i) {
    if (!predefined(i).always_empty) names.push_back(described(predefined(i)));
  }
  return names;
}

std::string_view library_meaning(std::string_view name) { return meaning_in(kLibraryMeanings, name); }

}  // namespace weakspot::model

// SPDX-License-Identifier: MIT
// The words of facts in reports, for those who write and read JSON. An unknown word is a mistake at its place.
#pragma once

#include "base/names.h"
#include "json/json_fields.h"
#include "race/report.h"

namespace weakspot::race {

// A member that must exist.
template <typename Enum, std::size_t N>
Enum needed_word(base::JsonFields& fields, std::string_view key, const base::Named<Enum> (&table)[N]) {
  if (!fields.has(key)) fields.string(key, true);
  return fields.one_of(key, table).value_or(Enum{});
}

inline constexpr base::Named<FindingKind> kKindWords[] = {
    {"race", FindingKind::race},
    {"divergence", FindingKind::divergence},
    {"redundant-barrier", FindingKind::redundant_barrier},
    {"invalid-access", FindingKind::invalid_access},
    {"assertion", FindingKind::assertion},
    {"crash", FindingKind::crash},
    {"stale-value", FindingKind::stale_value},
};

inline constexpr base::Named<Severity> kSeverityWords[] = {
    {"error", Severity::error}, {"warning", Severity::warning}, {"hint", Severity::hint}};
inline constexpr base::Named<Space> kSpaceWords[] = {
    {"shared", Space::shared}, {"global", Space::global}, {"tensor", Space::tensor}};

// A relation is its own word.
inline constexpr base::Named<RepairKind> kRepairWords[] = {
    {"__syncwarp()", RepairKind::warp_barrier},
    {"__syncthreads()", RepairKind::block_barrier},
    {"cluster.sync()", RepairKind::cluster_barrier},
    {"two launches", RepairKind::two_launches},
};

inline constexpr base::Named<FixKind> kFixWords[] = {
    {"warp-barrier", FixKind::warp_barrier},
    {"block-barrier", FixKind::block_barrier},
    {"cluster-barrier", FixKind::cluster_barrier},
    {"fence", FixKind::fence},
    {"async-fence", FixKind::async_fence},
    {"grid-wait", FixKind::grid_wait},
    {"remove-barrier", FixKind::remove_barrier},
    {"two-launches", FixKind::two_launches},
    {"own-elements", FixKind::own_elements},
    {"atomic", FixKind::atomic},
    {"atomic-read", FixKind::atomic_read},
    {"one-writer", FixKind::one_writer},
    {"read-first", FixKind::read_first},
    {"release-acquire", FixKind::release_acquire},
    {"release", FixKind::release},
    {"acquire", FixKind::acquire},
    {"sc-fences", FixKind::sc_fences},
    {"late-acquire", FixKind::late_acquire},
    {"device-scope", FixKind::device_scope},
    {"same-width", FixKind::same_width},
    {"inside-lock", FixKind::inside_lock},
    {"one-stream", FixKind::one_stream},
    {"wait-for-copy", FixKind::wait_for_copy},
    {"wait-for-product", FixKind::wait_for_product},
    {"map-fences", FixKind::map_fences},
    {"tensor-order", FixKind::tensor_order},
    {"move-barrier", FixKind::move_barrier},
    {"reach-barrier", FixKind::reach_barrier},
    {"live-mask", FixKind::live_mask},
    {"first-cluster-barrier", FixKind::first_cluster_barrier},
    {"last-cluster-barrier", FixKind::last_cluster_barrier},
    {"check-relation", FixKind::check_relation},
};

inline constexpr base::Named<FixRole> kRoleWords[] = {
    {"release", FixRole::release},       {"acquire", FixRole::acquire}, {"lock-taken", FixRole::lock_taken},
    {"lock-given", FixRole::lock_given}, {"keep", FixRole::keep},
};

inline constexpr base::Named<StepKind> kStepWords[] = {
    {"read", StepKind::read},   {"write", StepKind::write},     {"update", StepKind::update},
    {"fence", StepKind::fence}, {"barrier", StepKind::barrier}, {"warp-barrier", StepKind::warp_barrier},
};

inline constexpr base::Named<StepOrder> kOrderWords[] = {
    {"weak", StepOrder::weak},       {"relaxed", StepOrder::relaxed}, {"acquire", StepOrder::acquire},
    {"release", StepOrder::release}, {"acq_rel", StepOrder::acq_rel},
};

inline constexpr base::Named<Effect> kEffectWords[] = {
    {"none", Effect::none},     {"stronger", Effect::stronger}, {"asynchronous", Effect::asynchronous},
    {"grids", Effect::grids},   {"call", Effect::call},         {"value", Effect::value},
    {"memory", Effect::memory}, {"order", Effect::order},       {"unknown", Effect::unknown},
};

inline constexpr base::Named<std::optional<RaceVerdict>> kVerdictWords[] = {
    {"found", RaceVerdict::found},           {"failed", std::nullopt},
    {"incomplete", RaceVerdict::incomplete}, {"not exercised", RaceVerdict::not_exercised},
    {"clean", RaceVerdict::clean},
};

inline constexpr base::Named<Front> kFrontWords[] = {
    {"auto", Front::automatic}, {"clang", Front::clang}, {"nvcc", Front::nvcc}};
inline constexpr base::Named<FrontUsed> kFrontUsedWords[] = {
    {"clang", FrontUsed::clang}, {"nvcc", FrontUsed::nvcc}, {"nvcc-instead", FrontUsed::nvcc_instead}};

// A volatile access is said to have the scope of the system.
inline constexpr base::Named<Scope> kScopeWords[] = {
    {"block", Scope::block}, {"cluster", Scope::cluster}, {"device", Scope::device}, {"system", Scope::system}};

}  // namespace weakspot::race

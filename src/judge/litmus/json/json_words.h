// SPDX-License-Identifier: MIT
// The words of the JSON form that are not those of vocabulary.h; shared by its reader and its printer.
#pragma once

#include "base/names.h"
#include "litmus/condition.h"
#include "litmus/fence.h"
#include "litmus/scope_tree.h"
#include "litmus/vocabulary.h"

namespace weakspot::litmus {

// The published form has the five in the middle.
inline constexpr base::Named<Order> kJsonOrders[] = {
    {"plain", Order::plain},     {"relaxed", Order::relaxed},       {"acquire", Order::acquire},
    {"release", Order::release}, {"acq_rel", Order::acq_rel},       {"sc", Order::seq_cst},
    {"consume", Order::consume}, {"acquire_pc", Order::acquire_pc},
};

inline constexpr base::Named<FenceKind> kJsonFences[] = {
    {"order", FenceKind::order},
    {"membar", FenceKind::membar},
    {"proxy", FenceKind::proxy},
    {"avdev", FenceKind::av_device},
    {"visdev", FenceKind::vis_device},
    {"dmb", FenceKind::dmb},
    {"dsb", FenceKind::dsb},
    {"isb", FenceKind::isb},
    {"mfence", FenceKind::mfence},
    {"sfence", FenceKind::sfence},
    {"lfence", FenceKind::lfence},
    {"named", FenceKind::named},
    {"mbarrier_init", FenceKind::mbarrier_init},
    {"wgmma", FenceKind::wgmma},
    {"tensor_before", FenceKind::tensor_before},
    {"tensor_after", FenceKind::tensor_after},
};

inline constexpr base::Named<FenceAccesses> kJsonAccesses[] = {
    {"all", FenceAccesses::all}, {"loads", FenceAccesses::loads}, {"stores", FenceAccesses::stores}};

inline constexpr base::Named<Shareability> kJsonShareabilities[] = {{"full", Shareability::full},
                                                                    {"inner", Shareability::inner},
                                                                    {"outer", Shareability::outer},
                                                                    {"non", Shareability::non}};

inline constexpr base::Named<Barrier::Kind> kJsonBarriers[] = {
    {"sync", Barrier::Kind::sync}, {"arrive", Barrier::Kind::arrive}, {"wait", Barrier::Kind::wait}};

inline constexpr base::Named<Condition::Quantifier> kJsonQuantifiers[] = {
    {"exists", Condition::Quantifier::exists},
    {"not_exists", Condition::Quantifier::not_exists},
    {"forall", Condition::Quantifier::forall}};

// The members of a thread that place it, outermost level first.
inline constexpr base::Named<Scope> kJsonLevels[] = {{"device", Scope::device},
                                                     {"queueFamily", Scope::queue_family},
                                                     {"cluster", Scope::cluster},
                                                     {"workgroup", Scope::workgroup},
                                                     {"subgroup", Scope::subgroup}};

inline constexpr Tag kAllTags[] = {Tag::volatile_, Tag::exclusive, Tag::non_private,     Tag::available,
                                   Tag::visible,   Tag::vector,    Tag::no_availability, Tag::lock};
inline constexpr Space kAllSpaces[] = {Space::global,   Space::shared,   Space::constant, Space::storage0,
                                       Space::storage1, Space::storage2, Space::storage3};

// The key of the info entry, the first one, that keeps all behaviours of a published test as one line of JSON.
inline constexpr std::string_view kBehaviorsKey = "Behaviors";

}  // namespace weakspot::litmus

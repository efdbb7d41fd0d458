// SPDX-License-Identifier: MIT
// The words of the field as Vulkan litmus tests spell them; shared by the reader and the printer.
#pragma once

#include "base/names.h"
#include "litmus/operators.h"
#include "litmus/vocabulary.h"

namespace weakspot::litmus {

inline constexpr base::Named<Order> kVulkanOrders[] = {
    {"acq", Order::acquire}, {"rel", Order::release}, {"acq_rel", Order::acq_rel}};

inline constexpr base::Named<Scope> kVulkanScopes[] = {
    {"sg", Scope::subgroup}, {"wg", Scope::workgroup}, {"qf", Scope::queue_family}, {"dv", Scope::device}};

// The storage classes by number.
inline constexpr base::Named<Space> kVulkanSpaces[] = {
    {"sc0", Space::storage0}, {"sc1", Space::storage1}, {"sc2", Space::storage2}, {"sc3", Space::storage3}};

// Exchange is written without a word.
inline constexpr base::Named<RmwOp> kVulkanRmwOps[] = {
    {"add", RmwOp::add}, {"sub", RmwOp::sub}, {"and", RmwOp::and_}, {"or", RmwOp::or_}, {"xor", RmwOp::xor_}};

inline constexpr base::Named<ComputeOp> kVulkanComputeOps[] = {{"add", ComputeOp::add}, {"sub", ComputeOp::sub},
                                                               {"mul", ComputeOp::mul}, {"and", ComputeOp::and_},
                                                               {"or", ComputeOp::or_},  {"xor", ComputeOp::xor_}};

}  // namespace weakspot::litmus

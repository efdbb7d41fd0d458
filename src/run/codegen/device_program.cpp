// SPDX-License-Identifier: MIT
#include "codegen/device_program.h"

#include "base/names.h"

namespace weakspot::codegen {
namespace {

constexpr base::Named<OpenclMapping> kMappings[] = {
    {"C11 atomics", OpenclMapping::c11},
    {"OpenCL 1.2 atomics and mem_fence", OpenclMapping::legacy},
    {"inline PTX", OpenclMapping::inline_ptx},
};

}  // namespace

std::string_view to_string(OpenclMapping mapping) { return base::name_of(kMappings, mapping); }

}  // namespace weakspot::codegen

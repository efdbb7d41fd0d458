// SPDX-License-Identifier: MIT
#include "model/progress_model.h"

#include "base/names.h"

namespace weakspot::model {
namespace {

constexpr base::Named<Progress> kProgressNames[] = {
    {"fair", Progress::fair}, {"lobe", Progress::lobe}, {"hsa-obe", Progress::hsa_obe},
    {"obe", Progress::obe},   {"hsa", Progress::hsa},   {"unfair", Progress::unfair},
};

}  // namespace

std::string_view to_string(Progress progress) { return base::name_of(kProgressNames, progress); }
std::optional<Progress> progress_named(std::string_view name) { return base::value_of(kProgressNames, name); }

}  // namespace weakspot::model

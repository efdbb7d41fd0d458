// SPDX-License-Identifier: MIT
#include "compile/thread_source.h"

#include "base/names.h"

namespace weakspot::compile {
namespace {

constexpr base::Named<Language> kLanguages[] = {
    {"c", Language::c},
    {"opencl", Language::opencl},
    {"cuda", Language::cuda},
    {"cuda-builtins", Language::cuda_builtins},
    {"cuda-fences", Language::cuda_fences},
    {"wgsl", Language::wgsl},
};

}  // namespace

std::string_view to_string(Language language) {
  return base::name_of(kLanguages, language == Language::scoped_c ? Language::c : language);
}

std::optional<Language> language_named(std::string_view name) { return base::value_of(kLanguages, name); }

std::string language_names() { return base::list_names(kLanguages); }

std::string_view file_suffix(Language language) {
  switch (language) {
    case Language::c:
    case Language::scoped_c:
      return ".c";
    case Language::opencl:
      return ".cl";
    case Language::wgsl:
      return ".wgsl";
    default:
      return ".cu";
  }
}

}  // namespace weakspot::compile

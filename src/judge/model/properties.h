// SPDX-License-Identifier: MIT
// Properties of a model beyond its checks. Its file declares them in a comment, which other tools skip:
//   (* @properties coherent, scopes *)
// A model also has the properties of the files that it includes. docs/cat-language.md has the list.
#pragma once

#include <cstdint>
#include <string_view>

namespace weakspot::model {

// The part of the tests' vocabulary that a model speaks about. Its name stands in refusals.
enum class Vocabulary : std::uint8_t {
  all,      // names that the model leaves out order nothing, on purpose
  rel_acq,  // relaxed, acquire and release accesses and fences that reach every thread, and barriers
  amdgpu,   // accesses and fences of AMD's scopes
  wgsl,     // all; but WGSL has no fences to strengthen a test with, only barriers
};

// Whose memory a model describes: listings group models by it.
enum class Family : std::uint8_t {
  general,     // nobody's: an idea that others are measured by
  processors,  // CPUs
  languages,   // for programs on CPUs
  gpus,        // and the languages of their programs
};

std::string_view to_string(Family family);  // general processors languages gpus

struct ModelProperties {
  bool coherent = false;      // a location that only atomics access behaves as if they were interleaved
  bool scopes = false;        // a narrower scope orders less
  bool asynchronous = false;  // asynchronous operations are ordered
  bool cpus = false;          // threads on CPUs beside those on GPUs are ordered
  bool unlisted = false;      // not the model of a machine or a language: listings leave it out
  Vocabulary vocabulary = Vocabulary::all;
  Family family = Family::general;

  // Adds those of an included file, whose vocabulary and family count if there is none yet.
  void add(const ModelProperties& included);
  friend bool operator==(const ModelProperties&, const ModelProperties&) = default;
};

}  // namespace weakspot::model

// SPDX-License-Identifier: MIT
#include "desk/corpus.h"

namespace weakspot::desk {
namespace {

constexpr unsigned char kPackedCorpus[] = {
#include "desk/embedded_corpus.inc"
};

}  // namespace

const base::PackedTexts& packed_corpus() {
  static const base::PackedTexts kTexts(kPackedCorpus);
  return kTexts;
}

}  // namespace weakspot::desk

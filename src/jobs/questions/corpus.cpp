// SPDX-License-Identifier: MIT
#include "questions/corpus.h"

namespace weakspot::questions {
namespace {

constexpr unsigned char kPackedCorpus[] = {
#include "questions/embedded_corpus.inc"
};

}  // namespace

const base::PackedTexts& packed_corpus() {
  static const base::PackedTexts kTexts(kPackedCorpus);
  return kTexts;
}

}  // namespace weakspot::questions

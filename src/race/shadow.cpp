#include "race/shadow.h"

namespace weakspot::race {

Cell* Shadow::split(std::uint64_t address) {
  const std::uint64_t index = (address - base_) >> 2;
  std::unique_ptr<Page>& page = pages_[index / kPageWords];
  if (!page) page = std::make_unique<Page>();
  Cell* bytes = page->data() + (index % kPageWords) * 4;
  Cell& word = cells_[index];
  if (word.write != kSplit) {
    for (unsigned i = 0; i < 4; ++i) {
      // A word is split at its first partial access, so its entries cover all of it.
      bytes[i] = word;
    }
    word = Cell{kSplit, 0, 0};
  }
  return bytes;
}

}  // namespace weakspot::race

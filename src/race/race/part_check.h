// SPDX-License-Identifier: MIT
// The common access to a part of a word, a byte or two: judged and remembered in the list of byte cells of Shadow,
// without taking the list apart. It decides and remembers as Detector would, and leaves everything else to it.
#pragma once

#include <utility>

#include "race/thread_state.h"

namespace weakspot::race {

struct PartAccess {
  Entry now = 0;       // interval, thread and site of a plain access
  unsigned bytes = 0;  // size of the word
  bool write = false;
  bool shared = false;  // memory, else global
  Entry stale = 0;      // entries that are less do not count
  const Bounds& bounds;

  bool same_thread(Entry entry) const { return ((entry ^ now) & kThreadBits) == 0; }
  bool is_foreign(Entry entry) const { return !shared && entry - bounds.stale < bounds.foreign; }
  // True if the bounds tell that the entry is of this block.
  bool is_own(Entry entry) const { return shared || (!is_foreign(entry) && entry < bounds.own_end); }
  // Whether the access has nothing to learn from the entry; same test as in InlineCheck.
  bool is_harmless(Entry entry) const {
    if (shared) return entry < bounds.shared_settled || same_thread(entry);
    return !is_foreign(entry) && (entry < bounds.settled || (same_thread(entry) && entry < bounds.own_end));
  }
};

// The entries of one word, each with its kind and bytes.
class PartList {
 public:
  PartList(const Cell& word, Entry more, const PartAccess& access) : access_(access) {
    const bool split = (word.write & kMark) == kMark;
    const Entry all[4] = {split ? word.write & ~kMark : word.write, word.read, word.other_read, split ? more : 0};
    for (unsigned i = 0; i < 4; ++i) {
      strong_ = strong_ || is_strong(all[i]);
      const Entry entry = split ? all[i] : all[i] | Entry{i} << 16;
      if (entry >= access.stale && (entry & kBytes) != 0) entries_[count_++] = entry;
    }
  }

  // False if the detector has to look.
  bool add() {
    if (strong_) return false;
    return access_.write ? add_write() : add_read();
  }
  void store(Cell& word, Entry& more) const {
    word = {entries_[0] | kMark, entries_[1], entries_[2]};
    more = entries_[3];
  }

 private:
  static constexpr Entry kMark = Entry{3} << 62;  // see Shadow
  static constexpr Entry kKind = Entry{3} << 16, kBytes = Entry{kAllBytes} << 18;
  static constexpr Entry kRead = Entry{1} << 16, kOtherRead = Entry{2} << 16;  // a write has none of them

  Entry mask() const { return Entry{access_.bytes} << 18; }
  bool meets(Entry entry) const { return (entry & mask()) != 0; }
  bool covers(Entry entry) const { return (entry & mask()) == mask(); }

  // The access takes the place of earlier ones to its bytes.
  bool add_write() {
    Entry before[4];
    const unsigned count = take(before);
    for (unsigned i = 0; i < count; ++i) {
      if (meets(before[i]) && !access_.is_harmless(before[i])) return false;
      push(before[i] & ~mask());
    }
    return push_own(0);
  }

  // Same as Detector::remember_read().
  bool add_read() {
    bool keep_other = false;
    for (unsigned i = 0; i < count_; ++i) {
      const Entry entry = entries_[i], kind = entry & kKind;
      if (!meets(entry)) continue;
      if (kind == 0 ? !access_.is_harmless(entry) : !covers(entry)) return false;
      if (kind == kRead && !access_.is_own(entry)) return false;
      if (kind == kOtherRead && !access_.is_own(entry) && !access_.is_foreign(entry)) return false;
      keep_other =
          keep_other || (kind == kRead ? access_.same_thread(entry) : kind == kOtherRead && access_.is_foreign(entry));
    }
    Entry before[4];
    const unsigned count = take(before);
    for (unsigned i = 0; i < count; ++i) {
      const Entry entry = before[i], kind = entry & kKind;
      const bool replaced = meets(entry) && (kind == kRead || (kind == kOtherRead && !keep_other));
      if (!push(replaced ? entry & ~mask() : entry)) return false;
      if (replaced && kind == kRead && !keep_other && !push((entry & ~(kKind | kBytes)) | kOtherRead | mask())) {
        return false;
      }
    }
    return push_own(kRead);
  }

  unsigned take(Entry (&to)[4]) {
    const unsigned count = count_;
    for (unsigned i = 0; i < 4; ++i) to[i] = std::exchange(entries_[i], 0);
    count_ = 0;
    return count;
  }

  bool push(Entry entry) {
    if ((entry & kBytes) == 0) return true;
    if (count_ == 4) return false;
    entries_[count_++] = entry;
    return true;
  }

  bool push_own(Entry kind) {
    for (unsigned i = 0; i < count_; ++i) {
      if ((entries_[i] & ~kBytes) != (access_.now | kind)) continue;
      entries_[i] |= mask();
      return true;
    }
    return push(access_.now | kind | mask());
  }

  const PartAccess& access_;
  Entry entries_[4] = {};
  unsigned count_ = 0;
  bool strong_ = false;
};

// False, with nothing changed, if the detector has to look.
inline bool check_part(Cell& word, Entry& more, const PartAccess& access) {
  PartList list(word, more, access);
  if (!list.add()) return false;
  list.store(word, more);
  return true;
}

}  // namespace weakspot::race

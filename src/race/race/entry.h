// SPDX-License-Identifier: MIT
// One remembered access in one word, and the cell of shadow memory that holds three of them.
//
// Time is counted in intervals: a number that only grows and is never reused. Each block of threads
// starts in an interval of its own; a barrier moves all its threads into a fresh one, and a warp-wide
// synchronisation or a release gives fresh numbers to the threads that take part. So one number tells when, in which
// launch and in which block an access happened. One comparison recognises a stale entry of an earlier launch, and
// shadow memory is never cleared.
//
//   bit 63    strong: atomic or volatile. It stands in the highest bit so that the comparisons of the fast path, which
//             expects plain accesses, fail for it.
//   62        0, except in lists of byte cells, see Shadow
//   61..32    interval
//   31..22    thread within its block
//   21..18    which of the four bytes of the word
//   17..16    scope of a strong access
//   15..0     site: where in the source
#pragma once

#include <cstdint>

namespace weakspot::race {

using Entry = std::uint64_t;  // 0: no access
using Interval = std::uint32_t;
using SiteId = std::uint16_t;

// `cluster` is wider than `block` and narrower than `device`, although it stands last.
enum class Scope : std::uint8_t { block, device, system, volatile_access, cluster };

inline constexpr Interval kMaxInterval = 0x3fffffffu;
inline constexpr unsigned kMaxBlockThreads = 1024;
inline constexpr unsigned kWarp = 32;
inline constexpr unsigned kAllBytes = 0xf;
// Sets of bytes that no access has: they mark the halves of a strong access to eight bytes.
inline constexpr unsigned kLowHalf = 0x5, kHighHalf = 0xa;
inline constexpr Entry kStrongBit = Entry{1} << 63;
inline constexpr Entry kThreadBits = Entry{0x3ff} << 22;
// Stands in place of a cell's write where the word was accessed in parts, which are remembered elsewhere; see Shadow.
inline constexpr Entry kSplit = kStrongBit;

inline Entry make_entry(Interval interval, unsigned thread, unsigned bytes, SiteId site) {
  return (Entry{interval} << 32) | (Entry{thread} << 22) | (Entry{bytes} << 18) | site;
}
// There is room for four scopes: that of the system is remembered as that of the device, which reaches as many threads.
inline Entry make_strong(Entry entry, Scope scope) {
  const Scope kept = scope == Scope::system ? Scope::device : scope == Scope::cluster ? Scope::system : scope;
  return entry | kStrongBit | (static_cast<Entry>(kept) << 16);
}
// The least entry of an interval: an access was before the interval if its entry is less.
inline Entry entry_at(Interval interval) { return Entry{interval} << 32; }
inline Interval interval_of(Entry entry) { return static_cast<Interval>(entry >> 32) & kMaxInterval; }
inline unsigned thread_of(Entry entry) { return static_cast<unsigned>(entry >> 22) & 0x3ff; }
inline unsigned bytes_of(Entry entry) { return static_cast<unsigned>(entry >> 18) & kAllBytes; }
inline Scope scope_of(Entry entry) {
  const auto kept = static_cast<Scope>((entry >> 16) & 3);
  return kept == Scope::system ? Scope::cluster : kept;
}
inline SiteId site_of(Entry entry) { return static_cast<SiteId>(entry); }
inline bool is_strong(Entry entry) { return (entry & kStrongBit) != 0; }

// The history of a word of memory: the last write, and the last reads since then by two different threads. Two suffice:
// the next writer differs from at least one of them.
struct Cell {
  Entry write = 0;
  Entry read = 0;
  Entry other_read = 0;
};

}  // namespace weakspot::race

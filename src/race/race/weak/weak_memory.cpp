// SPDX-License-Identifier: MIT
#include "race/weak_memory.h"

#include <algorithm>

namespace weakspot::race {
namespace {

constexpr std::size_t kStores = 8, kReaders = 32, kMostLocations = std::size_t{1} << 16, kMostStale = 4096;
// A store becomes visible in the end: after so many old values in a row a thread reads a new one.
constexpr std::uint32_t kInRow = 8;

ThreadName name_of(const ThreadState& thread) { return {thread.block->index, thread.thread}; }

// SplitMix64, as a hash.
std::uint64_t mixed(std::uint64_t bits) {
  bits += 0x9e3779b97f4a7c15u;
  bits = (bits ^ (bits >> 30)) * 0xbf58476d1ce4e5b9u;
  bits = (bits ^ (bits >> 27)) * 0x94d049bb133111ebu;
  return bits ^ (bits >> 31);
}

bool overlap(std::uint64_t a, std::uint64_t a_size, std::uint64_t b, std::uint64_t b_size) {
  return a < b + b_size && b < a + a_size;
}

}  // namespace

void WeakMemory::start_launch() {
  locations_.clear();
  count_ = 0;
  logs_.clear();
  current_ = nullptr;
  stale_reads_.clear();
}

bool WeakMemory::is_known(const Order& order, const ThreadState& thread, const Store& store, Space space) {
  if (store.initial || order.ordered(store.by.thread, store.interval, thread, space)) return true;
  return std::any_of(store.readers.begin(), store.readers.end(), [&](const Reader& reader) {
    return order.ordered(reader.thread, reader.interval, thread, space);
  });
}

// The location of the access, new if it must be; null where no history is kept.
WeakMemory::Location* WeakMemory::find(Order& order, const ThreadState& thread, const Access& access,
                                       std::uint64_t now) {
  if (access.size > 8 || access.address % access.size != 0) return nullptr;
  auto begin_at = [&](Location& location) {
    location.since = thread.interval();
    Published published = order.take_published(access.address);
    location.stores.assign(1, Store{.value = now, .initial = true});
    if (!published.empty()) location.stores.front().published = std::make_shared<const Published>(std::move(published));
  };
  std::vector<Location>& near = locations_[access.address / 8];
  for (Location& location : near) {
    if (location.address != access.address || location.size != access.size) continue;
    // The memory is that of another block, or has passed a barrier of all.
    if (access.space == Space::shared && location.since < thread.block->shared_from) {
      location = {.address = access.address, .size = access.size};
      begin_at(location);
    } else if (location.stores.back().value != now) {
      // A plain store that the detector need not see.
      if (location.stores.back().published) order.put_published(access.address, *location.stores.back().published);
      begin_at(location);
    }
    return &location;
  }
  const bool overlaps = std::any_of(near.begin(), near.end(), [&](const Location& other) {
    return overlap(other.address, other.size, access.address, access.size);
  });
  if (overlaps) forget(order, access.address, access.size);
  if (count_ >= kMostLocations) return nullptr;
  ++count_;
  Location& location = locations_[access.address / 8].emplace_back();
  location.address = access.address;
  location.size = access.size;
  begin_at(location);
  return &location;
}

// The store that a read returns, of those from the oldest that it may see.
std::size_t WeakMemory::pick(const ThreadState& thread, std::size_t oldest, std::size_t newest) {
  const ThreadName name = name_of(thread);
  ThreadLog& log = log_of(name);
  const ReadName read{name, log.accesses};
  const std::uint64_t who = std::uint64_t{name.block} << 10 | name.thread;
  const std::uint64_t dice = mixed(mixed(mixed(choices_.seed) ^ who) ^ read.number);
  const bool may = !choices_.only || choices_.only->contains(read);
  if (!may || dice % 100 >= choices_.percent || log.stale_in_row >= kInRow) {
    log.stale_in_row = 0;
    return newest;
  }
  ++log.stale_in_row;
  const std::uint64_t second = mixed(dice);
  return second % 4 != 0 ? oldest : oldest + (second >> 8) % (newest - oldest);
}

std::optional<std::uint64_t> WeakMemory::begin(Order& order, const ThreadState& thread, const Access& access,
                                               std::uint64_t now) {
  current_ = find(order, thread, access, now);
  if (current_ == nullptr) return std::nullopt;
  const std::vector<Store>& stores = current_->stores;
  chosen_ = stores.size() - 1;
  if (access.kind != AccessKind::read) return std::nullopt;
  std::size_t oldest = stores.size() - 1;
  while (oldest > 0 && !is_known(order, thread, stores[oldest], access.space)) --oldest;
  if (oldest == stores.size() - 1) return std::nullopt;
  chosen_ = pick(thread, oldest, stores.size() - 1);
  if (chosen_ == stores.size() - 1) return std::nullopt;
  note_stale(thread, access, chosen_);
  return stores[chosen_].value;
}

Remedy WeakMemory::remedy(const ThreadLog& reader, ThreadName writer, const Store& hiding,
                          std::uint64_t address) const {
  for (const Logged& logged : reader.last) {
    const bool of_writer = !logged.write && logged.from && logged.from->thread == writer;
    if (!of_writer || logged.from_number <= hiding.number) continue;
    return {.kind = Remedy::Kind::release_acquire,
            .store = logged.from->site,
            .load = logged.site,
            .releases = logged.from_release,
            .acquires = logged.acquire};
  }
  const Logged* own = nullptr;
  for (const Logged& logged : reader.last) {
    if (logged.write && logged.address != address && (own == nullptr || logged.number > own->number)) own = &logged;
  }
  if (own == nullptr) return {};
  return {.kind = Remedy::Kind::sc_fences, .store = own->site};
}

void WeakMemory::note_stale(const ThreadState& thread, const Access& access, std::size_t chosen) {
  if (stale_reads_.size() >= kMostStale) return;
  const Store& from = current_->stores[chosen];
  const Store& over = current_->stores[chosen + 1];
  const ThreadLog& log = log_of(name_of(thread));
  StaleRead& stale = stale_reads_.emplace_back();
  stale.name = {name_of(thread), log.accesses};
  stale.site = access.site;
  stale.address = access.address;
  stale.size = access.size;
  stale.space = access.space;
  stale.is_volatile = access.scope == Scope::volatile_access;
  stale.value = from.value;
  stale.newest = current_->stores.back().value;
  if (!from.initial) stale.from = from.by;
  stale.by = over.by;
  stale.remedy = remedy(log, over.by.thread, over, access.address);
}

void WeakMemory::drop_oldest(Location& location, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    const Store& store = location.stores[i];
    location.forgot_releases = location.forgot_releases || (store.published && !store.readers.empty());
  }
  location.stores.erase(location.stores.begin(), location.stores.begin() + static_cast<std::ptrdiff_t>(count));
}

void WeakMemory::read(Order& order, ThreadState& thread, const Access& access, Store& store) {
  const ThreadName name = name_of(thread);
  if (store.published) order.observe(thread, access, *store.published);
  // An acquire also acquires what the thread's earlier reads of the location have observed.
  if (access.acquire) {
    for (const Store& other : current_->stores) {
      const bool has_read = std::any_of(other.readers.begin(), other.readers.end(),
                                        [&](const Reader& reader) { return reader.thread == name; });
      if (has_read && other.published) order.observe(thread, access, *other.published);
    }
    if (current_->forgot_releases) Order::acquire_pending(thread, access.scope);
  }
  ThreadLog& log = log_of(name);
  Logged& logged = log.last[log.accesses % log.last.size()];
  logged = {.number = log.accesses, .site = access.site, .address = access.address, .acquire = access.acquire};
  if (!store.initial) {
    logged.from = store.by;
    logged.from_number = store.number;
    logged.from_release = store.release;
  }
  if (access.kind != AccessKind::read) return;
  const Interval now = thread.interval();
  auto own = std::find_if(store.readers.begin(), store.readers.end(),
                          [&](const Reader& reader) { return reader.thread == name; });
  if (own != store.readers.end()) return;  // the earlier one is known to more threads
  if (store.readers.size() < kReaders) {
    store.readers.push_back({name, now});
    return;
  }
  // Too many to remember: all threads count as if they had read it.
  drop_oldest(*current_, chosen_);
  chosen_ = 0;
}

void WeakMemory::write(Order& order, ThreadState& thread, const Access& access) {
  const ThreadName name = name_of(thread);
  Location& location = *current_;
  const Store& before = location.stores.back();
  Store made{.by = {name, access.site, access.scope == Scope::volatile_access},
             .number = log_of(name).accesses,
             .interval = thread.interval(),
             .release = access.release};
  std::shared_ptr<const Published> carried;
  if (access.kind == AccessKind::update && before.published &&
      order.is_seen_by(access, thread.block->index, *before.published)) {
    carried = before.published;
  }
  const auto released = location.released.find(name);
  Published own =
      order.publish_write(thread, access, {}, released == location.released.end() ? nullptr : &released->second);
  if (access.release) location.released.insert_or_assign(name, own);
  if (carried) own.join(*carried);
  if (!own.empty()) made.published = std::make_shared<const Published>(std::move(own));
  location.stores.push_back(std::move(made));
  if (location.stores.size() > kStores) drop_oldest(location, 1);
  ThreadLog& log = log_of(name);
  if (access.kind == AccessKind::write) {
    log.last[log.accesses % log.last.size()] = {
        .number = log.accesses, .site = access.site, .address = access.address, .write = true};
  }
}

void WeakMemory::synchronise(Order& order, ThreadState& thread, const Access& access) {
  if (current_ == nullptr || current_->address != access.address || current_->size != access.size) {
    current_ = nullptr;
    forget(order, access.address, access.size);
    order.synchronise(thread, access);
    return;
  }
  if (access.kind != AccessKind::write) read(order, thread, access, current_->stores[chosen_]);
  if (access.kind != AccessKind::read) write(order, thread, access);
  ++log_of(name_of(thread)).accesses;
  current_ = nullptr;
}

void WeakMemory::stored(std::uint64_t address, std::uint64_t value) {
  auto found = locations_.find(address / 8);
  if (found == locations_.end()) return;
  for (Location& location : found->second) {
    if (location.address == address) location.stores.back().value = value;
  }
}

void WeakMemory::forget(Order& order, std::uint64_t address, std::uint64_t size) {
  if (count_ == 0 || size == 0) return;
  auto forget_in = [&](std::vector<Location>& near) {
    std::erase_if(near, [&](const Location& location) {
      if (!overlap(location.address, location.size, address, size)) return false;
      const Store& newest = location.stores.back();
      if (newest.published) order.put_published(location.address, *newest.published);
      --count_;
      return true;
    });
  };
  const std::uint64_t first = address / 8, last = (address + size - 1) / 8;
  if (last - first >= locations_.size()) {
    for (auto& [word, near] : locations_) forget_in(near);
    return;
  }
  for (std::uint64_t word = first; word <= last; ++word) {
    if (auto found = locations_.find(word); found != locations_.end()) forget_in(found->second);
  }
}

}  // namespace weakspot::race

// SPDX-License-Identifier: MIT
#include "backend/cpu/cpu_collect.h"

#include <algorithm>
#include <cstring>
#include <optional>

#include "codegen/buffer_words.h"

namespace weakspot::backend {
namespace {

using codegen::CpuFrame;
using codegen::CpuItem;
using codegen::CpuLocation;
using codegen::CpuValue;

std::uint64_t extended(std::uint64_t bits, int bytes, bool is_signed) {
  if (bytes == 8) return bits;
  const int shift = 64 - 8 * bytes;
  const std::uint64_t high = bits << shift;
  return is_signed ? static_cast<std::uint64_t>(static_cast<std::int64_t>(high) >> shift) : high >> shift;
}

std::uint64_t load(const std::byte* from, int bytes) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, from, static_cast<std::size_t>(bytes));
  return bits;
}

// Whether the values are consecutive numbers.
bool is_run(const std::vector<CpuValue>& values) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (values[i].location || values[i].number != values[0].number + static_cast<std::int64_t>(i)) return false;
  }
  return !values.empty();
}

}  // namespace

CpuCollector::CpuCollector(const codegen::CpuProgram& program) : program_(program) {
  if (!program.table) return;
  tables_.resize(program.numbers * kTables);
  if (program.numbers <= kWatched) firsts_.resize(program.numbers);
  const bool dense = program.unfinished.empty() &&
                     std::all_of(program.items.begin(), program.items.end(),
                                 [](const CpuItem& item) { return item.bytes == 4 && is_run(item.values); });
  if (!dense) return;
  for (const CpuItem& item : program.items) {
    dense_.push_back({static_cast<std::uint32_t>(item.values[0].number), static_cast<std::uint32_t>(item.values.size()),
                      static_cast<std::uint32_t>(item.factor)});
  }
}

std::uint64_t CpuCollector::value(const CpuFrame& frame, const CpuValue& value, std::uint32_t instance) const {
  if (!value.location) return static_cast<std::uint64_t>(value.number);
  return reinterpret_cast<std::uintptr_t>(frame.memory + program_.locations[*value.location].at(instance)) +
         static_cast<std::uint64_t>(value.number);
}

std::uint64_t CpuCollector::read(const CpuFrame& frame, const CpuItem& item, std::uint32_t instance) const {
  const std::byte* from = item.location ? frame.memory + program_.locations[*item.location].at(instance)
                                        : frame.results + item.offset + instance * item.stride;
  return extended(load(from, item.bytes), item.bytes, item.is_signed);
}

void CpuCollector::initialise(const CpuFrame& frame, std::uint32_t begin, std::uint32_t end) const {
  for (const CpuLocation& location : program_.locations) {
    const bool zero = location.initial.number == 0 && !location.initial.location;
    if (zero && location.places.empty() && location.stride == location.bytes) {
      std::memset(frame.memory + location.at(begin), 0, (end - begin) * location.stride);
      continue;
    }
    if (zero && location.places.empty() && location.bytes == 4) {
      std::byte* to = frame.memory + location.at(begin);
      for (std::uint32_t i = begin; i < end; ++i, to += location.stride) std::memset(to, 0, 4);
      continue;
    }
    for (std::uint32_t i = begin; i < end; ++i) {
      const std::uint64_t bits = value(frame, location.initial, i);
      std::memcpy(frame.memory + location.at(i), &bits, location.bytes);
    }
  }
}

void CpuCollector::collect(const CpuFrame& frame, std::uint64_t iteration, std::uint32_t begin, std::uint32_t end) {
  std::uint32_t at = begin;
  if (!dense_.empty()) {
    for (; at + kBlock <= end; at += kBlock) {
      if (count_dense(frame, at)) continue;
      for (std::uint32_t i = at; i < at + kBlock; ++i) count_one(frame, i);
    }
  }
  for (; at < end; ++at) count_one(frame, at);
  note_new(frame, iteration, begin, end);
  initialise(frame, begin, end);
}

// Looks for the instance only when a number was counted for the first time.
void CpuCollector::note_new(const CpuFrame& frame, std::uint64_t iteration, std::uint32_t begin, std::uint32_t end) {
  const std::size_t size = firsts_.size();
  for (std::size_t number = 0; number < size; ++number) {
    if (firsts_[number]) continue;
    std::uint64_t seen = 0;
    for (std::size_t table = 0; table < kTables; ++table) seen |= tables_[table * size + number];
    for (std::uint32_t i = begin; i < end && seen != 0 && !firsts_[number]; ++i) {
      if (number_of(frame, i) == number) firsts_[number] = First{iteration, i};
    }
  }
}

// Counts a block of instances at once. False, with nothing counted, if some value does not have a digit.
bool CpuCollector::count_dense(const CpuFrame& frame, std::uint32_t begin) {
  std::uint32_t numbers[kBlock] = {};
  std::uint32_t values[kBlock];
  std::uint32_t wrong = 0;
  for (std::size_t k = 0; k < dense_.size(); ++k) {
    const CpuItem& item = program_.items[k];
    const CpuLocation* location = item.location ? &program_.locations[*item.location] : nullptr;
    if (location != nullptr && !location->places.empty()) {
      for (std::uint32_t i = 0; i < kBlock; ++i) std::memcpy(&values[i], frame.memory + location->places[begin + i], 4);
    } else {
      const std::byte* from =
          location != nullptr ? frame.memory + location->at(begin) : frame.results + item.offset + begin * item.stride;
      if (item.stride == 4) {
        std::memcpy(values, from, sizeof values);
      } else {
        for (std::uint32_t i = 0; i < kBlock; ++i, from += item.stride) std::memcpy(&values[i], from, 4);
      }
    }
    const Dense dense = dense_[k];
    for (std::uint32_t i = 0; i < kBlock; ++i) {
      const std::uint32_t digit = values[i] - dense.low;
      wrong |= digit >= dense.count ? 1u : 0u;
      numbers[i] += digit * dense.factor;
    }
  }
  if (wrong != 0) return false;
  std::uint64_t* const tables = tables_.data();
  const std::uint64_t size = program_.numbers;
  for (std::uint32_t i = 0; i < kBlock; i += kTables) {
    ++tables[numbers[i]];
    ++tables[size + numbers[i + 1]];
    ++tables[2 * size + numbers[i + 2]];
    ++tables[3 * size + numbers[i + 3]];
  }
  return true;
}

void CpuCollector::count_one(const CpuFrame& frame, std::uint32_t instance) {
  for (const std::uint64_t offset : program_.unfinished) {
    if (load(frame.results + offset + std::uint64_t{instance} * program_.slot_bytes, 4) == 0) continue;
    ++unfinished_;
    return;
  }
  const std::optional<std::uint64_t> number = number_of(frame, instance);
  if (!number) {
    for (const CpuItem& each : program_.items) raw_.push_back(read(frame, each, instance));
  } else if (program_.table) {
    ++tables_[*number];
  } else {
    ++counts_[*number];
  }
}

std::optional<std::uint64_t> CpuCollector::number_of(const CpuFrame& frame, std::uint32_t instance) const {
  std::uint64_t number = 0;
  for (const CpuItem& item : program_.items) {
    const std::uint64_t seen = read(frame, item, instance);
    std::optional<std::uint64_t> digit;
    if (item.values.empty()) digit = item.bytes == 8 ? seen : static_cast<std::uint32_t>(seen);
    for (std::size_t i = 0; i < item.values.size() && !digit; ++i) {
      if (seen == value(frame, item.values[i], instance)) digit = i;
    }
    if (!digit) return std::nullopt;
    number += *digit * item.factor;
  }
  return number;
}

void CpuCollector::add_to(std::uint32_t iterations, std::vector<std::uint32_t>& counts,
                          std::vector<std::uint32_t>& overflow) const {
  for (std::size_t number = 0; number < firsts_.size(); ++number) {
    const std::size_t record = codegen::first_word(true, program_.numbers, number);
    if (!firsts_[number] || counts[record + codegen::kFirstClaimed] != 0) continue;
    const First& first = *firsts_[number];
    counts[record + codegen::kFirstClaimed] = 1;
    counts[record + codegen::kFirstRound] = static_cast<std::uint32_t>(first.iteration / iterations);
    counts[record + codegen::kFirstEntry] =
        static_cast<std::uint32_t>(first.iteration % iterations) * program_.instances + first.instance;
  }
  codegen::add_to_two_words(counts, codegen::kUnfinished, unfinished_);
  for (std::size_t i = 0; i < tables_.size(); ++i) {
    codegen::add_to_two_words(counts, codegen::kCountHead + i % program_.numbers * codegen::kCounterWords, tables_[i]);
  }
  for (const auto& [number, count] : counts_) {
    // Any free slot will do: the hash table is only read as a whole.
    std::size_t slot = number % codegen::kHashSlots;
    for (std::size_t probes = 0; probes < codegen::kHashSlots; ++probes, slot = (slot + 1) % codegen::kHashSlots) {
      const std::size_t at = codegen::kCountHead + slot * codegen::kSlotWords;
      const std::uint64_t key = codegen::two_words(counts, at);
      if (key != 0 && key != number + 1) continue;
      codegen::set_two_words(counts, at, number + 1);
      codegen::add_to_two_words(counts, at + codegen::kCounterWords, count);
      break;
    }
  }
  const std::size_t items = program_.items.size();
  for (std::size_t i = 0; i + items <= raw_.size() && items != 0; i += items) {
    const std::uint32_t entry = counts[codegen::kOverflowing]++;
    if (entry >= codegen::kOverflowEntries) continue;
    const std::size_t record = entry * codegen::overflow_words(items) + codegen::kOverflowHead;
    for (std::size_t k = 0; k < items; ++k) codegen::set_two_words(overflow, record + k * 2, raw_[i + k]);
  }
}

}  // namespace weakspot::backend

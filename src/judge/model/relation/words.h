// SPDX-License-Identifier: MIT
// The bits of a set or relation. A small number of them is stored in the object itself: most tests have a dozen events,
// and a judgement makes dozens of relations.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

namespace weakspot::model {

class Words {
 public:
  Words() = default;
  explicit Words(std::size_t size) { assign(size); }
  Words(const Words& other) { copy(other); }
  Words& operator=(const Words& other) {
    if (this != &other) copy(other);
    return *this;
  }
  Words(Words&& other) noexcept { take(other); }
  Words& operator=(Words&& other) noexcept {
    if (this != &other) take(other);
    return *this;
  }
  ~Words() = default;

  std::size_t size() const { return size_; }
  std::uint64_t* data() { return many_ ? many_.get() : few_; }
  const std::uint64_t* data() const { return many_ ? many_.get() : few_; }
  std::uint64_t& operator[](std::size_t i) { return data()[i]; }

  // Makes it `size` zeros.
  void assign(std::size_t size) {
    make_room(size);
    std::fill_n(data(), size, 0);
  }

  friend bool operator==(const Words& a, const Words& b) {
    return a.size_ == b.size_ && std::equal(a.data(), a.data() + a.size_, b.data());
  }

 private:
  static constexpr std::size_t kFew = 16;

  // The contents are lost.
  void make_room(std::size_t size) {
    if (size > kFew && size > room_) {
      many_ = std::make_unique_for_overwrite<std::uint64_t[]>(size);
      room_ = size;
    }
    size_ = size;
  }

  void copy(const Words& other) {
    make_room(other.size_);
    std::copy_n(other.data(), size_, data());
  }

  void take(Words& other) {
    many_ = std::move(other.many_);
    room_ = std::exchange(other.room_, 0);
    size_ = std::exchange(other.size_, 0);
    if (!many_) std::copy_n(other.few_, size_, few_);
  }

  std::size_t size_ = 0;
  std::size_t room_ = 0;  // capacity of many_, if it is set
  std::unique_ptr<std::uint64_t[]> many_;
  std::uint64_t few_[kFew];
};

}  // namespace weakspot::model

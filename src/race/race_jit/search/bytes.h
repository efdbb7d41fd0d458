// SPDX-License-Identifier: MIT
// Values as bytes for another copy of this process, which reads them in the order in which they were written. Nothing
// of it is ever stored.
//
// Both directions share one list of fields: for a type that is not just bytes, fields(bytes, value) calls bytes(...)
// with its fields, where `bytes` is a ByteWriter or a ByteReader.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <type_traits>
#include <utility>

namespace weakspot::race_jit {

template <typename T>
concept PlainBytes = std::is_trivially_copyable_v<T>;
// A string, vector, set or map.
template <typename T>
concept ByteList = requires(const T& list) {
  list.size();
  list.begin();
};

class ByteWriter {
 public:
  template <typename... T>
  void operator()(const T&... values) {
    (put(values), ...);
  }
  std::string take() { return std::move(bytes_); }

 private:
  template <typename T>
  void put(const T& value) {
    if constexpr (PlainBytes<T>) {
      bytes_.append(reinterpret_cast<const char*>(&value), sizeof value);
    } else if constexpr (ByteList<T>) {
      put(std::uint64_t{value.size()});
      for (const auto& element : value) put(element);
    } else {
      fields(*this, value);
    }
  }
  template <typename A, typename B>
  void put(const std::pair<A, B>& pair) {
    put(pair.first);
    put(pair.second);
  }

  std::string bytes_;
};

// Bytes that end too early give zeros, and failed() says so.
class ByteReader {
 public:
  explicit ByteReader(const std::string& bytes) : bytes_(bytes) {}

  template <typename... T>
  void operator()(T&... values) {
    (get(values), ...);
  }
  bool failed() const { return failed_; }

 private:
  template <typename T>
  void get(T& value) {
    if constexpr (PlainBytes<T>) {
      read(&value, sizeof value);
    } else if constexpr (ByteList<T>) {
      value.clear();
      for (std::uint64_t left = count(); left > 0 && !failed_; --left) insert(value);
    } else {
      fields(*this, value);
    }
  }
  template <typename A, typename B>
  void get(std::pair<A, B>& pair) {
    get(pair.first);
    get(pair.second);
  }

  template <typename List>
  void insert(List& list) {
    if constexpr (requires { typename List::mapped_type; }) {
      typename List::key_type key{};
      get(key);
      get(list[key]);
    } else {
      typename List::value_type element{};
      get(element);
      list.insert(list.end(), std::move(element));
    }
  }
  // Reads the number of elements that follow: each takes at least a byte.
  std::uint64_t count() {
    std::uint64_t number = 0;
    get(number);
    if (number > bytes_.size() - at_) failed_ = true;
    return failed_ ? 0 : number;
  }
  void read(void* to, std::size_t size) {
    if (failed_ || size > bytes_.size() - at_) {
      failed_ = true;
      std::memset(to, 0, size);
      return;
    }
    std::memcpy(to, bytes_.data() + at_, size);
    at_ += size;
  }

  const std::string& bytes_;
  std::size_t at_ = 0;
  bool failed_ = false;
};

}  // namespace weakspot::race_jit

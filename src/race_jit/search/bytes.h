// Values as bytes for another copy of this process, which reads them in the order in which they were written. Nothing
// of it is ever stored.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <type_traits>
#include <vector>

namespace weakspot::race_jit {

class ByteWriter {
 public:
  template <typename T>
    requires std::is_trivially_copyable_v<T>
  void put(const T& value) {
    bytes_.append(reinterpret_cast<const char*>(&value), sizeof value);
  }
  void put(const std::string& text) {
    put(std::uint64_t{text.size()});
    bytes_ += text;
  }
  template <typename T>
    requires std::is_trivially_copyable_v<T>
  void put(const std::vector<T>& list) {
    put(std::uint64_t{list.size()});
    bytes_.append(reinterpret_cast<const char*>(list.data()), list.size() * sizeof(T));
  }

  std::string take() { return std::move(bytes_); }

 private:
  std::string bytes_;
};

// Bytes that end too early give zeros, and failed() says so.
class ByteReader {
 public:
  explicit ByteReader(const std::string& bytes) : bytes_(bytes) {}

  template <typename T>
    requires std::is_trivially_copyable_v<T>
  void get(T& value) {
    read(&value, sizeof value);
  }
  void get(std::string& text) {
    text.resize(count(1));
    read(text.data(), text.size());
  }
  template <typename T>
    requires std::is_trivially_copyable_v<T>
  void get(std::vector<T>& list) {
    list.resize(count(sizeof(T)));
    read(list.data(), list.size() * sizeof(T));
  }
  // How many elements of a size follow.
  std::uint64_t count(std::uint64_t size) {
    std::uint64_t number = 0;
    get(number);
    if (number > (bytes_.size() - at_) / size) failed_ = true;
    return failed_ ? 0 : number;
  }

  bool failed() const { return failed_; }

 private:
  void read(void* to, std::size_t size) {
    if (failed_ || size > bytes_.size() - at_) {
      failed_ = true;
      std::memset(to, 0, size);
      return;
    }
    if (size != 0) std::memcpy(to, bytes_.data() + at_, size);
    at_ += size;
  }

  const std::string& bytes_;
  std::size_t at_ = 0;
  bool failed_ = false;
};

}  // namespace weakspot::race_jit

// SPDX-License-Identifier: MIT
// thrust::device_vector and thrust::host_vector.
#pragma once

#include <initializer_list>
#include <vector>

#include "algorithms.h"

namespace __ws_thrust {

template <typename T> class device_allocator {
 public:
  using value_type = T;
};

template <typename T, typename Allocator = std::allocator<T>> class host_vector;

template <typename T, typename Allocator = device_allocator<T>>
class device_vector {
 public:
  using value_type = T;
  using size_type = size_t;
  using difference_type = ptrdiff_t;
  using pointer = device_ptr<T>;
  using const_pointer = device_ptr<const T>;
  using iterator = device_ptr<T>;
  using const_iterator = device_ptr<const T>;
  using reference = device_reference<T>;
  using const_reference = device_reference<const T>;

  device_vector() = default;
  explicit device_vector(size_t size) { resize(size); }
  device_vector(size_t size, const T& value) { resize(size, value); }
  device_vector(std::initializer_list<T> values) { assign(values.begin(), values.end()); }
  device_vector(const device_vector& other) { assign(other.begin(), other.end()); }
  device_vector(device_vector&& other) noexcept { swap(other); }
  template <typename A> device_vector(const std::vector<T, A>& other) { assign(other.begin(), other.end()); }
  template <typename It, typename = typename std::iterator_traits<It>::iterator_category>
  device_vector(It first, It last) {
    assign(first, last);
  }
  ~device_vector() { cudaFree((void*)data_); }
  device_vector& operator=(const device_vector& other) {
    if (this != &other) assign(other.begin(), other.end());
    return *this;
  }
  device_vector& operator=(device_vector&& other) noexcept {
    swap(other);
    return *this;
  }
  template <typename A> device_vector& operator=(const std::vector<T, A>& other) {
    assign(other.begin(), other.end());
    return *this;
  }

  iterator begin() { return iterator(data_); }
  iterator end() { return iterator(data_ + size_); }
  const_iterator begin() const { return const_iterator(data_); }
  const_iterator end() const { return const_iterator(data_ + size_); }
  const_iterator cbegin() const { return begin(); }
  const_iterator cend() const { return end(); }
  reverse_iterator<iterator> rbegin() { return reverse_iterator<iterator>(end()); }
  reverse_iterator<iterator> rend() { return reverse_iterator<iterator>(begin()); }
  pointer data() { return pointer(data_); }
  const_pointer data() const { return const_pointer(data_); }
  size_t size() const { return size_; }
  size_t capacity() const { return capacity_; }
  bool empty() const { return size_ == 0; }
  reference operator[](size_t i) { return reference(data_ + i); }
  const_reference operator[](size_t i) const { return const_reference(data_ + i); }
  reference front() { return (*this)[0]; }
  reference back() { return (*this)[size_ - 1]; }
  const_reference front() const { return (*this)[0]; }
  const_reference back() const { return (*this)[size_ - 1]; }

  void reserve(size_t wanted) {
    if (wanted <= capacity_) return;
    T* fresh = nullptr;
    __wsMalloc((void**)&fresh, wanted * sizeof(T));
    if (size_ > 0) cudaMemcpy((void*)fresh, (const void*)data_, size_ * sizeof(T), cudaMemcpyDeviceToDevice);
    cudaFree((void*)data_);
    data_ = fresh;
    capacity_ = wanted;
  }
  void resize(size_t size, const T& value = T()) {
    const size_t old = size_;
    reserve(size);
    size_ = size;
    if (size > old) fill_from_host(old, std::vector<T>(size - old, value));
  }
  void clear() { size_ = 0; }
  void shrink_to_fit() {}
  void push_back(const T& value) {
    if (size_ == capacity_) reserve(size_ == 0 ? 8 : 2 * size_);
    (*this)[size_++] = value;
  }
  void pop_back() { --size_; }
  void swap(device_vector& other) {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    std::swap(capacity_, other.capacity_);
  }
  template <typename It> void assign(It first, It last) {
    const size_t size = (size_t)(last - first);
    reserve(size);
    size_ = size;
    if (size > 0) __ws_thrust::copy(first, last, begin());
  }
  void assign(size_t size, const T& value) {
    clear();
    resize(size, value);
  }
  iterator erase(iterator first, iterator last) {
    const ptrdiff_t at = first - begin();
    std::vector<T> rest((size_t)(end() - last));
    __ws_thrust::copy(last, end(), rest.begin());
    size_ = (size_t)at;
    const size_t from = size_;
    size_ += rest.size();
    fill_from_host(from, rest);
    return begin() + at;
  }
  iterator erase(iterator at) { return erase(at, at + 1); }

 private:
  template <typename Values> void fill_from_host(size_t at, const Values& values) {
    if constexpr (!std::is_same<T, bool>::value) {
      if (!values.empty())
        cudaMemcpy((void*)(data_ + at), (const void*)values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice);
    } else {
      for (size_t i = 0; i < values.size(); ++i) (*this)[at + i] = (bool)values[i];
    }
  }

  T* data_ = nullptr;
  size_t size_ = 0, capacity_ = 0;
};

template <typename T, typename A> bool operator==(const device_vector<T, A>& a, const device_vector<T, A>& b) {
  return a.size() == b.size() && host_vector<T>(a) == host_vector<T>(b);
}

template <typename T, typename Allocator>
class host_vector : public std::vector<T, Allocator> {
 public:
  using base = std::vector<T, Allocator>;
  using base::base;
  host_vector() = default;
  host_vector(const base& other) : base(other) {}
  template <typename A> host_vector(const device_vector<T, A>& other) : base(other.size()) {
    __ws_thrust::copy(other.begin(), other.end(), this->begin());
  }
  host_vector(device_ptr<T> first, device_ptr<T> last) : base((size_t)(last - first)) {
    __ws_thrust::copy(first, last, this->begin());
  }
  template <typename A> host_vector& operator=(const device_vector<T, A>& other) {
    this->resize(other.size());
    __ws_thrust::copy(other.begin(), other.end(), this->begin());
    return *this;
  }
};

template <typename T> using universal_vector = device_vector<T>;

}  // namespace __ws_thrust

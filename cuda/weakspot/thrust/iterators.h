// SPDX-License-Identifier: MIT
// Iterators of thrust: pointers to memory of the device, and ranges that are computed. An algorithm unwraps them with
// __ws_raw(), so that kernels see plain references.
#pragma once

#include <iterator>
#include <type_traits>

#include "../tuple.h"

#define __WS_BOTH __attribute__((host)) __attribute__((device)) inline

namespace __ws_thrust {

// Where a range is: an algorithm without a policy runs there.
enum class place { anywhere, host, device };

__WS_BOTH constexpr place joined(place a, place b) {
  return a == place::device || b == place::device ? place::device : a == place::host ? a : b;
}
template <typename It> struct place_of { static constexpr place value = place::host; };

// Arithmetic of an iterator that is a position: Self has to_(n), which moves it, and from_(other), a distance.
template <typename Self, typename Value, typename Reference>
struct random_access {
  using value_type = Value;
  using reference = Reference;
  using pointer = Value*;
  using difference_type = ptrdiff_t;
  using iterator_category = std::random_access_iterator_tag;

  __WS_BOTH Self& operator+=(ptrdiff_t n) {
    self().to_(n);
    return self();
  }
  __WS_BOTH Self& operator-=(ptrdiff_t n) { return *this += -n; }
  __WS_BOTH Self& operator++() { return *this += 1; }
  __WS_BOTH Self& operator--() { return *this += -1; }
  __WS_BOTH Self operator++(int) {
    Self old = self();
    self().to_(1);
    return old;
  }
  __WS_BOTH Self operator--(int) {
    Self old = self();
    self().to_(-1);
    return old;
  }
  __WS_BOTH friend Self operator+(Self a, ptrdiff_t n) { return a += n; }
  __WS_BOTH friend Self operator+(ptrdiff_t n, Self a) { return a += n; }
  __WS_BOTH friend Self operator-(Self a, ptrdiff_t n) { return a += -n; }
  __WS_BOTH friend ptrdiff_t operator-(const Self& a, const Self& b) { return b.from_(a); }
  __WS_BOTH friend bool operator==(const Self& a, const Self& b) { return b.from_(a) == 0; }
  __WS_BOTH friend bool operator!=(const Self& a, const Self& b) { return b.from_(a) != 0; }
  __WS_BOTH friend bool operator<(const Self& a, const Self& b) { return b.from_(a) < 0; }
  __WS_BOTH friend bool operator>(const Self& a, const Self& b) { return b.from_(a) > 0; }
  __WS_BOTH friend bool operator<=(const Self& a, const Self& b) { return b.from_(a) <= 0; }
  __WS_BOTH friend bool operator>=(const Self& a, const Self& b) { return b.from_(a) >= 0; }
  __WS_BOTH Reference operator[](ptrdiff_t n) const { return *(self() + n); }

 private:
  __WS_BOTH Self& self() { return static_cast<Self&>(*this); }
  __WS_BOTH const Self& self() const { return static_cast<const Self&>(*this); }
};

template <typename T> class device_ptr;

// An element of the device's memory: on the host it is copied when it is read or written.
template <typename T>
class device_reference {
 public:
  using value_type = typename std::remove_const<T>::type;
  __WS_BOTH explicit device_reference(T* at) : at_(at) {}
  __host__ operator value_type() const {
    value_type value;
    cudaMemcpy((void*)&value, (const void*)at_, sizeof(T), cudaMemcpyDefault);
    return value;
  }
  __device__ operator value_type() const { return *at_; }
  __host__ const device_reference& operator=(const value_type& value) const {
    cudaMemcpy((void*)at_, (const void*)&value, sizeof(T), cudaMemcpyDefault);
    return *this;
  }
  __device__ const device_reference& operator=(const value_type& value) const {
    *at_ = value;
    return *this;
  }
  __WS_BOTH const device_reference& operator=(const device_reference& other) const {
    return *this = (value_type)other;
  }
  device_reference(const device_reference&) = default;
  __WS_BOTH device_ptr<T> operator&() const { return device_ptr<T>(at_); }
#define __WS_UPDATE(op) \
  __WS_BOTH const device_reference& operator op##=(const value_type& v) const { return *this = (value_type)*this op v; }
  __WS_UPDATE(+)
  __WS_UPDATE(-)
  __WS_UPDATE(*)
  __WS_UPDATE(/)
#undef __WS_UPDATE
  __WS_BOTH value_type operator++(int) const {
    const value_type old = *this;
    *this = (value_type)(old + 1);
    return old;
  }
  __WS_BOTH const device_reference& operator++() const { return *this = (value_type)((value_type)*this + 1); }

 private:
  T* at_;
};

template <typename T>
class device_ptr : public random_access<device_ptr<T>, typename std::remove_const<T>::type, device_reference<T>> {
 public:
  using element_type = T;
  __WS_BOTH device_ptr() : at_(nullptr) {}
  __WS_BOTH device_ptr(decltype(nullptr)) : at_(nullptr) {}
  __WS_BOTH explicit device_ptr(T* at) : at_(at) {}
  template <typename U, typename = typename std::enable_if<std::is_convertible<U*, T*>::value>::type>
  __WS_BOTH device_ptr(const device_ptr<U>& other) : at_(other.get()) {}
  __WS_BOTH T* get() const { return at_; }
  __WS_BOTH device_reference<T> operator*() const { return device_reference<T>(at_); }
  __WS_BOTH explicit operator bool() const { return at_ != nullptr; }
  __WS_BOTH void to_(ptrdiff_t n) { at_ += n; }
  __WS_BOTH ptrdiff_t from_(const device_ptr& other) const { return other.at_ - at_; }

 private:
  T* at_;
};
template <> class device_ptr<void> {
 public:
  __WS_BOTH device_ptr() : at_(nullptr) {}
  __WS_BOTH explicit device_ptr(void* at) : at_(at) {}
  __WS_BOTH void* get() const { return at_; }

 private:
  void* at_;
};
template <typename T> struct place_of<device_ptr<T>> { static constexpr place value = place::device; };

template <typename T> __WS_BOTH T* raw_pointer_cast(device_ptr<T> p) { return p.get(); }
template <typename T> __WS_BOTH T* raw_pointer_cast(T* p) { return p; }
template <typename T> __WS_BOTH T& raw_reference_cast(device_reference<T> r) { return *(&r).get(); }
template <typename T> __WS_BOTH device_ptr<T> device_pointer_cast(T* p) { return device_ptr<T>(p); }
template <typename T> __WS_BOTH device_ptr<T> device_pointer_cast(device_ptr<T> p) { return p; }
template <typename T> inline device_ptr<T> device_malloc(size_t n) {
  void* made = nullptr;
  __wsMalloc((void**)&made, n * sizeof(T));
  return device_ptr<T>((T*)made);
}
inline device_ptr<void> device_malloc(size_t bytes) { return device_ptr<void>(device_malloc<char>(bytes).get()); }
template <typename T> inline void device_free(device_ptr<T> p) { cudaFree((void*)p.get()); }

// The iterator that a kernel works with.
template <typename T> __WS_BOTH T __ws_raw(T value) { return value; }
template <typename T> __WS_BOTH T* __ws_raw(device_ptr<T> p) { return p.get(); }

template <typename T, typename = void, typename = void, typename = void>
class counting_iterator : public random_access<counting_iterator<T>, T, T> {
 public:
  __WS_BOTH counting_iterator() : at_() {}
  __WS_BOTH explicit counting_iterator(T at) : at_(at) {}
  __WS_BOTH T operator*() const { return at_; }
  __WS_BOTH void to_(ptrdiff_t n) { at_ = (T)(at_ + n); }
  __WS_BOTH ptrdiff_t from_(const counting_iterator& other) const { return (ptrdiff_t)other.at_ - (ptrdiff_t)at_; }

 private:
  T at_;
};
template <typename T> struct place_of<counting_iterator<T>> { static constexpr place value = place::anywhere; };
template <typename T> __WS_BOTH counting_iterator<T> make_counting_iterator(T at) { return counting_iterator<T>(at); }

template <typename T>
class constant_iterator : public random_access<constant_iterator<T>, T, T> {
 public:
  __WS_BOTH constant_iterator(T value, ptrdiff_t at = 0) : value_(value), at_(at) {}
  __WS_BOTH T operator*() const { return value_; }
  __WS_BOTH void to_(ptrdiff_t n) { at_ += n; }
  __WS_BOTH ptrdiff_t from_(const constant_iterator& other) const { return other.at_ - at_; }

 private:
  T value_;
  ptrdiff_t at_;
};
template <typename T> struct place_of<constant_iterator<T>> { static constexpr place value = place::anywhere; };
template <typename T> __WS_BOTH constant_iterator<T> make_constant_iterator(T value) { return {value}; }

// Takes any value and forgets it.
struct forgetful {
  template <typename T> __WS_BOTH const forgetful& operator=(const T&) const { return *this; }
};
class discard_iterator : public random_access<discard_iterator, forgetful, forgetful> {
 public:
  __WS_BOTH discard_iterator(ptrdiff_t at = 0) : at_(at) {}
  __WS_BOTH forgetful operator*() const { return {}; }
  __WS_BOTH void to_(ptrdiff_t n) { at_ += n; }
  __WS_BOTH ptrdiff_t from_(const discard_iterator& other) const { return other.at_ - at_; }

 private:
  ptrdiff_t at_;
};
template <> struct place_of<discard_iterator> { static constexpr place value = place::anywhere; };
__WS_BOTH discard_iterator make_discard_iterator() { return {}; }

template <typename It> using value_of = typename std::iterator_traits<decltype(__ws_raw(std::declval<It>()))>::value_type;

template <typename F, typename It>
class transform_iterator
    : public random_access<transform_iterator<F, It>,
                           typename std::decay<decltype(std::declval<F>()(*__ws_raw(std::declval<It>())))>::type,
                           decltype(std::declval<F>()(*__ws_raw(std::declval<It>())))> {
 public:
  __WS_BOTH transform_iterator(It base, F f) : base_(base), f_(f) {}
  __WS_BOTH explicit transform_iterator(It base) : base_(base), f_() {}
  __WS_BOTH decltype(auto) operator*() const { return f_(*base_); }
  __WS_BOTH It base() const { return base_; }
  __WS_BOTH F functor() const { return f_; }
  __WS_BOTH void to_(ptrdiff_t n) { base_ += n; }
  __WS_BOTH ptrdiff_t from_(const transform_iterator& other) const { return other.base_ - base_; }

 private:
  It base_;
  F f_;
};
template <typename F, typename It> struct place_of<transform_iterator<F, It>> : place_of<It> {};
template <typename It, typename F> __WS_BOTH transform_iterator<F, It> make_transform_iterator(It base, F f) {
  return {base, f};
}
template <typename F, typename It> __WS_BOTH auto __ws_raw(transform_iterator<F, It> it) {
  return transform_iterator<F, decltype(__ws_raw(it.base()))>(__ws_raw(it.base()), it.functor());
}

template <typename It, typename Index>
class permutation_iterator
    : public random_access<permutation_iterator<It, Index>, typename std::iterator_traits<It>::value_type,
                           typename std::iterator_traits<It>::reference> {
 public:
  __WS_BOTH permutation_iterator(It base, Index index) : base_(base), index_(index) {}
  __WS_BOTH decltype(auto) operator*() const { return *(base_ + *index_); }
  __WS_BOTH It base() const { return base_; }
  __WS_BOTH Index index() const { return index_; }
  __WS_BOTH void to_(ptrdiff_t n) { index_ += n; }
  __WS_BOTH ptrdiff_t from_(const permutation_iterator& other) const { return other.index_ - index_; }

 private:
  It base_;
  Index index_;
};
template <typename It, typename Index> struct place_of<permutation_iterator<It, Index>> {
  static constexpr place value = __ws_thrust::joined(place_of<It>::value, place_of<Index>::value);
};
template <typename It, typename Index>
__WS_BOTH permutation_iterator<It, Index> make_permutation_iterator(It base, Index index) {
  return {base, index};
}
template <typename It, typename Index> __WS_BOTH auto __ws_raw(permutation_iterator<It, Index> it) {
  return make_permutation_iterator(__ws_raw(it.base()), __ws_raw(it.index()));
}

template <typename It>
class reverse_iterator
    : public random_access<reverse_iterator<It>, typename std::iterator_traits<It>::value_type,
                           typename std::iterator_traits<It>::reference> {
 public:
  __WS_BOTH explicit reverse_iterator(It base) : base_(base) {}
  __WS_BOTH decltype(auto) operator*() const {
    It before = base_;
    return *--before;
  }
  __WS_BOTH It base() const { return base_; }
  __WS_BOTH void to_(ptrdiff_t n) { base_ -= n; }
  __WS_BOTH ptrdiff_t from_(const reverse_iterator& other) const { return base_ - other.base_; }

 private:
  It base_;
};
template <typename It> struct place_of<reverse_iterator<It>> : place_of<It> {};
template <typename It> __WS_BOTH reverse_iterator<It> make_reverse_iterator(It base) {
  return reverse_iterator<It>(base);
}
template <typename It> __WS_BOTH auto __ws_raw(reverse_iterator<It> it) { return make_reverse_iterator(__ws_raw(it.base())); }

template <typename Tuple> class zip_iterator;
template <typename... It>
class zip_iterator<tuple<It...>>
    : public random_access<zip_iterator<tuple<It...>>, tuple<typename std::iterator_traits<It>::value_type...>,
                           tuple<typename std::iterator_traits<It>::reference...>> {
 public:
  using references = tuple<typename std::iterator_traits<It>::reference...>;
  __WS_BOTH zip_iterator(const tuple<It...>& all) : all_(all) {}
  __WS_BOTH references operator*() const { return each(std::index_sequence_for<It...>()); }
  __WS_BOTH const tuple<It...>& get_iterator_tuple() const { return all_; }
  __WS_BOTH void to_(ptrdiff_t n) { move(n, std::index_sequence_for<It...>()); }
  __WS_BOTH ptrdiff_t from_(const zip_iterator& other) const {
    return __ws_thrust::get<0>(other.all_) - __ws_thrust::get<0>(all_);
  }

 private:
  template <size_t... I> __WS_BOTH references each(std::index_sequence<I...>) const {
    return references(*__ws_thrust::get<I>(all_)...);
  }
  template <size_t... I> __WS_BOTH void move(ptrdiff_t n, std::index_sequence<I...>) {
    ((void)(__ws_thrust::get<I>(all_) += n), ...);
  }
  tuple<It...> all_;
};
template <typename... It> struct place_of<zip_iterator<tuple<It...>>> {
  static constexpr place value = [] {
    place all = place::anywhere;
    ((all = __ws_thrust::joined(all, place_of<It>::value)), ...);
    return all;
  }();
};
template <typename... It> __WS_BOTH zip_iterator<tuple<It...>> make_zip_iterator(const tuple<It...>& all) {
  return {all};
}
template <typename First, typename... It>
__WS_BOTH zip_iterator<tuple<First, It...>> make_zip_iterator(First first, It... rest) {
  return {tuple<First, It...>(first, rest...)};
}
template <typename... It, size_t... I> __WS_BOTH auto raw_zip(const tuple<It...>& all, std::index_sequence<I...>) {
  return zip_iterator<tuple<decltype(__ws_raw(std::declval<It>()))...>>(
      tuple<decltype(__ws_raw(std::declval<It>()))...>(__ws_raw(__ws_thrust::get<I>(all))...));
}
template <typename... It> __WS_BOTH auto __ws_raw(zip_iterator<tuple<It...>> it) {
  return __ws_thrust::raw_zip(it.get_iterator_tuple(), std::index_sequence_for<It...>());
}

template <typename It> __WS_BOTH ptrdiff_t distance(It first, It last) { return (ptrdiff_t)(last - first); }
template <typename It> __WS_BOTH void advance(It& it, ptrdiff_t n) { it += n; }
template <typename It> __WS_BOTH It next(It it, ptrdiff_t n = 1) { return it + n; }

}  // namespace __ws_thrust

#undef __WS_BOTH

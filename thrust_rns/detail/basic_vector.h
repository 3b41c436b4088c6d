// SPDX-License-Identifier: Apache-2.0
// Copyright (c) 2026 the thrust_rns authors
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <limits>
#include <memory>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <cuda/functional>

#include <thrust/copy.h>
#include <thrust/fill.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/reverse_iterator.h>
#include <thrust/memory.h>
#include <thrust/transform_reduce.h>

#include <thrust_rns/config.h>
#include <thrust_rns/detail/memory.h>
#include <thrust_rns/detail/thrust_compat.h>
#include <thrust_rns/iterator.h>
#include <thrust_rns/number.h>
#include <thrust_rns/span.h>

namespace thrust_rns {
namespace detail {

template <class Iterator>
inline constexpr bool is_plane_iterator = false;
template <class T, class System>
inline constexpr bool is_plane_iterator<basic_iterator<T, System>> = true;

/// Containers of whole numbers.
template <class Container, class Number>
using if_container_of =
    std::enable_if_t<std::is_same_v<typename Container::value_type, Number> &&
                         !is_plane_iterator<typename Container::const_iterator>,
                     decltype(std::declval<const Container&>().begin() != std::declval<const Container&>().end())>;

template <class Iterator>
using if_iterator = std::enable_if_t<!std::is_integral_v<Iterator>, typename std::iterator_traits<Iterator>::reference>;

/// Whether residue k % size of plane k / size is another in b than in a, as 0 or 1.
struct words_differ {
  const std::uint32_t* a;
  std::int64_t a_stride;
  const std::uint32_t* b;
  std::int64_t b_stride;
  std::int64_t size;

  THRUST_RNS_HD int operator()(std::int64_t k) const {
    const std::int64_t plane = k / size, element = k % size;
    return a[plane * a_stride + element] != b[plane * b_stride + element] ? 1 : 0;
  }
};

/// The class behind `device_vector` and `host_vector`: an owner of residue planes and of one cached evaluation an element.
///
/// One allocation holds `stride` evaluations of 8 bytes and `Number::size` planes of `stride` residues of 4 bytes;
/// stride is the capacity, a multiple of 32 elements, so every plane starts on a 128-byte line. What lies between
/// size and stride is zero.
///
/// Members are those of `thrust::device_vector` but `data()`, with the same meaning, and each waits until its work is done. What
/// allocates does so before it changes anything: if that throws, or an iterator passed in does, the vector is as it was.
/// `insert` and `erase` allocate anew and so invalidate all iterators.
template <class Number, class Allocator, class System>
class basic_vector {
  static_assert(is_number<Number>, "thrust_rns: vectors hold thrust_rns::number<...>");

  // Memory comes in units of two evaluations or four residues, so that allocators align it to 16 bytes.
  struct alignas(16) memory_unit {
    std::uint64_t words[2];
  };
  using unit_allocator = typename std::allocator_traits<Allocator>::template rebind_alloc<memory_unit>;
  using unit_traits = std::allocator_traits<unit_allocator>;
  template <class OtherAllocator, class OtherSystem>
  using if_other = std::enable_if_t<!std::is_same_v<basic_vector<Number, OtherAllocator, OtherSystem>, basic_vector>>;

 public:
  using value_type = Number;
  using allocator_type = Allocator;
  using size_type = std::size_t;
  using difference_type = std::ptrdiff_t;
  using iterator = basic_iterator<Number, System>;
  using const_iterator = basic_iterator<const Number, System>;
  using reverse_iterator = thrust::reverse_iterator<iterator>;
  using const_reverse_iterator = thrust::reverse_iterator<const_iterator>;
  using reference = basic_reference<Number, System>;
  using const_reference = basic_reference<const Number, System>;

  // ---- construction ----

  basic_vector() : basic_vector(Allocator()) {}
  explicit basic_vector(const Allocator& allocator) : allocator_(allocator) {}
  /// n zeros.
  explicit basic_vector(size_type n, const Allocator& allocator = Allocator()) : basic_vector(allocator) { resize(n); }
  /// n times x.
  basic_vector(size_type n, const Number& x, const Allocator& allocator = Allocator()) : basic_vector(allocator) {
    assign(n, x);
  }
  /// The numbers [first, last), from any container, of host or device, or from iterators of vectors of this library.
  template <class InputIterator, class = if_iterator<InputIterator>>
  basic_vector(InputIterator first, InputIterator last, const Allocator& allocator = Allocator())
      : basic_vector(allocator) {
    assign(first, last);
  }
  basic_vector(std::initializer_list<Number> list, const Allocator& allocator = Allocator())
      : basic_vector(list.begin(), list.end(), allocator) {}
  /// The numbers of a std::vector, thrust::host_vector, thrust::device_vector or the like.
  template <class Container, class = if_container_of<Container, Number>>
  basic_vector(const Container& other, const Allocator& allocator = Allocator())
      : basic_vector(other.begin(), other.end(), allocator) {}
  /// From the other side: host to device, device to host. Cached evaluations come along.
  template <class OtherAllocator, class OtherSystem>
  basic_vector(const basic_vector<Number, OtherAllocator, OtherSystem>& other)
      : basic_vector(other.begin(), other.end()) {}
  basic_vector(const basic_vector& other)
      : basic_vector(other.begin(), other.end(),
                     std::allocator_traits<Allocator>::select_on_container_copy_construction(other.get_allocator())) {}
  basic_vector(const basic_vector& other, const Allocator& allocator)
      : basic_vector(other.begin(), other.end(), allocator) {}
  basic_vector(basic_vector&& other) noexcept : allocator_(std::move(other.allocator_)) { take(other); }
  basic_vector(basic_vector&& other, const Allocator& allocator) : basic_vector(allocator) { move_from(other); }
  ~basic_vector() { release(); }

  basic_vector& operator=(const basic_vector& other) {
    if (this == &other) return *this;
    if constexpr (unit_traits::propagate_on_container_copy_assignment::value) {
      basic_vector fresh(other, other.get_allocator());
      release();
      allocator_ = other.allocator_;
      take(fresh);
    } else {
      assign(other.begin(), other.end());
    }
    return *this;
  }
  basic_vector& operator=(basic_vector&& other) noexcept(unit_traits::propagate_on_container_move_assignment::value ||
                                                         unit_traits::is_always_equal::value) {
    if (this == &other) return *this;
    if constexpr (unit_traits::propagate_on_container_move_assignment::value) {
      release();
      allocator_ = std::move(other.allocator_);
      take(other);
    } else {
      move_from(other);
    }
    return *this;
  }
  template <class OtherAllocator, class OtherSystem>
  basic_vector& operator=(const basic_vector<Number, OtherAllocator, OtherSystem>& other) {
    assign(other.begin(), other.end());
    return *this;
  }
  template <class Container, class = if_container_of<Container, Number>>
  basic_vector& operator=(const Container& other) {
    assign(other.begin(), other.end());
    return *this;
  }
  basic_vector& operator=(std::initializer_list<Number> list) {
    assign(list.begin(), list.end());
    return *this;
  }

  void assign(size_type n, const Number& x) {
    basic_vector fresh(get_allocator());
    fresh.allocate(n);
    fresh.size_ = n;
    fresh.fill(0, n, x);
    adopt(fresh);
  }
  template <class InputIterator, class = if_iterator<InputIterator>>
  void assign(InputIterator first, InputIterator last) {
    basic_vector fresh(get_allocator());
    fresh.append(first, last);
    adopt(fresh);
  }
  void assign(std::initializer_list<Number> list) { assign(list.begin(), list.end()); }

  // ---- size ----

  size_type size() const { return size_; }
  bool empty() const { return size_ == 0; }
  size_type capacity() const { return stride_; }
  size_type max_size() const {
    return static_cast<size_type>(std::numeric_limits<difference_type>::max()) / bytes_per_element;
  }
  void reserve(size_type n) {
    if (n > stride_) reallocate(n);
  }
  void shrink_to_fit() {
    if (padded(size_) < stride_) reallocate(size_);
  }
  /// New elements are x (zero by default).
  void resize(size_type n, const Number& x = Number{}) {
    if (n > stride_) reallocate(n > max_size() / 2 ? n : std::max(n, 2 * size_));
    if (n > size_) {
      if (x == Number{}) { // what lies beyond the size is zero already
        size_ = n;
      } else {
        fill(size_, n - size_, x);
        size_ = n;
      }
    } else {
      clear_from(n);
    }
  }
  void clear() { clear_from(0); }

  // ---- elements ----

  reference operator[](size_type i) { return begin()[static_cast<difference_type>(i)]; }
  const_reference operator[](size_type i) const { return begin()[static_cast<difference_type>(i)]; }
  reference at(size_type i) {
    check_index(i);
    return (*this)[i];
  }
  const_reference at(size_type i) const {
    check_index(i);
    return (*this)[i];
  }
  reference front() { return (*this)[0]; }
  const_reference front() const { return (*this)[0]; }
  reference back() { return (*this)[size_ - 1]; }
  const_reference back() const { return (*this)[size_ - 1]; }

  iterator begin() { return {as_span(), 0}; }
  const_iterator begin() const { return {as_span(), 0}; }
  const_iterator cbegin() const { return begin(); }
  iterator end() { return {as_span(), static_cast<difference_type>(size_)}; }
  const_iterator end() const { return {as_span(), static_cast<difference_type>(size_)}; }
  const_iterator cend() const { return end(); }
  reverse_iterator rbegin() { return reverse_iterator(end()); }
  const_reverse_iterator rbegin() const { return const_reverse_iterator(end()); }
  const_reverse_iterator crbegin() const { return rbegin(); }
  reverse_iterator rend() { return reverse_iterator(begin()); }
  const_reverse_iterator rend() const { return const_reverse_iterator(begin()); }
  const_reverse_iterator crend() const { return rend(); }

  // ---- change ----

  template <class... Arguments>
  reference emplace_back(Arguments&&... arguments) {
    push_back(Number(std::forward<Arguments>(arguments)...));
    return back();
  }
  void push_back(const Number& x) {
    if (size_ == stride_) reallocate(std::max<size_type>(2 * size_, 1));
    (*this)[size_] = x;
    ++size_;
  }
  void pop_back() { clear_from(size_ - 1); }

  iterator insert(const_iterator position, const Number& x) { return insert(position, 1, x); }
  iterator insert(const_iterator position, size_type n, const Number& x) {
    basic_vector middle(n, x, get_allocator());
    return replace(position, position, middle);
  }
  template <class InputIterator, class = if_iterator<InputIterator>>
  iterator insert(const_iterator position, InputIterator first, InputIterator last) {
    basic_vector middle(first, last, get_allocator());
    return replace(position, position, middle);
  }
  iterator insert(const_iterator position, std::initializer_list<Number> list) {
    return insert(position, list.begin(), list.end());
  }
  iterator erase(const_iterator position) { return erase(position, position + 1); }
  iterator erase(const_iterator first, const_iterator last) {
    return replace(first, last, basic_vector(get_allocator()));
  }

  void swap(basic_vector& other) noexcept {
    if constexpr (unit_traits::propagate_on_container_swap::value) {
      using std::swap;
      swap(allocator_, other.allocator_);
    }
    std::swap(units_, other.units_);
    std::swap(stride_, other.stride_);
    std::swap(size_, other.size_);
  }
  friend void swap(basic_vector& a, basic_vector& b) noexcept { a.swap(b); }

  // ---- the planes ----

  /// The planes and evaluations, for kernels of your own. After writing residues through it, call
  /// `invalidate_evaluations`.
  span<Number> as_span() {
    return {residues(), static_cast<difference_type>(stride_), static_cast<difference_type>(size_), evaluations()};
  }
  span<const Number> as_span() const {
    return {residues(), static_cast<difference_type>(stride_), static_cast<difference_type>(size_), evaluations()};
  }

  /// Drops all cached evaluations; each is computed again when it is next needed.
  void invalidate_evaluations() { zero_bytes<System>(evaluations(), size_ * sizeof(std::uint64_t)); }

  /// A copy of the elements as values on the host.
  std::vector<Number> to_vector() const {
    if constexpr (is_cuda_system<System>) {
      return basic_vector<Number, std::allocator<Number>, thrust::host_system_tag>(*this).to_vector();
    } else {
      std::vector<Number> numbers(size_);
      const auto s = as_span();
      for (size_type j = 0; j < size_; ++j) numbers[j] = s.load(difference(j));
      return numbers;
    }
  }

  allocator_type get_allocator() const { return allocator_type(allocator_); }

  friend bool operator==(const basic_vector& a, const basic_vector& b) {
    if (a.size_ != b.size_) return false;
    if (a.empty()) return true;
    const thrust::counting_iterator<std::int64_t> first(0);
    const words_differ differ{a.residues(), difference(a.stride_), b.residues(), difference(b.stride_),
                              difference(a.size_)};
    return thrust::transform_reduce(System(), first, first + difference(a.size_) * Number::size, differ, 0,
                                    ::cuda::maximum<int>()) == 0;
  }
  friend bool operator!=(const basic_vector& a, const basic_vector& b) { return !(a == b); }
  /// With a vector in other memory, or of another allocator, which is copied.
  template <class OtherAllocator, class OtherSystem, class = if_other<OtherAllocator, OtherSystem>>
  friend bool operator==(const basic_vector& a, const basic_vector<Number, OtherAllocator, OtherSystem>& b) {
    return a.size() == b.size() && a == basic_vector(b.begin(), b.end(), a.get_allocator());
  }
  template <class OtherAllocator, class OtherSystem, class = if_other<OtherAllocator, OtherSystem>>
  friend bool operator!=(const basic_vector& a, const basic_vector<Number, OtherAllocator, OtherSystem>& b) {
    return !(a == b);
  }

 private:
  static constexpr size_type alignment = 32; // elements
  static constexpr size_type bytes_per_element = sizeof(std::uint64_t) + Number::size * sizeof(std::uint32_t);

  static size_type padded(size_type n) { return (n + alignment - 1) / alignment * alignment; }
  static difference_type difference(size_type n) { return static_cast<difference_type>(n); }
  static size_type units_for(size_type stride) { return stride / 2 + stride / 4 * Number::size; }

  std::uint64_t* evaluations() const { return reinterpret_cast<std::uint64_t*>(thrust::raw_pointer_cast(units_)); }
  std::uint32_t* residues() const { return reinterpret_cast<std::uint32_t*>(evaluations() + stride_); }
  thrust::pointer<std::uint32_t, System> plane(int i) const {
    return thrust::pointer<std::uint32_t, System>(residues() + static_cast<size_type>(i) * stride_);
  }

  void check_index(size_type i) const {
    if (i >= size_) {
      throw std::out_of_range("thrust_rns: index " + std::to_string(i) + " is outside a vector of " +
                              std::to_string(size_) + " numbers");
    }
  }

  /// Zeroed memory for n elements, for a vector that has none.
  void allocate(size_type n) {
    if (n == 0) return;
    if (n > max_size() - alignment) {
      throw std::length_error("thrust_rns: a vector of " + std::to_string(n) + " numbers is longer than max_size()");
    }
    const size_type stride = padded(n);
    units_ = unit_traits::allocate(allocator_, units_for(stride));
    stride_ = stride;
    zero_bytes<System>(evaluations(), units_for(stride) * sizeof(memory_unit));
  }
  void release() noexcept {
    if (stride_ != 0) unit_traits::deallocate(allocator_, units_, units_for(stride_));
    units_ = pointer();
    stride_ = size_ = 0;
  }
  void take(basic_vector& other) noexcept {
    units_ = std::exchange(other.units_, pointer());
    stride_ = std::exchange(other.stride_, 0);
    size_ = std::exchange(other.size_, 0);
  }
  /// Replaces the contents by those of a vector with an equal allocator.
  void adopt(basic_vector& fresh) noexcept {
    release();
    take(fresh);
  }
  void move_from(basic_vector& other) {
    if (allocator_ == other.allocator_) {
      adopt(other);
    } else { // memory cannot change hands
      assign(other.begin(), other.end());
    }
  }
  void reallocate(size_type n) {
    basic_vector fresh(get_allocator());
    fresh.allocate(n);
    fresh.copy_planes(0, cbegin(), size_);
    fresh.size_ = size_;
    adopt(fresh);
  }

  /// Elements at .. at + n - 1 := numbers from another vector's planes, with their evaluations. The room must exist.
  template <class T, class OtherSystem>
  void copy_planes(size_type at, basic_iterator<T, OtherSystem> first, size_type n) {
    if (n == 0) return;
    const auto& from = first.underlying_span();
    copy_rows<System, OtherSystem>(residues() + at, stride_ * sizeof(std::uint32_t), from.plane(0) + first.index(),
                                   static_cast<size_type>(from.stride()) * sizeof(std::uint32_t),
                                   n * sizeof(std::uint32_t), Number::size);
    if (from.evaluations() != nullptr) {
      const size_type bytes = n * sizeof(std::uint64_t);
      copy_rows<System, OtherSystem>(evaluations() + at, bytes, from.evaluations() + first.index(), bytes, bytes, 1);
    }
  }

  template <class InputIterator>
  void append(InputIterator first, InputIterator last) {
    using category = typename std::iterator_traits<InputIterator>::iterator_category;
    using other_system = typename thrust::iterator_system<InputIterator>::type;
    if constexpr (is_plane_iterator<InputIterator>) {
      const auto n = static_cast<size_type>(last - first);
      allocate(n);
      copy_planes(0, first, n);
      size_ = n;
    } else if constexpr (!std::is_convertible_v<category, std::forward_iterator_tag>) { // can be read only once
      const std::vector<Number> numbers(first, last);
      append(numbers.begin(), numbers.end());
    } else if constexpr (is_cuda_system<System> && is_cuda_system<other_system>) { // numbers whole, in device memory
      allocate(static_cast<size_type>(last - first));
      size_ = static_cast<size_type>(last - first);
      thrust::copy(first, last, begin());
    } else if constexpr (is_cuda_system<other_system>) { // to host memory, in one copy
      std::vector<Number> numbers(static_cast<size_type>(last - first));
      thrust::copy(first, last, numbers.begin());
      append(numbers.begin(), numbers.end());
    } else if constexpr (is_cuda_system<System>) {
      const basic_vector<Number, std::allocator<Number>, thrust::host_system_tag> staging(first, last);
      append(staging.begin(), staging.end());
    } else {
      allocate(static_cast<size_type>(std::distance(first, last)));
      const span<Number> s = as_span();
      for (; first != last; ++first) s.store(difference(size_++), static_cast<Number>(*first));
    }
  }

  void fill(size_type at, size_type n, const Number& x) {
    if (n == 0) return;
    zero_bytes<System>(evaluations() + at, n * sizeof(std::uint64_t));
    for (int i = 0; i < Number::size; ++i) {
      const auto first = plane(i) + difference(at);
      thrust::fill(first, first + difference(n), x.residue(i));
    }
  }

  /// Keeps what lies beyond the new size zero.
  void clear_from(size_type n) {
    const size_type rest = size_ - n;
    if (rest != 0) {
      size_ = n;
      fill(n, rest, Number{});
    }
  }

  /// [first, last) := middle; the iterator to the first of what replaced them.
  iterator replace(const_iterator first, const_iterator last, const basic_vector& middle) {
    const auto before = static_cast<size_type>(first - cbegin());
    const auto after = static_cast<size_type>(cend() - last);
    const size_type n = before + middle.size_ + after;
    basic_vector fresh(get_allocator());
    fresh.allocate(n <= stride_ ? stride_ : std::max(n, 2 * size_));
    fresh.copy_planes(0, cbegin(), before);
    fresh.copy_planes(before, middle.cbegin(), middle.size_);
    fresh.copy_planes(before + middle.size_, last, after);
    fresh.size_ = n;
    adopt(fresh);
    return begin() + difference(before);
  }

  using pointer = typename unit_traits::pointer;

  unit_allocator allocator_;
  pointer units_{};
  size_type stride_ = 0; // capacity, 0 without memory
  size_type size_ = 0;
};

} // namespace detail
} // namespace thrust_rns

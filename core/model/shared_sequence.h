// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

namespace wb {

/// A value behind a shared pointer, which is cloned when it is written while somebody else still reads it.
/// One thread writes; copies may be read by any thread.
template <class T>
class Shared {
 public:
  Shared() : value_(std::make_shared<T>()) {}
  explicit Shared(T value) : value_(std::make_shared<T>(std::move(value))) {}
  [[nodiscard]] const T& operator*() const { return *value_; }
  [[nodiscard]] const T* operator->() const { return value_.get(); }
  /// Its identity, which is equal for two copies exactly when nothing was written between them.
  [[nodiscard]] const void* identity() const { return value_.get(); }
  T& write() {
    // Another thread may have let go of the last copy just now. To ask for the count says nothing of what
    // that thread has read before; to count once more does.
    const std::shared_ptr<T> counted = value_;
    if (value_.use_count() != 2) value_ = std::make_shared<T>(*value_);
    return *value_;
  }
  bool operator==(const Shared& other) const { return value_ == other.value_ || *value_ == *other.value_; }

 private:
  std::shared_ptr<T> value_;
};

/// A sequence whose copies share every chunk that did not change, so that a snapshot of a report with many
/// cases costs as much as the chunks written since, and not as much as the cases.
template <class T>
class SharedSequence {
 public:
  static constexpr std::size_t chunkSize = 128;
  using Chunk = std::vector<T>;

  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] bool empty() const { return size_ == 0; }
  [[nodiscard]] const T& operator[](std::size_t i) const { return (*chunks_[i / chunkSize])[i % chunkSize]; }
  T& write(std::size_t i) { return chunks_[i / chunkSize].write()[i % chunkSize]; }
  void push(T value) {
    if (size_ % chunkSize == 0) chunks_.emplace_back();
    chunks_.back().write().push_back(std::move(value));
    ++size_;
  }
  /// The chunks in order, for readers that remember what they made of an unchanged one (`identity`).
  [[nodiscard]] const std::vector<Shared<Chunk>>& chunks() const { return chunks_; }
  bool operator==(const SharedSequence&) const = default;

 private:
  std::vector<Shared<Chunk>> chunks_;
  std::size_t size_ = 0;
};

}  // namespace wb

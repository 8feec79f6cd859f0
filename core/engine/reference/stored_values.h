// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/engine/reference/tensor_source.h"

namespace wb {

/// One tensor of a record: what it is, and the memory that it is a view of.
struct StoredTensor {
  /// The dtype's abbreviation: "bf16".
  std::string_view dtype;
  std::vector<std::int64_t> sizes, strides;
  /// Where its first element is in the memory, in elements.
  std::int64_t offset = 0;
  std::span<const std::byte> bytes;
};

/// A file of tensors' values as resources/python/export_opinfo.py writes it. It is mapped, so that only the
/// pages that are read take memory. Every number in it is checked before it is used.
class StoredValues {
 public:
  static Result<StoredValues> open(const std::filesystem::path& file);
  StoredValues(StoredValues&& other) noexcept;
  StoredValues& operator=(StoredValues&&) = delete;
  StoredValues(const StoredValues&) = delete;
  StoredValues& operator=(const StoredValues&) = delete;
  ~StoredValues();

  [[nodiscard]] std::size_t records() const { return records_; }
  /// The tensors of one call in the order of its text; they point into the map. Errors: there is no such
  /// record, or it is damaged.
  [[nodiscard]] Result<std::vector<StoredTensor>> record(std::uint64_t number) const;

 private:
  StoredValues(std::filesystem::path file, std::span<const std::byte> bytes)
      : file_(std::move(file)), bytes_(bytes) {}
  [[nodiscard]] Error damaged(std::string_view what) const;
  std::filesystem::path file_;
  std::span<const std::byte> bytes_;
  std::uint64_t records_ = 0, table_ = 0;
};

/// A source that gives the tensors of `stored`, the values of the call `call`, copied to the device with
/// their own strides. Throws where the tensors are not those that the call's text describes. `call` and
/// `stored` must outlive it.
[[nodiscard]] TensorSource storedTensors(const Literal& call, const std::vector<StoredTensor>& stored);

}  // namespace wb

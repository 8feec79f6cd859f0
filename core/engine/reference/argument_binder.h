// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/function_schema.h>
#include <ATen/core/ivalue.h>

#include <cstdint>
#include <optional>
#include <string_view>

#include "core/engine/reference/tensor_source.h"
#include "core/model/operators/literal.h"

namespace wb {

/// Turns the literals of one call into values of a schema's types. Tensors are made in the order in which
/// they come, each from a seed of its own that is derived from the call's. Throws std::exception that says
/// what does not fit; arguments.cpp catches it and adds the argument's name.
class ArgumentBinder {
 public:
  /// `source` must outlive the binder.
  ArgumentBinder(at::Device device, std::uint64_t seed, const TensorSource& source)
      : device_(device), seed_(seed), source_(source) {}

  c10::IValue bindArgument(const Literal& value, const c10::Argument& argument);

 private:
  /// `size` is the N of a list argument of fixed size, such as `int[2]`, which a single integer fills.
  c10::IValue bind(const Literal& value, const c10::TypePtr& type, std::optional<std::int32_t> size);
  c10::IValue bindTensor(const Literal& value, const c10::Type& type);
  c10::IValue bindList(const Literal& value, const c10::TypePtr& element, std::optional<std::int32_t> size);
  c10::IValue bindDevice(const Literal& value, const c10::Type& type) const;

  at::Device device_;
  std::uint64_t seed_;
  const TensorSource& source_;
  std::string_view argument_;
  std::uint64_t tensors_ = 0;
};

}  // namespace wb

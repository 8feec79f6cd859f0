// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>
#include <ATen/core/jit_type.h>

#include <cstdint>
#include <functional>
#include <vector>

#include "core/engine/call.h"
#include "core/engine/guest/channel/bytes.h"

namespace wb {

/// What is said of a tensor to the other process, beside where its bytes are.
struct TensorShape {
  at::ScalarType type = at::ScalarType::Undefined;
  std::vector<std::int64_t> sizes, strides;
  /// Its bits: conjugate, negative, and that it is a number that torch has wrapped.
  bool conjugate = false, negative = false, wrapped = false;
  /// It lies in the memory of the job's GPU.
  bool onDevice = false;
};

/// Writes the shape of a tensor that has one: strided, on the CPU or a GPU, of an ordinary type. It takes no
/// memory of its own, since it is done within the time of a call.
void writeShape(ByteWriter& to, const at::Tensor& tensor);
/// Reads a shape that anybody may have written. It fails unless the type is one that torch counts with, there
/// are at most 64 dimensions, as many strides, nothing is negative, and the extent fits into 2^46 bytes.
[[nodiscard]] TensorShape readShape(ByteReader& from);
/// The bytes from the first element of such a tensor to the end of its last.
[[nodiscard]] std::int64_t extentBytes(const TensorShape& shape);
/// Why the tensor cannot be shown to another process; "" when it can.
[[nodiscard]] std::string whyNotShared(const at::Tensor& tensor);

/// Writes a value; tensors are written by `tensor`. Throws std::runtime_error for what no operator of the CPU
/// takes or gives.
void write(ByteWriter& to, const c10::IValue& value,
           const std::function<void(ByteWriter&, const at::Tensor&)>& tensor);
/// Reads a value that anybody may have written; tensors are read by `tensor`. `type` is the schema's, which
/// says what the elements of a list are; it may be null.
[[nodiscard]] c10::IValue readValue(ByteReader& from, const c10::TypePtr& type,
                                    const std::function<at::Tensor(ByteReader&)>& tensor);

/// An error, with its texts cut to what is worth showing.
void write(ByteWriter& to, const Error& error);
[[nodiscard]] Error readError(ByteReader& from);

}  // namespace wb

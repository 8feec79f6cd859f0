// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace wb {

/// A value in the grammar of BackendBench's traces: what Python would evaluate, without evaluating anything.
struct Literal {
  enum class Kind { none, boolean, integer, real, complex, string, list, tuple, dict, symbol, call };
  Kind kind = Kind::none;
  bool boolean = false;
  std::int64_t integer = 0;
  double real = 0, imaginary = 0;
  /// The text of a string, of a symbol such as "f32" or "torch.float16", or the name of a call such as "T".
  std::string text;
  /// The items of a list or tuple, the positional arguments of a call, or key, value, key, value … of a dict.
  std::vector<Literal> items;
  /// The keyword arguments of a call, each with its `keyword`.
  std::vector<Literal> keywords;
  std::string keyword;
  /// Where it starts in the parsed text, in bytes.
  std::size_t offset = 0;
};

/// The parts of a tensor literal `T([2, 3], f32, [3, 1])`. Strides are in elements; an empty `stride` with
/// `strided` false is contiguous.
struct TensorLiteral {
  std::vector<std::int64_t> shape;
  /// The dtype as it was written.
  std::string dtype;
  bool strided = false;
  std::vector<std::int64_t> stride;
};

}  // namespace wb

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace wb {

/// A value of the trace grammar (BackendBench contract §2.3): what Python would evaluate, without evaluating
/// anything.
struct Literal {
  enum class Kind { none, boolean, integer, real, complex, string, list, tuple, dict, symbol, call };
  Kind kind = Kind::none;
  bool boolean = false;
  std::int64_t integer = 0;
  double real = 0, imaginary = 0;
  std::string text;  ///< string; symbol such as "f32" or "torch.float16"; name of a call such as "T"
  std::vector<Literal>
      items;  ///< list, tuple, positional arguments of a call; dict: key, value, key, value …
  std::vector<Literal> keywords;  ///< keyword arguments of a call, each with its `keyword`
  std::string keyword;
  std::size_t offset = 0;  ///< where it starts in the parsed text, bytes
};

/// A tensor literal `T([2, 3], f32, [3, 1])` taken apart. Strides in elements; empty `stride` with `strided`
/// false is contiguous.
struct TensorLiteral {
  std::vector<std::int64_t> shape;
  std::string dtype;  ///< as written
  bool strided = false;
  std::vector<std::int64_t> stride;
};

}  // namespace wb

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace wb {

/// A part of what one call of the candidate ran: an operator of ATen that it called, a kernel on the device,
/// or its own code.
struct RanPart {
  /// Whose code it was: "kernel" for its own, "ATen", a library ("cuBLAS", "cuDNN", "CUTLASS", …), "driver"
  /// for copies and fills, or "reference" for a problem's own.
  std::string owner;
  /// The operator ("aten::relu"), or the kernel on the device ("relu<float>"); "" for its own code on the
  /// host.
  std::string name;
  std::int64_t times = 0;
  /// How long all of them took, of the host's time or of the device's. It is 0 for an operator that only
  /// other operators of ATen's called, since their time holds its own.
  double seconds = 0;
  bool operator==(const RanPart&) const = default;
};

inline constexpr std::string_view ownedByKernel = "kernel", ownedByAten = "ATen", ownedByDriver = "driver",
                                  ownedByReference = "reference";

/// The operator of ATen's, as it was called ("aten::relu_"), to which a kernel for `op` ("aten::relu") handed
/// its work: the same one in any of its variants. "" where none was called.
[[nodiscard]] std::string delegatedTo(std::string_view op, std::span<const RanPart> ran);

/// What is known of two calls of the same case. The second one says how long things take, since the first one
/// may have compiled or tuned; what only the first one called is named without a time.
[[nodiscard]] std::vector<RanPart> overTwoCalls(const std::vector<RanPart>& first,
                                                std::vector<RanPart> second);

/// Puts what took longest first and leaves out what is beyond `most`, except for the one delegated to.
void keepLargest(std::vector<RanPart>& parts, std::string_view op, std::size_t most = 16);

}  // namespace wb

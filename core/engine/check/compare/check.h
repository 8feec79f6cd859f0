// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "core/engine/call.h"
#include "core/model/job.h"
#include "core/model/measurement.h"
#include "core/model/plan/tolerances.h"

namespace wb {

/// The rtol and atol for an output of this dtype, by the preset or as given.
[[nodiscard]] Bounds bounds(const Tolerance& tolerance, at::ScalarType dtype);

/// How far each element may be off because adding many numbers rounds: float64 tensors in the shape of the
/// outputs, and how many numbers an element comes from.
struct RoundingRoom {
  Stack outputs;
  double terms = 1;
  /// Of outputs in float16 or bfloat16: how far a few of their elements may be off because either side rounds
  /// to such a type on its way, too. Else undefined tensors.
  Stack fewInShortType{};
  /// Whether `outputs` is that.
  bool isOfShortType = false;
};

/// Compares outputs: they need the same count, shape, dtype and device, and no elements that share memory
/// where the reference's do not. Non-finite values must be in the same places; then |c − e| ≤ atol + rtol·|e|
/// (preset backendbench: rtol·|c|).
///
/// `oracle` holds the float64 outputs o, or nothing. Where it is given, the figures have the errors of both
/// sides against it, and under preset torch an element over tolerance passes too if |c − o| is at most 2 ULP
/// of o plus ReferenceErrors::room, which is what the reference is off at elements of that magnitude (only as
/// many elements as the reference's own errors explain), or plus its room for rounding, where one is given.
/// Preset strict uses the oracle's rule alone, however many elements need it. Without an oracle, e takes its
/// place.
///
/// Fills errors and message. Throws what torch throws (out of memory, a lost device).
[[nodiscard]] CaseCheck compareOutputs(const Stack& candidate, const Stack& expected, const Stack& oracle,
                                       const Tolerance& tolerance, const RoundingRoom& room = {});

/// The wrong elements of the first output that has some, by the same rule; nothing where there are none, or
/// where outputs cannot be compared element by element. Throws as above.
[[nodiscard]] std::optional<WrongElements> wrongElements(const Stack& candidate, const Stack& expected,
                                                         const Stack& oracle, const Tolerance& tolerance);

/// The positions of arguments whose tensors' data differ in any bit from `before`, a clone that was made
/// earlier. Throws as above.
[[nodiscard]] std::vector<std::size_t> changedArguments(const Stack& before, const Stack& after);

}  // namespace wb

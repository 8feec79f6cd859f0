// SPDX-License-Identifier: Apache-2.0
#include "core/engine/cases/inputs.h"

#include <fmt/format.h>

#include <charconv>

#include "core/base/files/paths.h"
#include "core/engine/cases/device_room.h"
#include "core/engine/reference/special_values.h"
#include "core/engine/reference/stored_values.h"

namespace wb {
namespace {

constexpr std::string_view storedMark = "stored:";

Error unknownValues(const std::string& values) {
  return Error{Stage::check, fmt::format("unknown kind of values '{}'", values),
               "known are nan, infinity, denormal, extreme, zero and stored:FILE#RECORD"};
}

/// The inputs of "stored:FILE#N", where FILE is in the suite cache.
Result<Stack> storedInputs(const KernelContext& kernel, const Case& definition, const Literal& call,
                           std::uint64_t seed) {
  std::string_view text = definition.values;
  text.remove_prefix(storedMark.size());
  const auto mark = text.rfind('#');
  const std::string_view file = text.substr(0, mark);
  std::uint64_t record = 0;
  const char* end = text.data() + text.size();
  const bool reads = mark != std::string_view::npos &&
                     std::from_chars(text.data() + mark + 1, end, record).ptr == end &&
                     mark + 1 < text.size();
  if (!reads || file.empty() || file.find('/') != std::string_view::npos)
    return unknownValues(definition.values);
  WB_TRY(const auto values, StoredValues::open(cacheFolder() / "suites" / file));
  WB_TRY(const auto tensors, values.record(record));
  return makeArguments(kernel.op.schema(), call, seed, kernel.device, storedTensors(call, tensors));
}

}  // namespace

Result<Stack> makeInputs(const KernelContext& kernel, const Case& definition, const Literal& call,
                         std::uint64_t seed) {
  WB_DO(fitsDevice(kernel, call));
  if (definition.values == "own" && kernel.ownInputs) return kernel.ownInputs(seed);
  if (definition.values.starts_with(storedMark)) return storedInputs(kernel, definition, call, seed);
  // BackendBench draws the inputs of traces uniformly, and those of the one case of its smoke suite from the
  // normal distribution.
  const bool uniform = kernel.job.checking.likeBackendBench && kernel.job.suite != "smoke";
  TensorSource source = uniform ? uniformTensor : drawnTensor;
  if (!definition.values.empty()) {
    const auto kind = specialValues(definition.values);
    if (!kind) return unknownValues(definition.values);
    source = specialTensors(*kind);
  }
  return makeArguments(kernel.op.schema(), call, seed, kernel.device, source);
}

}  // namespace wb

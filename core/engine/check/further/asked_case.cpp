// SPDX-License-Identifier: Apache-2.0
#include "core/engine/check/further/asked_case.h"

#include <algorithm>

#include "core/engine/cases/device_room.h"
#include "core/engine/reference/seed.h"
#include "core/suites/literals/literal_parser.h"
#include "core/suites/perturb.h"
#include "core/suites/perturbed_suites.h"
#include "core/suites/trace_file.h"

namespace wb {
namespace {

/// Larger cases are asked with smaller sizes, since for forks memory would be copied, and values are drawn on
/// the host.
constexpr std::int64_t mostForkBytes = std::int64_t{16} << 20;
/// A problem's own are.
constexpr std::int64_t mostOwnBytesOnHost = std::int64_t{256} << 20;
/// A problem's own inputs are drawn and changed on its GPU, which takes so many times their memory.
constexpr std::int64_t copiesOfOwn = 20;
/// To ask what it makes of other parameters takes no more than its check does.
constexpr std::int64_t copiesForParameters = 8, mostForParametersOnHost = std::int64_t{1} << 30;

/// A problem's own inputs are as large as they are; of other cases there are smaller ones.
std::int64_t mostBytes(const KernelContext& kernel, const Case& definition) {
  if (definition.values != "own") return mostForkBytes;
  const std::int64_t own = std::max(mostForkBytes, freeMemory(kernel.device) / copiesOfOwn);
  return kernel.device == "cpu" ? std::min(own, mostOwnBytesOnHost) : own;
}

bool hasRoomForParameters(const KernelContext& kernel, std::int64_t bytes) {
  return bytes <=
         (kernel.device == "cpu" ? mostForParametersOnHost : freeMemory(kernel.device) / copiesForParameters);
}

/// Nothing where the case is too large, and there is none with smaller sizes.
std::optional<AskedCase> smallEnough(const KernelContext& kernel, const Case& definition,
                                     const Literal& call) {
  const std::uint64_t seed = mixSeeds(kernel.further->seed, mixSeeds(definition.seed, 1));
  const std::int64_t most = mostBytes(kernel, definition);
  if (tensorBytes(call) <= most) return AskedCase{definition, call, seed};
  if (definition.values == "own") {
    if (!hasRoomForParameters(kernel, tensorBytes(call))) return std::nullopt;
    return AskedCase{definition, call, seed, false, true};
  }
  const Result<EditableCall> whole = editCall(definition.args);
  const auto less = whole ? shrunk(*whole, most) : std::nullopt;
  if (!less) return std::nullopt;
  const Result<Case> made = makeCase(definition.op, 1, text(*less));
  const Result<Literal> literal = made ? parseLiteral(made->args) : made.error();
  if (!literal) return std::nullopt;
  AskedCase smaller{definition, *literal, seed, true};
  smaller.definition.args = made->args;
  smaller.definition.shapes = made->shapes;
  return smaller;
}

}  // namespace

std::optional<AskedCase> askedCase(const KernelContext& kernel, const Case& definition, const Literal& call,
                                   Verdict verdict, double seconds) {
  const FurtherQuestions& further = *kernel.further;
  if (verdict != Verdict::pass || !further.forked.contains(&definition) ||
      seconds > further.mostCheckSeconds || !isPerturbable(definition.op))
    return std::nullopt;
  return smallEnough(kernel, definition, call);
}

}  // namespace wb

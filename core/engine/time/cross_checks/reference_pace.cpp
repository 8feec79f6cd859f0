// SPDX-License-Identifier: Apache-2.0
#include "core/engine/time/cross_checks/reference_pace.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/quantity.h"
#include "core/engine/cases/inputs.h"
#include "core/engine/reference/operator.h"
#include "core/engine/reference/seed.h"
#include "core/suites/literals/literal_parser.h"

namespace wb {
namespace {

/// One look may find a clock that rises, or others at work.
constexpr int enoughLooks = 3;
constexpr std::size_t mostKept = 4096;
/// By the same records the reference takes the same, but for this.
constexpr double mostSlowed = 1.3, mostSlowedBy = 1.5e-6;
/// The headline may be another time than what records say: of graphs, on inputs that are in no cache.
constexpr double mostSlowedHeadline = 1.5, mostSlowedHeadlineBy = 3e-6;
constexpr std::uint64_t paceDraw = 77;

/// A case's own values are a problem's.
std::string keyOf(const Case& definition) {
  return definition.values + '\n' + definition.op + '\n' + definition.args;
}

bool isProblemsOwn(const std::string& key) {
  return key.starts_with("own\n");
}

}  // namespace

void ReferencePaces::learn(const KernelContext& kernel, const Case& definition, Clock& clock) {
  Pace& pace = paces_[keyOf(definition)];
  if (pace.looks >= enoughLooks) return;
  ++pace.looks;
  const Result<Literal> call = parseLiteral(definition.args);
  if (!call) return;
  const Result<Stack> inputs =
      makeInputs(kernel, definition, *call, mixSeeds(kernel.job.seed, definition.seed + paceDraw));
  if (!inputs) return;
  const auto reference = prepareReference(kernel.op, *inputs);
  if (!reference->run()) return;
  if (const Result<RecordedTime> taken = clock.recorded(*reference, {}); taken && taken->busy > 0) {
    const bool isFirst = pace.least.busy == 0;
    pace.least.busy = isFirst ? taken->busy : std::min(pace.least.busy, taken->busy);
    pace.least.span = isFirst ? taken->span : std::min(pace.least.span, taken->span);
  }
  if (paces_.size() > mostKept) paces_.clear();
}

bool ReferencePaces::beginProblem(const std::string& text) {
  if (text != problem_) {
    std::erase_if(paces_, [](const auto& each) { return isProblemsOwn(each.first); });
    problem_ = text;
    begun_ = 0;
  }
  return begun_++ < enoughLooks;
}

std::optional<RecordedTime> ReferencePaces::of(const Case& definition) const {
  const auto found = paces_.find(keyOf(definition));
  if (found == paces_.end() || found->second.least.busy == 0) return std::nullopt;
  return found->second.least;
}

SlowedReference slowedSince(const CaseTiming& timing, const RecordedTime& before, const RecordedTime& now) {
  const double mostSpan = mostSlowedHeadline * before.span + mostSlowedHeadlineBy;
  const bool isHeadline = timing.time != "call" && timing.reference > mostSpan;
  const bool isBusy = now.busy > mostSlowed * before.busy + mostSlowedBy;
  if (!isHeadline && !isBusy) return {};
  return {fmt::format("the reference takes {} beside this kernel, and took {} before its code was loaded",
                      formatSeconds(isHeadline ? std::max(timing.reference, now.busy) : now.busy),
                      formatSeconds(isHeadline ? before.span : before.busy)),
          isBusy || now.busy <= 0 || now.span > mostSpan};
}

}  // namespace wb

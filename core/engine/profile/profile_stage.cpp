// SPDX-License-Identifier: Apache-2.0
#include "core/engine/profile/profile_stage.h"

#include <ATen/core/List.h>
#include <ATen/core/Tensor.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <filesystem>
#include <optional>
#include <set>

#include "core/engine/call_elsewhere.h"
#include "core/engine/cases/inputs.h"
#include "core/engine/cupti/counters.h"
#include "core/engine/cupti/cupti_library.h"
#include "core/engine/cupti/pc_sampling.h"
#include "core/engine/device/driver.h"
#include "core/engine/profile/profiled_call.h"
#include "core/engine/reference/exception_text.h"
#include "core/engine/reference/operator.h"
#include "core/engine/reference/seed.h"
#include "core/model/metrics/metric_catalogue.h"
#include "core/suites/literals/literal_parser.h"

namespace wb {
namespace {

using Clock = std::chrono::steady_clock;

double since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

/// One side of the case: its call, and what is known of it so far.
struct Profiled {
  Stack arguments;
  std::unique_ptr<PreparedCall> call;
  ProfiledCall seen;
};

class CaseProfiler {
 public:
  CaseProfiler(const KernelContext& kernel, const Case& definition, const ProfileRequest& request,
               const OnPart& onPart)
      : kernel_(kernel), definition_(definition), request_(request), onPart_(onPart) {}
  Result<std::vector<std::string>> run();

 private:
  Result<void> prepare();
  void profileHere();
  Result<void> profileThere();
  Result<std::vector<SideProfile>> partsThere(Side which, PreparedCall& call, const AskedProfile& asked);
  void count();
  void sample();
  [[nodiscard]] Place ownPlace(Place place) const;
  [[nodiscard]] bool stopped() const { return kernel_.stop.stop_requested(); }

  const KernelContext& kernel_;
  const Case& definition_;
  const ProfileRequest& request_;
  const OnPart& onPart_;
  Literal literal_;
  Profiled candidate_, reference_;
};

Result<void> CaseProfiler::prepare() {
  WB_TRY(literal_, parseLiteral(definition_.args));
  Result<Stack> inputs =
      makeInputs(kernel_, definition_, literal_, mixSeeds(kernel_.job.seed, definition_.seed));
  if (!inputs) return std::move(inputs).error();
  WB_TRY(const OutputPlan plan, planOutputs(kernel_.op, cloneArguments(*inputs)));
  candidate_.arguments = cloneArguments(*inputs);
  reference_.arguments = *std::move(inputs);
  Result<std::unique_ptr<PreparedCall>> call =
      kernel_.candidate.prepare({literal_, candidate_.arguments}, plan);
  if (!call) return std::move(call).error();
  candidate_.call = *std::move(call);
  if (kernel_.timedReference == nullptr) {
    reference_.call = prepareReference(kernel_.op, reference_.arguments);
  } else {
    WB_TRY(reference_.call, kernel_.timedReference->prepare({literal_, reference_.arguments}, plan));
  }
  for (Profiled* side : {&candidate_, &reference_}) {
    side->seen.call = side->call.get();
    side->seen.restore = restoring(kernel_.op.schema(), side->arguments);
    WB_DO(warmUp(side->seen));
  }
  return {};
}

void CaseProfiler::count() {
  const std::array<ProfiledCall*, 2> calls{&candidate_.seen, &reference_.seen};
  const CounterConditions conditions{kernel_.device, request_.device, request_.cacheBytes, request_.caches};
  countTogether(
      calls, request_.plan.sections, conditions, [this] { return stopped(); },
      [this](std::size_t call, SideProfile part) {
        onPart_(call == 0 ? Side::candidate : Side::reference, std::move(part));
      });
}

/// Names a place in the kernel's own file as the job names that file, since compilers name it in their own
/// way.
Place CaseProfiler::ownPlace(Place place) const {
  const auto nameOf = [](const std::string& path) { return std::filesystem::path(path).filename(); };
  if (!place.file.empty() && nameOf(place.file) == nameOf(request_.ownFile)) place.file = request_.ownFile;
  return place;
}

void CaseProfiler::sample() {
  ProfiledCall& seen = candidate_.seen;
  if (seen.launches.empty()) return;
  const auto start = Clock::now();
  const auto run = [&seen] { return seen.call->run(); };
  Result<PcSamples> samples = samplePcs(run, seen.deviceSeconds, request_.modules());
  if (!samples) return onPart_(Side::candidate, notedPart(samples.error()));
  SideProfile part;
  part.samples = std::move(samples->samples);
  for (PcSample& sample : part.samples) sample.place = ownPlace(std::move(sample.place));
  part.droppedSamples = samples->dropped;
  part.samplingPeriod = samples->period;
  part.seconds = since(start);
  if (part.samples.empty()) part.notes.emplace_back("No samples: the kernel is too short to be sampled.");
  onPart_(Side::candidate, std::move(part));
}

/// Both calls are made in this process.
void CaseProfiler::profileHere() {
  request_.endWatch();
  makeCuptiForget();
  onPart_(Side::candidate, traceCall(candidate_.seen, request_.plan.timeline, request_.modules()));
  onPart_(Side::reference, traceCall(reference_.seen, request_.plan.timeline, {}));
  if (request_.plan.lines && !stopped()) sample();
  if (!stopped()) count();
  makeCuptiForget();
}

/// To count takes half a second in each process, and a reference counts the same each time.
Result<std::vector<SideProfile>> CaseProfiler::partsThere(Side which, PreparedCall& call,
                                                          const AskedProfile& asked) {
  if (which == Side::reference && request_.knownReference != nullptr) {
    std::vector<SideProfile> parts = *request_.knownReference;
    parts.front().notes.emplace_back("Counted when the same reference ran before.");
    return parts;
  }
  CallElsewhere* const there = elsewhere(call);
  if (there == nullptr) return Error{Stage::profile, "one side runs here and the other one elsewhere"};
  WB_TRY(std::vector<SideProfile> parts, there->profileThere(asked));
  const bool isWhole =
      std::any_of(parts.begin(), parts.end(), [](const auto& part) { return part.passes > 0; });
  if (which == Side::reference && isWhole && request_.keepReference) request_.keepReference(parts);
  return parts;
}

/// Each side is profiled in the process in which it runs, and by that one's word. There is no place in a
/// source for what runs there.
Result<void> CaseProfiler::profileThere() {
  if (request_.plan.lines) {
    SideProfile part;
    part.notes.emplace_back("No hot lines: the kernel runs in a process of its own.");
    onPart_(Side::candidate, std::move(part));
  }
  AskedProfile asked{request_.plan, request_.device, request_.cacheBytes, request_.caches};
  // What is refused here is refused there, and is said.
  if (Result<CountedChip> chip = planAhead(asked.device, metricsOf(asked.plan.sections)))
    asked.chip = *std::move(chip);
  for (auto [which, side] :
       {std::pair{Side::candidate, &candidate_}, std::pair{Side::reference, &reference_}}) {
    if (stopped()) return {};
    WB_TRY(std::vector<SideProfile> parts, partsThere(which, *side->call, asked));
    for (SideProfile& part : parts) {
      if (!part.launches.empty()) side->seen.launches = part.launches;
      onPart_(which, std::move(part));
    }
  }
  return {};
}

Result<std::vector<std::string>> CaseProfiler::run() {
  WB_DO(prepare());
  if (elsewhere(*candidate_.call) == nullptr) {
    profileHere();
  } else {
    WB_DO(profileThere());
  }
  std::set<std::string> functions;
  for (const Launch& launch : candidate_.seen.launches) functions.insert(launch.function);
  return std::vector<std::string>(functions.begin(), functions.end());
}

}  // namespace

Result<std::vector<std::string>> profileCase(const KernelContext& kernel, const Case& definition,
                                             const ProfileRequest& request, const OnPart& onPart) {
  return CaseProfiler(kernel, definition, request, onPart).run();
}

}  // namespace wb

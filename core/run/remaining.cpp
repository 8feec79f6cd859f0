// SPDX-License-Identifier: Apache-2.0
#include "core/run/remaining.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "core/model/operators/operator_name.h"
#include "core/model/ran.h"

namespace wb {

namespace {

using Numbers = std::vector<std::uint32_t>;

bool isChecked(const CaseRow& row) {
  return row.check.verdict != Verdict::notRun;
}

/// Whether a case was profiled, or said why not.
bool hasProfile(const CaseRow& row) {
  return row.profile && ((*row.profile)->done || !(*row.profile)->notProfiled.empty());
}

/// Whether a case has passed. Without the check stage every case passes, unless it has failed meanwhile.
bool hasPassed(const Stages& stages, const CaseRow& row) {
  return stages.has(Stage::check) ? row.check.verdict == Verdict::pass
                                  : tally(row.check.verdict) != Tally::fail;
}

/// The numbers of the cases that a part names, or of all of a kernel's.
Numbers numbersOf(const StageWork& part, std::size_t cases) {
  Numbers numbers;
  if (!part.cases) {
    for (std::uint32_t i = 0; i < cases; ++i) numbers.push_back(i);
    return numbers;
  }
  std::copy_if(part.cases->begin(), part.cases->end(), std::back_inserter(numbers),
               [&](std::uint32_t i) { return i < cases; });
  return numbers;
}

/// What is left of the work for one kernel that has been compiled.
class KernelRest {
 public:
  KernelRest(const Job& job, const Report& report, const KernelWork& part)
      : job_(job), report_(report), kernel_(*report.kernels[part.kernel]), part_(part) {
    rest_.kernel = part.kernel;
    rest_.compiled = true;
    suspect_ = suspectOf(report, part.kernel);
  }

  KernelWork get() {
    const bool runs = kernel_.compiled->runs;
    for (const StageWork& stage : part_.stages) {
      if (stageRow(stage.stage).scope == Scope::perKernel) wholeKernel(stage);
      if (stage.stage == Stage::check && runs) check(stage);
      if (stage.stage == Stage::time && runs) time(stage);
      if (stage.stage == Stage::profile) profile(stage, runs);
    }
    namePassed();
    return std::move(rest_);
  }

 private:
  void add(Stage stage, Numbers cases) {
    if (!cases.empty()) rest_.stages.push_back({stage, std::move(cases), 0});
  }

  /// Names what has passed of the cases that are left to time and to profile, which may be few of many.
  void namePassed() {
    Numbers& passed = rest_.passed;
    for (const StageWork& stage : rest_.stages) {
      if (stageRow(stage.stage).needs != Needs::passed) continue;
      for (const std::uint32_t i : numbersOf(stage, kernel_.cases.size()))
        if (hasPassed(job_.stages, kernel_.cases[i])) passed.push_back(i);
    }
    std::sort(passed.begin(), passed.end());
    passed.erase(std::unique(passed.begin(), passed.end()), passed.end());
  }

  void wholeKernel(const StageWork& part) {
    const Steps all = steps(report_, kernel_, part.stage);
    if (all.done < all.due) rest_.stages.push_back(part);
  }

  void check(const StageWork& part) {
    Numbers left;
    for (const std::uint32_t i : numbersOf(part, kernel_.cases.size())) {
      if (isChecked(kernel_.cases[i])) continue;
      left.push_back(i);
      toCheck_.push_back(i);
      if (suspect_ == i) rest_.referenceAlone = i;
    }
    add(part.stage, std::move(left));
  }

  void time(const StageWork& part) {
    Numbers left;
    for (const std::uint32_t i : numbersOf(part, kernel_.cases.size())) {
      const CaseRow& row = kernel_.cases[i];
      const bool mayPass =
          std::binary_search(toCheck_.begin(), toCheck_.end(), i) && row.definition.use != CaseUse::check;
      if (mayPass || isToTime(job_.stages, row)) left.push_back(i);
    }
    add(part.stage, std::move(left));
  }

  /// It is known which cases are profiled when all cases are done with everything else: those that the
  /// reference takes longest for.
  void profile(const StageWork& part, bool runs) {
    const bool listing = job_.profile.listing && kernel_.listings.empty();
    if (!runs && !listing) return;
    const bool isOpen = std::any_of(rest_.stages.begin(), rest_.stages.end(), [](const StageWork& each) {
      return stageRow(each.stage).scope == Scope::perCase;
    });
    if (isOpen) {
      rest_.stages.push_back(part);
      return;
    }
    StageWork rest{part.stage, runs ? casesToProfile(part) : Numbers{}, 0};
    choose(rest);
    if (rest.cases->empty() && !listing) return;
    for (const std::uint32_t i : *rest.cases) {
      const CaseRow& row = kernel_.cases[i];
      if (row.timing && row.timing->caches == CacheState::hot) rest_.hot.push_back(i);
    }
    rest_.stages.push_back(std::move(rest));
  }

  /// The cases that were asked for by number, also those that cannot be profiled, of which that is said.
  [[nodiscard]] Numbers casesToProfile(const StageWork& part) const {
    Numbers cases;
    const Numbers& named = job_.profile.indices;
    for (const std::uint32_t i : numbersOf(part, kernel_.cases.size())) {
      const CaseRow& row = kernel_.cases[i];
      const bool wanted = named.empty() ? hasPassed(job_.stages, row)
                                        : std::find(named.begin(), named.end(), i) != named.end();
      if (wanted && !hasProfile(row)) cases.push_back(i);
    }
    return cases;
  }

  void choose(StageWork& rest) const {
    if (!job_.profile.indices.empty()) return;
    const int most = std::max(job_.profile.cases - kernel_.counts.profiled, 0);
    Numbers& cases = *rest.cases;
    const auto seconds = [&](std::uint32_t i) {
      const auto& timing = kernel_.cases[i].timing;
      return timing ? timing->reference : 0;
    };
    const bool timed = std::any_of(cases.begin(), cases.end(), [&](auto i) { return seconds(i) > 0; });
    if (most == 0) cases.clear();
    if (cases.empty()) return;
    if (!timed) {  // the worker weighs the cases by what they read and write
      rest.most = most;
      return;
    }
    // Cases that the kernel hands to ATen come last: their profile says little of it.
    const auto order = [&](std::uint32_t i) {
      const CaseRow& row = kernel_.cases[i];
      return std::pair(!delegatedTo(row.definition.op, row.check.ran).empty(), -seconds(i));
    };
    std::stable_sort(cases.begin(), cases.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return order(a) < order(b); });
    cases.resize(std::min(cases.size(), static_cast<std::size_t>(most)));
  }

  const Job& job_;
  const Report& report_;
  const KernelReport& kernel_;
  const KernelWork& part_;
  KernelWork rest_;
  /// In ascending order.
  Numbers toCheck_;
  std::optional<std::uint32_t> suspect_;
};

std::optional<KernelWork> restOf(const Job& job, const Report& report, const KernelWork& part) {
  if (part.kernel >= report.kernels.size()) return std::nullopt;
  const KernelReport& kernel = *report.kernels[part.kernel];
  if (kernel.failure || isClosed(report, part.kernel)) return std::nullopt;
  if (!kernel.compiled) {
    KernelWork rest = part;
    rest.compiled = false;
    return rest;
  }
  KernelWork rest = KernelRest(job, report, part).get();
  // Only the profile stage makes a listing alone. Without cases left and with the listings made, the kernel
  // need not be loaded.
  if (rest.stages.empty()) return std::nullopt;
  return rest;
}

}  // namespace

bool isToTime(const Stages& stages, const CaseRow& row) {
  if (!stages.has(Stage::time) || row.timing || !row.notTimed.empty() || row.definition.use == CaseUse::check)
    return false;
  return isChecked(row) ? row.check.verdict == Verdict::pass : !stages.has(Stage::check);
}

bool isClosed(const Report& report, std::uint32_t kernel) {
  return isDiscredited(*report.kernels[kernel]) ||
         std::any_of(report.losses.begin(), report.losses.end(), [&](const WorkerLost& lost) {
           return lost.kernel == kernel && (lost.quarantines || lost.verdict == Verdict::tampered);
         });
}

std::optional<std::uint32_t> suspectOf(const Report& report, std::uint32_t kernel) {
  for (const WorkerLost& lost : report.losses) {
    if (lost.kernel != kernel || lost.blame != Blame::reference || lost.stage != Stage::check) continue;
    const auto& cases = report.kernels[kernel]->cases;
    if (lost.index < cases.size() && !isChecked(cases[lost.index])) return lost.index;
  }
  return std::nullopt;
}

JobWork remaining(const Job& job, const Report& report) {
  return remaining(job, report, workIn(job));
}

JobWork remaining(const Job& job, const Report& report, const JobWork& part) {
  JobWork rest;
  rest.begun = !report.startedAt.empty() || report.target != Target{};
  for (const KernelWork& kernel : part.kernels)
    if (std::optional<KernelWork> left = restOf(job, report, kernel))
      rest.kernels.push_back(*std::move(left));
  return rest;
}

std::optional<std::vector<Case>> knownCases(const Job& job, const KernelSource& source) {
  if (source.op.empty()) return std::nullopt;
  const std::string op = schemaName(source.op);
  std::vector<Case> cases;
  std::copy_if(job.cases.begin(), job.cases.end(), std::back_inserter(cases),
               [&](const Case& each) { return each.op == op; });
  if (cases.empty()) return std::nullopt;  // a bare name may mean an overload, which only the worker knows
  return cases;
}

}  // namespace wb

// SPDX-License-Identifier: Apache-2.0
#include "core/model/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "core/model/json/json_codec.h"
#include "core/model/languages.h"

namespace wb {
namespace {

constexpr std::size_t longestMisfit = 2000;  ///< bytes of an event that does not fit, kept in the log

/// What one row adds to its kernel's counts.
Counts share(const CaseRow& row, const Stages& stages) {
  const Tally outcome = tally(row.check.verdict);
  const bool checked = row.check.verdict != Verdict::notRun;
  Counts one;
  one.total = 1;
  one.checked = checked;
  one.passed = outcome == Tally::pass;
  one.failed = outcome == Tally::fail;
  one.crashed = endedItsWorker(row.check.verdict);
  one.neutral = checked && outcome == Tally::neutral;
  // Without the check stage every case that did not fail is timed.
  const bool wanted = stages.time && row.definition.use != CaseUse::check &&
                      (outcome == Tally::pass || (!stages.check && !one.failed));
  one.toTime = wanted && row.notTimed.empty();
  one.timed = one.toTime && row.timing;
  one.profiled = row.profile && ((*row.profile)->done || !(*row.profile)->notProfiled.empty());
  return one;
}

void add(Counts& sum, const Counts& one, int sign = 1) {
  sum.total += sign * one.total;
  sum.checked += sign * one.checked;
  sum.passed += sign * one.passed;
  sum.failed += sign * one.failed;
  sum.neutral += sign * one.neutral;
  sum.toTime += sign * one.toTime;
  sum.timed += sign * one.timed;
  sum.profiled += sign * one.profiled;
  sum.crashed += sign * one.crashed;
}

/// Every part of a profile comes once: what a part does not have it leaves as it was.
void merge(SideProfile& into, const SideProfile& part) {
  const auto take = [](auto& here, const auto& there) {
    if (!there.empty()) here = there;
  };
  take(into.launches, part.launches);
  take(into.activities, part.activities);
  take(into.samples, part.samples);
  into.passes += part.passes;
  if (part.caches != CacheState::unknown) into.caches = part.caches;
  into.seconds += part.seconds;
  into.droppedSamples += part.droppedSamples;
  if (part.samplingPeriod > 0) into.samplingPeriod = part.samplingPeriod;
  into.missing.insert(into.missing.end(), part.missing.begin(), part.missing.end());
  into.notes.insert(into.notes.end(), part.notes.begin(), part.notes.end());
}

class Folder {
 public:
  explicit Folder(Report& report) : report_(report) {}

  void operator()(const JobStarted& event) {
    report_.target = event.target;
    // A job that goes on in a second worker started when the first did.
    if (report_.startedAt.empty()) report_.startedAt = event.startedAt;
  }

  void operator()(const CompileStarted& event) {
    KernelReport* kernel = find(event.kernel, event);
    if (!kernel) return;
    kernel->language = event.language;
    if (kernel->progress == Progress::waiting) kernel->progress = Progress::compiling;
  }

  void operator()(const Diagnosed& event) {
    if (KernelReport* kernel = find(event.kernel, event)) kernel->diagnostics.push_back(event.diagnostic);
  }

  void operator()(const Compiled& event) {
    KernelReport* kernel = find(event.kernel, event);
    if (!kernel) return;
    kernel->compiled =
        Compiled{event.kernel, event.op,        event.schema, event.seconds, event.cached, event.toolchain,
                 event.note,   event.artifacts, {},           event.runs};
    // After a lost worker the kernel is compiled again; what was learned of the same cases stays.
    if (!sameCases(*kernel, event.cases)) {
      kernel->cases = {};
      kernel->counts = {};
      for (const Case& definition : event.cases) {
        kernel->cases.push(CaseRow{definition, {}, {}, {}, {}});
        add(kernel->counts, share(kernel->cases[kernel->cases.size() - 1], report_.stages));
      }
    }
    if (kernel->progress == Progress::failed) return;
    kernel->progress = report_.stages.check     ? Progress::checking
                       : report_.stages.time    ? Progress::timing
                       : report_.stages.profile ? Progress::profiling
                                                : Progress::done;
    settle(*kernel);
  }

  void operator()(const CaseStarted& event) {
    KernelReport* kernel = find(event.kernel, event, event.index);
    if (!kernel || kernel->progress == Progress::failed) return;
    if (event.stage == Stage::check) kernel->progress = Progress::checking;
    if (event.stage == Stage::time) kernel->progress = Progress::timing;
    if (event.stage == Stage::profile) kernel->progress = Progress::profiling;
    report_.underWay = StepUnderWay{event.kernel, event.index, event.stage, std::nullopt, false, 0};
  }

  void operator()(const SideStarted& event) {
    // In a fleet other cases run beside it: the one that takes long is the one to tell of.
    auto& at = report_.underWay;
    if (!at || at->kernel != event.kernel || at->index != event.index) {
      if (event.seconds == 0) return;
      at = StepUnderWay{event.kernel, event.index, Stage::check, std::nullopt, false, 0};
    }
    at->side = event.side;
    at->first = event.first;
    at->seconds = event.seconds;
  }

  void operator()(const CaseChecked& event) {
    change(event, [&](CaseRow& row) {
      row.check = event.check;
      // A time without a right answer is not a result, also when the answer turns out wrong only while
      // timing.
      if (tally(row.check.verdict) == Tally::fail) row.timing.reset();
    });
  }

  void operator()(const CaseTimed& event) {
    const auto* row = rowOf(event.kernel, event.index);
    if (row && tally(row->check.verdict) == Tally::fail) return misfit(event, "the case failed");
    change(event, [&](CaseRow& changed) {
      changed.timing = event.timing;
      changed.notTimed.clear();
    });
  }

  void operator()(const CaseNotTimed& event) {
    change(event, [&](CaseRow& row) { row.notTimed = event.reason.empty() ? "not timed" : event.reason; });
  }

  void operator()(const CaseProfiled& event) {
    change(event, [&](CaseRow& row) {
      if (!row.profile) row.profile.emplace();
      CaseProfile& profile = row.profile->write();
      merge(event.side == Side::candidate ? profile.candidate : profile.reference, event.part);
      profile.done = profile.done || event.last;
    });
  }

  void operator()(const CaseNotProfiled& event) {
    change(event, [&](CaseRow& row) {
      if (!row.profile) row.profile.emplace();
      row.profile->write().notProfiled = event.reason.empty() ? "not profiled" : event.reason;
    });
  }

  void operator()(const Listed& event) {
    if (KernelReport* kernel = find(event.kernel, event)) kernel->listings = event.listings;
  }

  void operator()(const DeviceMeasured& event) { report_.ceilings = event.ceilings; }

  void operator()(const Log& event) { report_.log.push(event); }

  void operator()(const StageFailed& event) {
    if (!event.kernel) {
      if (report_.failure) return misfit(event, "the job had failed before");
      report_.failure = event.error;
      return;
    }
    KernelReport* kernel = find(*event.kernel, event);
    if (!kernel) return;
    if (kernel->failure) return misfit(event, "the kernel had failed before");
    kernel->failure = event.error;
    kernel->progress = Progress::failed;
  }

  void operator()(const WorkerLost& event) { report_.losses.push_back(event); }

  void operator()(const Finished& event) {
    report_.outcome = event.outcome;
    report_.underWay.reset();
    report_.seconds = event.seconds;
    if (event.outcome != Outcome::finished) return;
    for (auto& kernel : report_.kernels) {
      if (missesSomething(*kernel)) nameMissing(kernel.write());
      if (kernel->compiled && kernel->progress != Progress::failed && kernel->progress != Progress::done)
        kernel.write().progress = Progress::done;
    }
  }

 private:
  static bool sameCases(const KernelReport& kernel, const std::vector<Case>& cases) {
    if (kernel.cases.size() != cases.size()) return false;
    for (std::size_t i = 0; i < cases.size(); ++i) {
      if (kernel.cases[i].definition != cases[i]) return false;
    }
    return true;
  }

  /// A run that ends in order has an answer for each case, unless the kernel only compiles here.
  [[nodiscard]] bool missesSomething(const KernelReport& kernel) const {
    const Counts& all = kernel.counts;
    if (!kernel.compiled || !kernel.compiled->runs) return false;
    return (report_.stages.check && all.checked < all.total) || all.timed < all.toTime;
  }

  /// What was not heard of is no success: a failed check, or no time with a reason.
  void nameMissing(KernelReport& kernel) const {
    for (std::size_t i = 0; i < kernel.cases.size(); ++i) {
      const Counts before = share(kernel.cases[i], report_.stages);
      const bool unchecked = report_.stages.check && before.checked == 0;
      if (!unchecked && before.timed == before.toTime) continue;
      CaseRow& row = kernel.cases.write(i);
      add(kernel.counts, before, -1);
      if (unchecked) {
        row.check.verdict = Verdict::missing;
        row.check.message = "the run ended without a word on this case";
      } else {
        row.notTimed = "the run ended without a time for this case";
      }
      add(kernel.counts, share(row, report_.stages));
    }
  }

  void misfit(const Event& event, std::string_view why) {
    std::string text = dump(toJson(event));
    if (text.size() > longestMisfit) text = text.substr(0, longestMisfit) + "…";
    report_.log.push(Log{"worker", fmt::format("An event did not fit, {}: {}", why, text)});
  }

  [[nodiscard]] const CaseRow* rowOf(std::uint32_t kernel, std::uint32_t index) const {
    if (kernel >= report_.kernels.size() || index >= report_.kernels[kernel]->cases.size()) return nullptr;
    return &report_.kernels[kernel]->cases[index];
  }

  KernelReport* find(std::uint32_t kernel, const Event& event) {
    if (kernel < report_.kernels.size()) return &report_.kernels[kernel].write();
    misfit(event, "there is no such kernel");
    return nullptr;
  }

  KernelReport* find(std::uint32_t kernel, const Event& event, std::uint32_t index) {
    if (kernel < report_.kernels.size() && index >= report_.kernels[kernel]->cases.size()) {
      misfit(event, "there is no such case");
      return nullptr;
    }
    return find(kernel, event);
  }

  template <class E, class Change>
  void change(const E& event, Change apply) {
    KernelReport* kernel = find(event.kernel, event, event.index);
    if (!kernel) return;
    const auto& at = report_.underWay;
    if (at && at->kernel == event.kernel && at->index == event.index) report_.underWay.reset();
    CaseRow& row = kernel->cases.write(event.index);
    add(kernel->counts, share(row, report_.stages), -1);
    apply(row);
    add(kernel->counts, share(row, report_.stages));
    settle(*kernel);
  }

  /// A kernel is done with its last case, not with the job.
  void settle(KernelReport& kernel) const {
    const Counts& counts = kernel.counts;
    const bool checked = !report_.stages.check || counts.checked == counts.total;
    const bool timed = counts.timed == counts.toTime;
    if (kernel.progress == Progress::failed || counts.total == 0 || !checked || !timed) return;
    kernel.progress = profiled(counts) ? Progress::done : Progress::profiling;
  }

  [[nodiscard]] bool profiled(const Counts& counts) const {
    if (!report_.stages.profile) return true;
    const ProfilePlan& plan = report_.profile;
    const int wanted = plan.indices.empty()
                           ? std::min(plan.cases, report_.stages.check ? counts.passed : counts.total)
                           : static_cast<int>(plan.indices.size());
    return counts.profiled >= wanted;
  }

  Report& report_;
};

/// What a failed stage means for a shell.
int statusOf(const Error& error) {
  switch (error.stage) {
    case Stage::setup:
      return 3;
    case Stage::job:
    case Stage::compile:
      return 2;
    default:
      return 1;
  }
}

/// A kernel was compiled and not run, since it is for another device than this one.
bool deviceMissing(const Report& report) {
  return std::any_of(report.kernels.begin(), report.kernels.end(),
                     [](const auto& kernel) { return kernel->compiled && !kernel->compiled->runs; });
}

}  // namespace

Report startReport(const Job& job) {
  Report report;
  report.suite = job.suite;
  report.stages = job.stages;
  report.tolerance = job.tolerance;
  report.checking = job.checking;
  report.timing = job.timing;
  report.profile = job.profile;
  report.sanitizer = job.sanitizer;
  report.seed = job.seed;
  report.device = job.device;
  for (const KernelSource& source : job.kernels) {
    KernelReport kernel;
    kernel.source = source;
    kernel.language = source.language;
    report.kernels.emplace_back(std::move(kernel));
  }
  return report;
}

void fold(Report& report, const Event& event) {
  std::visit(Folder(report), event);
}

Counts counts(const Report& report) {
  Counts sum;
  for (const auto& kernel : report.kernels) add(sum, kernel->counts);
  return sum;
}

bool lostByUs(const Report& report) {
  return std::any_of(report.losses.begin(), report.losses.end(),
                     [](const WorkerLost& lost) { return lost.blame == Blame::warpbench; });
}

std::string describe(const WorkerLost& lost) {
  const std::string_view whose =
      lost.blame == Blame::warpbench ? "Warpbench lost its worker" : "The worker was lost";
  const bool between = lost.doing.starts_with("between");
  return fmt::format("{} {}{}: {}", whose, between ? "" : "while ", lost.doing, lost.how);
}

bool scored(const Report& report, const KernelReport& kernel) {
  return report.checking.scoreCrashed || report.checking.likeBackendBench || kernel.counts.crashed == 0;
}

int exitStatus(const Report& report) {
  if (report.outcome == Outcome::cancelled) return 130;
  if (report.failure) return statusOf(*report.failure);
  if (report.outcome != Outcome::finished) return 3;
  const bool noWorker = std::any_of(report.kernels.begin(), report.kernels.end(), [](const auto& kernel) {
    return kernel->failure && statusOf(*kernel->failure) == 3;
  });
  if (lostByUs(report)) return noWorker ? 3 : lostByUsStatus;
  bool failed = false;
  for (const auto& kernel : report.kernels) {
    if (!kernel->failure) continue;
    if (const int status = statusOf(*kernel->failure); status != 1) return status;
    failed = true;
  }
  const Counts sum = counts(report);
  if (failed || sum.failed > 0) return 1;
  if (!report.stages.check && !report.stages.time) return 0;  // only to compile: every kernel did
  if (sum.passed > 0 || (!report.stages.check && sum.timed > 0)) return 0;
  if (deviceMissing(report)) return 3;
  return sum.total == 0 ? 2 : 1;  // nothing to run: a filter that matches nothing
}

}  // namespace wb

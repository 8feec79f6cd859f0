// SPDX-License-Identifier: Apache-2.0
#include "core/model/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "core/model/json/json_codec.h"
#include "core/model/json/json_fields.h"
#include "core/model/languages.h"

namespace wb {
namespace {

/// How many bytes the log keeps of an event that does not fit.
constexpr std::size_t longestMisfit = 2000;

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
  const bool wanted = stages.has(Stage::time) && row.definition.use != CaseUse::check &&
                      (outcome == Tally::pass || (!stages.has(Stage::check) && !one.failed));
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

/// Every part of a profile comes once; it leaves alone what it does not have.
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

/// Whether a stage of the whole kernel, beside compile, is over.
bool isOver(const KernelReport& kernel, const StageRow& row) {
  bool over = std::ranges::find(kernel.notDone, row.stage, &NotDone::stage) != kernel.notDone.end();
  auto visit = [&](std::string_view key, const auto& result) {
    over = over || (key == row.results[0] && result);
  };
  fields(visit, static_cast<const KernelResults&>(kernel));
  return over;
}

class Folder {
 public:
  explicit Folder(Report& report) : report_(report) {}

  void operator()(const JobStarted& event) {
    report_.target = event.target;
    // A job that goes on in a second worker started when the first one did.
    if (report_.startedAt.empty()) report_.startedAt = event.startedAt;
  }

  void operator()(const Diagnosed& event) {
    if (KernelReport* kernel = find(event, event.kernel)) kernel->diagnostics.push_back(event.diagnostic);
  }

  void operator()(const StepStarted& event) {
    KernelReport* kernel = find(event, event.kernel, event.index);
    if (!kernel || kernel->progress == Progress::failed) return;
    if (kernel->progress == Progress::waiting) kernel->progress = Progress::at(event.stage);
    if (event.index)
      report_.underWay = StepUnderWay{event.kernel, *event.index, event.stage, std::nullopt, false, 0};
  }

  void operator()(const SideStarted& event) {
    // Where several workers share the job other cases run beside it: the one that takes long is the one to
    // tell of.
    auto& at = report_.underWay;
    if (!at || at->kernel != event.kernel || at->index != event.index) {
      if (event.seconds == 0) return;
      at = StepUnderWay{event.kernel, event.index, Stage::check, std::nullopt, false, 0};
    }
    at->side = event.side;
    at->first = event.first;
    at->seconds = event.seconds;
  }

  void operator()(const StepDone& event) {
    KernelReport* kernel = find(event, event.kernel, event.index);
    if (!kernel) return;
    if (!canGive(event.stage, event.result)) return misfit(event, "its stage does not come to that");
    const bool ofCase = event.index.has_value();
    const bool ofKernel =
        stageRow(event.stage).scope == Scope::perKernel || std::holds_alternative<Listed>(event.result);
    if (ofKernel == ofCase) return misfit(event, ofCase ? "it is about no case" : "it names no case");
    std::visit([&](const auto& result) { take(event, *kernel, result); }, event.result);
    settle(*kernel);
  }

  void operator()(const DeviceMeasured& event) { report_.ceilings = event.ceilings; }

  void operator()(const Log& event) { report_.log.push(event); }

  void operator()(const StageFailed& event) {
    if (!event.kernel) {
      if (report_.failure) return misfit(event, "the job had failed before");
      report_.failure = event.error;
      return;
    }
    KernelReport* kernel = find(event, *event.kernel);
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

  /// The kernel's cases from now on; nothing is known of them yet.
  void plan(KernelReport& kernel, const std::vector<Case>& cases) const {
    kernel.cases = {};
    kernel.counts = {};
    for (const Case& definition : cases) {
      kernel.cases.push(CaseRow{definition, {}, {}, {}, {}});
      add(kernel.counts, share(kernel.cases[kernel.cases.size() - 1], report_.stages));
    }
  }

 private:
  void take(const StepDone& /*event*/, KernelReport& kernel, const Compiled& compiled) const {
    kernel.compiled = compiled;
    kernel.compiled->cases.clear();
    // After a lost worker the kernel is compiled again; what is known of the same cases stays.
    if (!sameCases(kernel, compiled.cases)) plan(kernel, compiled.cases);
  }

  void take(const StepDone& event, KernelReport& kernel, const CaseCheck& check) {
    if (isDiscredited(kernel)) return;
    if (check.verdict == Verdict::tampered) return discredit(event, kernel, check);
    change(event, kernel, [&](CaseRow& row) {
      row.check = check;
      // A time without a right answer is not a result, even when the answer turns out to be wrong only while
      // it is timed.
      if (tally(row.check.verdict) == Tally::fail) row.timing.reset();
    });
  }

  void take(const StepDone& event, KernelReport& kernel, const CaseTiming& timing) {
    if (isDiscredited(kernel)) return;
    if (tally(kernel.cases[*event.index].check.verdict) == Tally::fail)
      return misfit(event, "the case failed");
    change(event, kernel, [&](CaseRow& row) {
      row.timing = timing;
      row.notTimed.clear();
    });
  }

  void take(const StepDone& event, KernelReport& kernel, const ProfilePart& part) {
    change(event, kernel, [&](CaseRow& row) {
      if (!row.profile) row.profile.emplace();
      CaseProfile& profile = row.profile->write();
      merge(part.side == Side::candidate ? profile.candidate : profile.reference, part.part);
      profile.done = profile.done || part.last;
    });
  }

  void take(const StepDone& event, KernelReport& kernel, const NoResult& none) {
    const std::string reason =
        none.reason.empty() ? fmt::format("not {}", stageRow(event.stage).done) : none.reason;
    if (!event.index) {
      if (isOver(kernel, stageRow(event.stage))) return misfit(event, "the stage was over");
      kernel.notDone.push_back({event.stage, reason});
      return;
    }
    change(event, kernel, [&](CaseRow& row) {
      if (event.stage == Stage::time) {
        row.notTimed = reason;
      } else if (event.stage == Stage::profile) {
        if (!row.profile) row.profile.emplace();
        row.profile->write().notProfiled = reason;
      }
    });
  }

  /// A kernel of which no verdict can be believed in one case has none in the others: what was said of them
  /// before, or by another worker, came from the same code.
  void discredit(const StepDone& event, KernelReport& kernel, const CaseCheck& check) {
    if (report_.underWay && report_.underWay->kernel == event.kernel) report_.underWay.reset();
    for (std::size_t i = 0; i < kernel.cases.size(); ++i) {
      CaseRow& row = kernel.cases.write(i);
      add(kernel.counts, share(row, report_.stages), -1);
      row = CaseRow{row.definition, check, {}, {}, {}};
      add(kernel.counts, share(row, report_.stages));
    }
  }

  /// Results of a kernel as a whole that say nothing of its cases.
  template <class R>
  void take(const StepDone& /*event*/, KernelReport& kernel, const R& result) const {
    auto visit = [&](std::string_view /*key*/, auto& kept) {
      if constexpr (std::is_same_v<decltype(kept), std::optional<R>&>) kept = result;
    };
    fields(visit, static_cast<KernelResults&>(kernel));
    if constexpr (std::is_same_v<R, Sanitized>) report_.sanitizer = result.tool;
  }

  static void take(const StepDone& /*event*/, KernelReport& kernel, const Listed& listed) {
    kernel.listings = listed.listings;
  }

  static bool sameCases(const KernelReport& kernel, const std::vector<Case>& cases) {
    if (kernel.cases.size() != cases.size()) return false;
    for (std::size_t i = 0; i < cases.size(); ++i) {
      if (kernel.cases[i].definition != cases[i]) return false;
    }
    return true;
  }

  /// Whether something is missing: a run that ends in an orderly way has an answer for each case, unless the
  /// kernel is only compiled here.
  [[nodiscard]] bool missesSomething(const KernelReport& kernel) const {
    const Counts& all = kernel.counts;
    if (!kernel.compiled || !kernel.compiled->runs) return false;
    return (report_.stages.has(Stage::check) && all.checked < all.total) || all.timed < all.toTime;
  }

  /// A case without an answer is not a success: it is a failed check, or has no time and a reason.
  void nameMissing(KernelReport& kernel) const {
    for (std::size_t i = 0; i < kernel.cases.size(); ++i) {
      const Counts before = share(kernel.cases[i], report_.stages);
      const bool unchecked = report_.stages.has(Stage::check) && before.checked == 0;
      if (!unchecked && before.timed == before.toTime) continue;
      CaseRow& row = kernel.cases.write(i);
      add(kernel.counts, before, -1);
      if (unchecked) {
        row.check.verdict = Verdict::missing;
        row.check.message = "the run ended without a word on this case";
      } else {
        row.notTimed = "the run ended first";
      }
      add(kernel.counts, share(row, report_.stages));
    }
  }

  void misfit(const Event& event, std::string_view why) {
    std::string text = dump(toJson(event));
    if (text.size() > longestMisfit) text = text.substr(0, longestMisfit) + "…";
    report_.log.push(Log{"worker", fmt::format("An event did not fit, {}: {}", why, text)});
  }

  KernelReport* find(const Event& event, std::uint32_t kernel,
                     std::optional<std::uint32_t> index = std::nullopt) {
    if (kernel >= report_.kernels.size()) {
      misfit(event, "there is no such kernel");
      return nullptr;
    }
    if (index && *index >= report_.kernels[kernel]->cases.size()) {
      misfit(event, "there is no such case");
      return nullptr;
    }
    return &report_.kernels[kernel].write();
  }

  template <class Change>
  void change(const StepDone& event, KernelReport& kernel, Change apply) {
    const auto& at = report_.underWay;
    if (at && at->kernel == event.kernel && at->index == event.index) report_.underWay.reset();
    CaseRow& row = kernel.cases.write(*event.index);
    add(kernel.counts, share(row, report_.stages), -1);
    apply(row);
    add(kernel.counts, share(row, report_.stages));
  }

  /// A kernel is at its first stage with steps left to do, and done with its last step, not with the job.
  void settle(KernelReport& kernel) const {
    if (kernel.progress == Progress::failed) return;
    kernel.progress = Progress::done;
    for (const StageRow& row : stageRows()) {
      const Steps all = steps(report_, kernel, row.stage);
      if (all.done >= all.due) continue;
      kernel.progress = Progress::at(row.stage);
      return;
    }
  }

  Report& report_;
};

}  // namespace

Report startReport(const Job& job) {
  Report report;
  static_cast<RunPlan&>(report) = job;
  for (const KernelSource& source : job.kernels) {
    KernelReport kernel;
    kernel.source = source;
    const Language* language = languageOf(source);
    kernel.language = language ? std::string(language->id) : source.language;
    report.kernels.emplace_back(std::move(kernel));
  }
  return report;
}

void fold(Report& report, const Event& event) {
  std::visit(Folder(report), event);
}

bool isDiscredited(const KernelReport& kernel) {
  return kernel.cases.size() > 0 && kernel.cases[0].check.verdict == Verdict::tampered;
}

void planCases(Report& report, std::uint32_t kernel, const std::vector<Case>& cases) {
  if (kernel < report.kernels.size()) Folder(report).plan(report.kernels[kernel].write(), cases);
}

std::string_view name(const Progress& progress) {
  switch (progress.state) {
    case Progress::State::waiting:
      return "waiting";
    case Progress::State::underWay:
      return stageRow(progress.stage).doing;
    case Progress::State::done:
      return "done";
    case Progress::State::failed:
      return "failed";
  }
  return "";
}

Steps steps(const Report& report, const KernelReport& kernel, Stage stage) {
  const Counts& counts = kernel.counts;
  if (!report.stages.has(stage)) return {};
  switch (stage) {
    case Stage::compile:
      return {kernel.compiled ? 1 : 0, 1};
    case Stage::check:
      return {counts.checked, counts.total};
    case Stage::time:
      return {counts.timed, counts.toTime};
    case Stage::profile: {
      const ProfilePlan& plan = report.profile;
      if (!plan.indices.empty()) return {counts.profiled, static_cast<int>(plan.indices.size())};
      const int able = report.stages.has(Stage::check) ? counts.passed : counts.total;
      return {counts.profiled, std::min(plan.cases, able)};
    }
    default: {
      const StageRow& row = stageRow(stage);
      return row.scope == Scope::perKernel ? Steps{isOver(kernel, row) ? 1 : 0, 1} : Steps{};
    }
  }
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

}  // namespace wb

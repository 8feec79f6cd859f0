// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "core/base/quantity.h"
#include "core/figures/cells.h"
#include "core/figures/figures.h"
#include "core/figures/ran.h"
#include "core/figures/verdict/run_speedup.h"
#include "core/model/pace.h"

namespace wb {

namespace {

constexpr std::string_view nothing = "–";

/// Everything that the cards are made of, gathered in one walk over the cases.
struct Facts {
  std::map<Verdict, int> verdicts;
  /// The seconds of one call of each timed case, added up, without those whose times say nothing.
  double reference = 0, candidate = 0;
  /// `flagged` are cases that passed, as an answer without work would; `narrow` those that passed although
  /// the kernel is wrong with other shapes or values.
  int timed = 0, noisy = 0, flagged = 0, narrow = 0;
  /// The case with the largest absolute error.
  const CaseRow* worst = nullptr;
  /// How many kernels have times that do not count, because they crashed.
  int unscored = 0;
  bool live = false;
  /// Why nothing ran, where a kernel was only compiled.
  std::string note;
  /// Why the first case that does not count does not.
  std::string whyVoid;
};

bool worse(double a, double b) {
  return std::isnan(a) ? !std::isnan(b) : a > b;
}

Facts gather(const Report& report) {
  Facts facts;
  for (const auto& kernel : report.kernels) {
    facts.live = facts.live || underWay(report, *kernel);
    if (kernel->compiled && facts.note.empty()) facts.note = kernel->compiled->note;
    facts.unscored += scored(report, *kernel) ? 0 : 1;
    forEachCase(*kernel, [&](std::size_t, const CaseRow& row) {
      ++facts.verdicts[row.check.verdict];
      if (row.check.verdict == Verdict::invalid && facts.whyVoid.empty()) facts.whyVoid = row.check.message;
      facts.flagged += row.check.verdict == Verdict::pass && !row.check.trivial.empty();
      facts.narrow += row.check.verdict == Verdict::pass && !row.check.elsewhere.empty();
      // Where a void case's sides differ says nothing, as where both draw other numbers.
      if (row.check.errors && row.check.verdict != Verdict::invalid &&
          (facts.worst == nullptr || worse(row.check.errors->maxAbs, facts.worst->check.errors->maxAbs)))
        facts.worst = &row;
      if (!row.timing) return;
      if (!hasInterval(row.timing->speedup)) return void(++facts.noisy);
      facts.reference += row.timing->reference;
      facts.candidate += row.timing->candidate;
      ++facts.timed;
    });
  }
  return facts;
}

/// The short reason why a number is missing.
std::string reason(const Report& report, const Facts& facts) {
  if (report.failure) return firstLine(report.failure->text, 100);
  if (!facts.note.empty()) return facts.note;
  for (const auto& kernel : report.kernels)
    if (kernel->failure)
      return kernel->failure->stage == Stage::compile ? "does not compile"
                                                      : firstLine(kernel->failure->text, 100);
  if (report.kernels.empty()) return "nothing to run";
  if (facts.live) return "waiting";
  if (report.outcome == Outcome::cancelled) return "cancelled before";
  if (report.outcome == Outcome::workerLost) return "the worker was lost before";
  if (std::string why = whyNotTimed(report); !why.empty()) return why;
  if (facts.timed + facts.noisy > 0) return "too noisy to tell";
  return "no case passed";
}

/// "crashed in 1 case", for the kernels whose times do not count.
std::string crashText(const Report& report, const Facts& facts) {
  if (facts.unscored != 1 || report.kernels.size() > 1)
    return fmt::format("{} crashed", plural(facts.unscored, "kernel", "kernels"));
  const int hung = facts.verdicts.contains(Verdict::hung) ? facts.verdicts.at(Verdict::hung) : 0;
  const int crashed = facts.verdicts.contains(Verdict::crashed) ? facts.verdicts.at(Verdict::crashed) : 0;
  return crashed > 0 ? fmt::format("crashed in {}", plural(crashed, "case", "cases"))
                     : fmt::format("hung in {}", plural(hung, "case", "cases"));
}

/// A shorter reason for the cards after the first one that gives it.
std::string shortReason(const Report& report, const Facts& facts) {
  if (report.failure || !facts.note.empty()) return "not run";
  return reason(report, facts);
}

Card speedupCard(const Report& report, const Facts& facts) {
  Card card{"speedup", "Speedup", std::string(nothing), "", Tone::muted};
  const RunSpeedup speedup = runSpeedup(report);
  if (speedup.isOfTheBest) card.title = "Best speedup";
  if (speedup.summary.cases == 0) {
    if (speedup.unscored > 0 && report.stages.has(Stage::time)) {
      card.value = "not scored";
      card.tone = Tone::bad;
      card.detail = crashText(report, facts);
    } else if (!speedup.whyNone.empty()) {
      card.tone = Tone::warning;
      card.detail = speedup.whyNone;
    } else {
      card.detail = report.stages.has(Stage::time) ? reason(report, facts) : "timing was not asked for";
    }
    return card;
  }
  const SpeedupSummary& summary = speedup.summary;
  card.value = formatRatio(summary.geomean);
  card.tone = toneOf(summary);
  card.detail =
      (speedup.whose.empty() ? "" : speedup.whose + " · ") + intervalText(summary.low, summary.high);
  if (summary.cases > 1)
    card.detail +=
        fmt::format(" · faster on {} of {}{}", formatCount(summary.faster), formatCount(summary.cases),
                    counts(report).failed > 0 ? " that are right" : "");
  else
    card.detail += fmt::format(" · {}", name(speedup.pace));
  if (const std::string devices = devicesText(report); !devices.empty()) card.detail += " · " + devices;
  if (facts.unscored > 0) card.detail += fmt::format(" · {}, not scored", crashText(report, facts));
  if (const std::string more = leftOutText(speedup); !more.empty()) {
    card.detail += " · " + more;
    if (card.tone == Tone::good) card.tone = Tone::warning;
  }
  if (facts.live) card.detail += " so far";
  return card;
}

/// Which workers were lost by no fault of a kernel.
std::string ourLosses(const Report& report) {
  const auto ours = std::count_if(report.losses.begin(), report.losses.end(),
                                  [](const WorkerLost& lost) { return lost.blame == Blame::warpbench; });
  return ours == 0 ? std::string()
                   : fmt::format("Warpbench lost {} of its own", plural(ours, "worker", "workers"));
}

Card correctCard(const Report& report, const Facts& facts) {
  Card card{"correct", "Correct", std::string(nothing), "", Tone::muted};
  const Counts all = counts(report);
  const int scored = all.passed + all.failed;
  if (scored == 0) {
    card.detail = report.stages.has(Stage::check) ? shortReason(report, facts) : "checking was not asked for";
    if (!facts.live && facts.note.empty() && (all.neutral > 0 || all.checked > 0))
      card.detail =
          "no case that counts" + (facts.whyVoid.empty() ? "" : ": " + firstLine(facts.whyVoid, 100));
    return card;
  }
  card.value = fmt::format("{} of {}", formatCount(all.passed), formatCount(scored));
  card.tone = all.failed > 0 ? Tone::bad : Tone::good;
  std::vector<std::pair<Verdict, int>> rest;
  for (const auto& [verdict, count] : facts.verdicts)
    if (verdict != Verdict::pass && verdict != Verdict::notRun) rest.emplace_back(verdict, count);
  // What fails most comes first, what does not count last.
  std::stable_sort(rest.begin(), rest.end(), [](const auto& a, const auto& b) {
    const bool failA = tally(a.first) == Tally::fail, failB = tally(b.first) == Tally::fail;
    return failA != failB ? failA : a.second > b.second;
  });
  const auto say = [&card](const std::string& text) {
    card.detail += (card.detail.empty() ? "" : " · ") + text;
  };
  for (const auto& [verdict, count] : rest) say(fmt::format("{} {}", formatCount(count), name(verdict)));
  const auto waiting = facts.verdicts.find(Verdict::notRun);
  if (waiting != facts.verdicts.end())
    say(fmt::format("{} {}", formatCount(waiting->second), facts.live ? "to go" : "not run"));
  if (facts.flagged > 0)
    say(fmt::format("{} flagged: an answer without work would pass", formatCount(facts.flagged)));
  if (facts.narrow > 0)
    say(fmt::format("{} flagged: wrong with other shapes or values", formatCount(facts.narrow)));
  if (card.detail.empty()) card.detail = "every case passes";
  if (const std::string ours = ourLosses(report); !ours.empty()) {
    say(ours);
    if (card.tone == Tone::good) card.tone = Tone::warning;
  }
  return card;
}

Card errorCard(const Report& report, const Facts& facts) {
  Card card{"error", "Max error", std::string(nothing), "", Tone::muted};
  if (facts.worst == nullptr) {
    card.detail = !report.stages.has(Stage::check) ? "checking was not asked for"
                  : counts(report).passed > 0      ? "no error was measured"
                                                   : shortReason(report, facts);
    return card;
  }
  const CaseCheck& check = facts.worst->check;
  card.value = formatError(check.errors->maxAbs);
  card.tone = tally(check.verdict) == Tally::fail ? Tone::bad : Tone::neutral;
  if (check.errors->maxAbs == 0 && check.verdict == Verdict::pass)
    card.detail = "every element equals the reference";
  else
    card.detail = fmt::format("tolerance {} · {}", toleranceText(check.rtol, check.atol),
                              caseLabel(facts.worst->definition));
  return card;
}

Card timeCard(const Report& report, const Facts& facts) {
  Card card{"time", "Candidate time", std::string(nothing), "", Tone::muted};
  if (facts.timed == 0) {
    card.detail = report.stages.has(Stage::time) ? shortReason(report, facts) : "timing was not asked for";
    return card;
  }
  card.value = formatSeconds(facts.candidate);
  card.tone = Tone::neutral;
  card.detail = "reference " + formatSeconds(facts.reference);
  if (facts.timed > 1) card.detail += fmt::format(" · sum over {} cases", formatCount(facts.timed));
  return card;
}

Card buildCard(const Report& report) {
  Card card{"build", "Build", std::string(nothing), "", Tone::muted, true};
  double seconds = 0;
  int built = 0, cached = 0, failed = 0, registers = 0, spills = 0;
  std::set<std::string> toolchains;
  for (const auto& kernel : report.kernels) {
    if (kernel->failure && kernel->failure->stage == Stage::compile) ++failed;
    if (!kernel->compiled) continue;
    ++built;
    cached += kernel->compiled->cached ? 1 : 0;
    seconds += kernel->compiled->seconds;
    if (!kernel->compiled->toolchain.empty()) toolchains.insert(kernel->compiled->toolchain);
    for (const Artifact& artifact : kernel->compiled->artifacts) {
      registers = std::max(registers, artifact.registers);
      spills = std::max(spills, artifact.spillLoads + artifact.spillStores);
    }
  }
  const auto say = [&card](const std::string& text) {
    card.detail += (card.detail.empty() ? "" : " · ") + text;
  };
  if (failed > 0) {
    card.value = "failed";
    card.tone = Tone::bad;
    if (report.kernels.size() > 1) say(fmt::format("{} of {} kernels", failed, report.kernels.size()));
    std::int64_t errors = 0;
    for (const auto& kernel : report.kernels)
      errors += std::count_if(kernel->diagnostics.begin(), kernel->diagnostics.end(),
                              [](const Diagnostic& d) { return d.severity == Severity::error; });
    if (errors > 0) say(plural(errors, "error", "errors"));
    return card;
  }
  if (built == 0) {
    const bool compiling = std::any_of(report.kernels.begin(), report.kernels.end(), [](const auto& kernel) {
      return kernel->progress == Progress::at(Stage::compile);
    });
    card.detail = compiling ? "compiling" : "not built yet";
    if (report.outcome != Outcome::running || report.failure) card.detail = "not built";
    if (report.kernels.empty()) card.detail = "nothing to run";
    return card;
  }
  card.value = formatSeconds(seconds);
  card.tone = spills > 0 ? Tone::warning : Tone::neutral;
  if (cached == built)
    say("cached");
  else if (cached > 0)
    say(fmt::format("{} of {} cached", cached, built));
  if (toolchains.size() == 1) say(*toolchains.begin());
  if (registers > 0) {
    say(plural(registers, "register", "registers"));
    say(spills > 0 ? formatBytes(spills) + " of spills" : "no spills");
  }
  return card;
}

}  // namespace

Cards headline(const Report& report) {
  const Facts facts = gather(report);
  Cards cards{"headline",
              {speedupCard(report, facts), correctCard(report, facts), errorCard(report, facts),
               timeCard(report, facts), buildCard(report)}};
  for (Card& card : ranCards(report)) cards.cards.push_back(std::move(card));
  return cards;
}

}  // namespace wb

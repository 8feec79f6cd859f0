// SPDX-License-Identifier: Apache-2.0
#include "core/engine/pipeline/host_guard.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <future>
#include <string_view>
#include <utility>

#include "core/base/quantity.h"
#include "core/base/text.h"
#include "core/engine/compile/host/build_cache.h"
#include "core/engine/sides/operator_watch.h"

namespace wb {

namespace {

constexpr std::size_t mostNamed = 6;
/// Threads of the kernel's own that go to sleep after its call use less of the reference's time.
constexpr double mostOfAProcessor = 0.25;
/// So much a process that sleeps may work now and then, in seconds and as a share of a case's time. Of those
/// that have ended some are Warpbench's own, which look at the kernel from outside.
constexpr double mostWorked = 1e-3, shareWorked = 0.002, shareWorkedByEnded = 0.15;

void append(std::vector<std::string>& to, const std::vector<std::string>& more) {
  to.insert(to.end(), more.begin(), more.end());
}

/// What a kernel has changed below torch's dispatcher.
std::vector<std::string> changedIn(const Untouched& before) {
  std::vector<std::string> changed;
  for (const std::string& library : {before.code.changed(), before.torchs.changedCode()})
    if (!library.empty()) changed.push_back("code of " + library);
  if (std::string table = before.torchs.changedTable(); !table.empty()) changed.push_back(std::move(table));
  return changed;
}

EngineState& withUntouched(EngineState& state) {
  if (!state.untouched) state.untouched.emplace();
  return state;
}

/// Whether files can be opened: most of what a kernel leaves is read in them.
bool canLook() {
  const int file = ::open("/proc/self/stat", O_RDONLY | O_CLOEXEC);
  if (file >= 0) ::close(file);
  return file >= 0;
}

/// In the words of warpbench_traces.py. A kernel may set one for a library of its own.
constexpr std::string_view environmentVariable = "the environment variable";

constexpr const char* notLooked =
    "not scored: the kernel uses up the process's file descriptors, so that nobody can see what it does";

}  // namespace

HostGuard::HostGuard(EngineState& state, Compiler& compiler, const std::string& op, const Turns& turns,
                     const Job& job, const SealedJob& sealed)
    : state_(withUntouched(state)),
      compiler_(compiler),
      dispatcher_(state_.untouched->operators, op),
      turns_(turns),
      job_(job),
      sealed_(sealed) {
  states().forget();
  if (const std::string file = state_.untouched->files.changedInThisRun(); !file.empty())
    tampered_ = fmt::format(
        "the file {} was changed since this run began, and this process has loaded it: no verdict can be "
        "believed",
        file);
  // This is last, since it would outlive a guard that could not be made.
  tellOfWatches([this](bool watched) { compiler_.referenceTells(watched); });
}

HostGuard::~HostGuard() {
  tellOfWatches({});
}

void HostGuard::forgetLooks() {
  if (turns_.begun() == std::exchange(seenAt_, turns_.begun())) return;
  seenPatched_.reset();
  seenBelow_.reset();
}

const std::vector<std::string>& HostGuard::patched() {
  forgetLooks();
  if (!seenPatched_) {
    RuntimeTraces traces = compiler_.traces();
    append(putBack_, traces.changed);
    seenPatched_ = std::move(traces.patched);
  }
  return *seenPatched_;
}

std::string HostGuard::tampered(const Case& definition, std::uint32_t number) {
  if (changedJob_.empty() && sealed_.isOther(definition, number)) changedJob_ = "the job's cases";
  return tampered();
}

std::string HostGuard::tampered() {
  if (!tampered_.empty()) return tampered_;
  if (changedJob_.empty()) changedJob_ = sealed_.changed(job_);
  if (!changedJob_.empty())
    return tampered_ =
               fmt::format("the kernel writes to {} in Warpbench's memory: no verdict on it can be believed",
                           changedJob_);
  std::string found = dispatcher_.replacedSoFar();
  if (found.empty()) found = state_.untouched->torchs.changedTable();
  if (found.empty() && ownReference_)
    if (const std::vector<std::string> now = patched(); !now.empty()) found = listed(now, mostNamed);
  if (!found.empty())
    tampered_ =
        fmt::format("the kernel replaces {}: the reference would be its own code, not torch's", found);
  return tampered_;
}

const std::vector<std::string>& HostGuard::changedBelow() {
  forgetLooks();
  if (!seenBelow_) seenBelow_ = changedIn(*state_.untouched);
  return *seenBelow_;
}

/// To look at memory takes as long as to look at Python's objects, and needs nothing that these hold.
void HostGuard::lookAtBoth() {
  forgetLooks();
  std::future<std::vector<std::string>> below;
  // Where there can be no thread, it is done when it is asked for.
  if (!seenBelow_)
    below = std::async(std::launch::async | std::launch::deferred, changedIn, std::cref(*state_.untouched));
  patched();
  if (below.valid()) seenBelow_ = below.get();
}

std::string HostGuard::replacements(const std::vector<std::string>& below) {
  if (tampered_.empty() && !sealed_.changed(job_).empty()) (void)tampered();
  if (!tampered_.empty()) return tampered_;
  std::vector<std::string> now = patched();
  append(now, below);
  if (std::string found = dispatcher_.replaced(); !found.empty()) now.push_back(std::move(found));
  return now.empty() ? std::string()
                     : fmt::format("not scored: the kernel replaces {}", listed(now, mostNamed));
}

std::string HostGuard::notScored() {
  if (!canLook()) return notLooked;
  workedBefore_ = state_.untouched->traces.worked();
  ownForksWorked_ = 0;
  timedSince_ = std::chrono::steady_clock::now();
  append(putBack_, state_.untouched->places.putBack().changed);
  const PutBack memory = state_.untouched->memory.putBack();
  append(putBack_, memory.changed);
  if (!memory.stuck.empty())
    return fmt::format("not scored: the kernel sets up {}, which the reference pays for too",
                       listed(memory.stuck, mostNamed));
  // What is changed below torch's dispatcher is looked for when the times are taken: a page that somebody has
  // written to stays this process's own, whatever is written to it later, and to look takes milliseconds.
  return replacements({});
}

/// Who sleeps whenever somebody looks may have worked for the kernel, or against the reference.
std::string HostGuard::workedMeanwhile() const {
  const Traces::Worked now = state_.untouched->traces.worked();
  double living = 0, ended = -ownForksWorked_;
  for (const auto& [process, seconds] : now) {
    const auto before = workedBefore_.find(process);
    (process == 0 ? ended : living) += seconds - (before == workedBefore_.end() ? 0 : before->second);
  }
  const std::chrono::duration<double> all = std::chrono::steady_clock::now() - timedSince_;
  const bool areMany = state_.options.device == "cpu" && ended > shareWorkedByEnded * all.count();
  if (!areMany && living < std::max(mostWorked, shareWorked * all.count())) return {};
  return fmt::format("not scored: processes of the kernel's worked for {} while it was timed",
                     formatSeconds(living + (areMany ? ended : 0)));
}

std::string HostGuard::disturbed() {
  if (!canLook()) return notLooked;
  const Untouched& before = *state_.untouched;
  const auto ran = [](const std::string& what) {
    return fmt::format("not scored: {} of the kernel's ran while the reference was timed", what);
  };
  if (const std::string running = before.traces.running(states().threads()); !running.empty())
    return ran(running);
  if (const double share = states().takeThreadShare(); share > mostOfAProcessor)
    return fmt::format(
        "not scored: threads of the kernel's used {} of a processor while the reference was timed",
        formatPercent(share));
  if (const std::string timers = before.traces.timers(); !timers.empty()) return ran(timers);
  if (std::string worked = workedMeanwhile(); !worked.empty()) return worked;
  std::vector<std::string> moved = before.places.putBack().changed;
  append(moved, before.memory.putBack().changed);
  if (!moved.empty()) {
    append(putBack_, moved);
    return fmt::format("not scored: the kernel changes {} while it is timed", listed(moved, mostNamed));
  }
  if (const std::string handler = before.traces.faultHandler(); !handler.empty())
    return fmt::format(
        "not scored: the kernel serves page faults ({}): it could do its work after the clock has "
        "stopped",
        handler);
  const std::size_t known = putBack_.size();
  lookAtBoth();
  // What Python was told before the case was timed has been put back then.
  std::vector<std::string> told(putBack_.begin() + static_cast<std::ptrdiff_t>(known), putBack_.end());
  std::erase_if(told, [](const std::string& each) { return each.starts_with(environmentVariable); });
  if (!told.empty())
    return fmt::format("not scored: the kernel changes {} while it is timed", listed(told, mostNamed));
  return replacements(changedBelow());
}

std::string HostGuard::changedProblem(const std::filesystem::path& own, bool all) {
  if (!state_.problems) return {};
  const std::string file = all ? state_.problems->changed() : state_.problems->changed(own);
  if (file.empty()) return {};
  return fmt::format("changes in the problem's file {} ({}unless somebody else has saved it meanwhile)", file,
                     file == own ? "" : "by this kernel or one before it, ");
}

HostGuard::Verdict HostGuard::end(const std::filesystem::path& problem, bool isLast,
                                  const std::vector<std::string>& newFiles) {
  Verdict verdict;
  states().enter(false);
  // There are thousands of files, so that this takes as long as all the rest.
  auto file = std::async(std::launch::async | std::launch::deferred,
                         [this] { return state_.untouched->files.changed(); });
  lookAtBoth();
  std::vector<std::string> stuck = patched();
  if (!canLook()) stuck.emplace_back("no file descriptors");
  const PutBack places = state_.untouched->places.putBack();
  const PutBack memory = state_.untouched->memory.putBack();
  const PutBack back = state_.untouched->traces.putBack(states().threads());
  const std::string replaced = dispatcher_.replaced();
  std::vector<std::string> changed = states().changed();
  append(changed, putBack_);
  append(changed, back.changed);
  append(changed, places.changed);
  append(changed, memory.changed);
  std::sort(changed.begin(), changed.end());
  changed.erase(std::unique(changed.begin(), changed.end()), changed.end());
  if (!changed.empty())
    verdict.warnings.push_back(fmt::format(
        "The kernel changes {}. The reference and the next kernel run with what was set before it.",
        listed(changed, mostNamed)));
  append(stuck, back.stuck);
  append(stuck, places.stuck);
  append(stuck, memory.stuck);
  for (const std::string& what : changedBelow()) stuck.push_back("changes in " + what);
  if (!replaced.empty()) stuck.push_back(replaced);
  if (!changedJob_.empty()) stuck.push_back("changes in " + changedJob_);
  if (const std::string other = file.get(); !other.empty())
    stuck.push_back("changes in the file " + other + ", which later runs load too");
  if (const std::string library = state_.untouched->libraries.found(); !library.empty())
    stuck.push_back("functions of " + library + " for all that is loaded later");
  if (!newFiles.empty())
    stuck.push_back(
        fmt::format("new files where later runs look for theirs ({})", listed(newFiles, mostNamed)));
  // The next kernel gets another process then, which does not know what the files were.
  const bool isLastHere = isLast || !stuck.empty() || Traces::remain(states().threads());
  if (std::string other = changedProblem(problem, isLastHere); !other.empty())
    stuck.push_back(std::move(other));
  if (const std::string beside = isLastHere && state_.problems ? state_.problems->changedBeside() : "";
      !beside.empty())
    verdict.warnings.push_back(fmt::format(
        "While this run went on {} was changed, which a problem mentions. Unless you have saved it "
        "yourself, look at it: later runs stand against what it says now.",
        beside));
  if (!stuck.empty())
    verdict.warnings.push_back(fmt::format(
        "The kernel leaves behind what cannot be undone: {}. The next kernel runs in a fresh process.",
        listed(stuck, mostNamed)));
  BuildCache::removeChanged();
  verdict.spoiled = !stuck.empty() || Traces::remain(states().threads());
  states().forget();
  return verdict;
}

}  // namespace wb

// SPDX-License-Identifier: Apache-2.0
#include "core/runner/ahead/ahead_run.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <map>
#include <utility>

#include "core/base/quantity.h"
#include "core/model/languages.h"
#include "core/model/log_sources.h"
#include "core/run/at_work.h"

namespace wb {

namespace {

/// Beside compiling: to make the precompiled header once takes a compiler up to minutes.
constexpr double slackSeconds = 320;

std::vector<bool> whoCompiles(const std::vector<AheadRun::Place>& places) {
  std::vector<bool> all;
  all.reserve(places.size());
  for (const auto& place : places) all.push_back(place.compiles);
  return all;
}

std::string titleOfLanguage(const std::string& id) {
  const Language* const language = findLanguage(id);
  return std::string(language == nullptr ? id : language->title);
}

bool isSendable(const BuiltFile& file) {
  return file.content.size() + file.about.size() <= largestBuiltFile;
}

}  // namespace

AheadRun::AheadRun(const Job& job, const Report& report, JobParts& parts, std::vector<Place> places, Say say)
    : job_(job),
      parts_(parts),
      places_(std::move(places)),
      say_(std::move(say)),
      farm_(job, report, whoCompiles(places_)),
      tasks_(places_.size()) {}

void AheadRun::sayWhoCompiles() const {
  for (const Place& place : places_) {
    if (!place.compiles) continue;
    say_(placeSource,
         farm_.hasWork()
             ? fmt::format("{} runs no cases of this run: it compiles ahead for the others what it can.",
                           place.name)
             : fmt::format(
                   "{} does nothing in this run: it runs none of its cases, and there is nothing that can "
                   "be compiled ahead.",
                   place.name));
  }
}

void AheadRun::say(const CompileFarm::Decision& decision) const {
  const std::string& builder = places_[decision.builder].name;
  const std::string& architecture = farm_.facts(decision.target).architecture;
  const std::string target =
      places_[decision.target].name + (architecture.empty() ? "" : fmt::format(" ({})", architecture));
  const auto titles = [](const std::vector<std::string>& ids) {
    std::vector<std::string> all;
    all.reserve(ids.size());
    for (const std::string& id : ids) all.push_back(titleOfLanguage(id));
    return fmt::format("{}", fmt::join(all, " and "));
  };
  if (!decision.languages.empty())
    say_(placeSource,
         fmt::format("{} compiles {} ahead for {}.", builder, titles(decision.languages), target));
  std::map<std::string, std::vector<std::string>> refused;
  for (const auto& [language, why] : decision.refused) refused[why].push_back(language);
  for (const auto& [why, languages] : refused)
    say_(placeSource,
         fmt::format("{} does not compile {} ahead for {}: {}.", builder, titles(languages), target, why));
}

void AheadRun::know(std::size_t place, const BuildFacts& facts) {
  for (const CompileFarm::Decision& decision : farm_.know(place, facts)) say(decision);
}

std::optional<CompileAhead> AheadRun::handOver(std::size_t place, const std::vector<std::uint32_t>& waiting) {
  auto task = farm_.next(place, waiting);
  if (!task) return std::nullopt;
  tasks_[place].began = Clock::now();
  tasks_[place].before =
      tasks_[place].began + std::chrono::duration_cast<Clock::duration>(
                                std::chrono::duration<double>(job_.limits.compileSeconds + slackSeconds));
  JobWork work;
  work.kernels.push_back({.kernel = task->kernel});
  return CompileAhead{parts_.of(std::move(work)), std::move(task->architecture)};
}

std::string AheadRun::overdue() const {
  return fmt::format("did not finish within {}", formatSeconds(job_.limits.compileSeconds + slackSeconds));
}

void AheadRun::forgive(Clock::duration gap) {
  for (Task& task : tasks_) task.before += gap;
}

void AheadRun::take(std::size_t place, BuiltFile file) {
  if (!farm_.isAtWork(place)) return;
  const std::string kernel = shortNameOf(job_.kernels[farm_.kernelAt(place)]);
  if (!isSendable(file))
    return say_(
        "compiler",
        fmt::format("{}: what {} has built is {} large, and at most {} are sent to others. It is compiled "
                    "again where it runs.",
                    kernel, builderName(place), formatBytes(static_cast<double>(file.content.size())),
                    formatBytes(static_cast<double>(largestBuiltFile))));
  if (!farm_.take(place, std::move(file)))
    say_("compiler",
         fmt::format("{}: what {} has built is not kept, since so much is kept already. It is compiled "
                     "again where it runs.",
                     kernel, builderName(place)));
}

void AheadRun::end(std::size_t place) {
  if (!farm_.isAtWork(place)) return;
  const std::uint32_t kernel = farm_.kernelAt(place);
  const bool isBuilt = farm_.hasBuilt(place);
  farm_.end(place);
  if (!isBuilt) return;
  const std::chrono::duration<double> took = Clock::now() - tasks_[place].began;
  say_("compiler", fmt::format("{}: built ahead on {} in {}", shortNameOf(job_.kernels[kernel]),
                               builderName(place), formatSeconds(took.count())));
}

void AheadRun::lose(std::size_t place, const std::string& reason) {
  const bool hadWork = farm_.isAtWork(place);
  const std::string what = hadWork
                               ? fmt::format("while it compiled {} ahead, which is compiled where it runs",
                                             shortNameOf(job_.kernels[farm_.kernelAt(place)]))
                               : "while it had nothing to do";
  const bool isOut = farm_.lose(place);
  say_(placeSource, fmt::format("The worker on {} was lost {}: {}.{}", places_[place].name, what, reason,
                                isOut ? " It compiles nothing more in this run." : ""));
}

std::string AheadRun::builderName(std::size_t place) const {
  const std::string& title = places_[place].title;
  return title.empty() && farm_.isKnown(place) ? farm_.facts(place).host : title;
}

std::vector<Built> AheadRun::builtFor(std::size_t place, const JobWork& work) const {
  std::vector<Built> all;
  for (const KernelWork& kernel : work.kernels)
    if (const auto* built = farm_.built(place, kernel.kernel); built != nullptr)
      for (const auto& file : built->files) all.push_back({*file, builderName(built->builder), 0});
  return all;
}

}  // namespace wb

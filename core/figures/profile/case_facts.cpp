// SPDX-License-Identifier: Apache-2.0
#include "core/figures/profile/case_facts.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "core/base/quantity.h"
#include "core/base/text.h"
#include "core/figures/cells.h"
#include "core/figures/profile/launch_facts.h"
#include "core/figures/profile/profile_facts.h"

namespace wb {

namespace {

std::int64_t metricCount(const SideProfile& side) {
  std::size_t most = 0;
  for (const Launch& launch : side.launches) most = std::max(most, launch.metrics.size());
  return static_cast<std::int64_t>(most);
}

/// The profile of this case; null without a case or a profile.
const CaseProfile* profileOf(const Report& report, OneCase key) {
  if (!key) return nullptr;
  const std::vector<ProfiledCase> cases = casesWithProfile(report, key);
  return cases.empty() ? nullptr : cases.front().profile;
}

/// What the worker said of a case, each sentence once.
std::vector<std::string> notesOf(const CaseProfile& profile) {
  std::vector<std::string> notes;
  const auto add = [&notes](const std::string& note) {
    if (!note.empty() && std::find(notes.begin(), notes.end(), note) == notes.end()) notes.push_back(note);
  };
  add(profile.notProfiled);
  for (const SideProfile* side : {&profile.candidate, &profile.reference})
    for (const std::string& note : side->notes) add(note);
  return notes;
}

/// The launch with this row id, else the candidate's longest.
const Launch* launchOf(const Report& report, CaseKey key, std::string_view id) {
  const std::vector<ProfiledCase> cases = casesWithProfile(report, key);
  if (cases.empty()) return nullptr;
  for (const Side side : {Side::candidate, Side::reference}) {
    const std::vector<Launch>& launches = cases.front().side(side).launches;
    for (std::size_t i = 0; i < launches.size(); ++i)
      if (id == fmt::format("{}/{}/{}", cases.front().rowId(), name(side), i)) return &launches[i];
  }
  return longestLaunch(cases.front().profile->candidate);
}

}  // namespace

std::string profileSummary(const Report& report, OneCase key) {
  const CaseProfile* profile = profileOf(report, key);
  if (profile == nullptr) return {};
  const SideProfile &ours = profile->candidate, &theirs = profile->reference;
  std::string text;
  const auto add = [&text](const std::string& part) { text += (text.empty() ? "" : " · ") + part; };
  const int passes = std::max(ours.passes, theirs.passes);
  if (const std::int64_t metrics = std::max(metricCount(ours), metricCount(theirs)); metrics > 0)
    add(formatCount(metrics) + " metrics" +
        (passes > 0 ? " in " + plural(passes, "pass", "passes") : std::string()) +
        (ours.caches != CacheState::unknown ? fmt::format(", {} L2", name(ours.caches)) : std::string()));
  if (const std::int64_t samples = samplesOf(ours); samples > 0) add(formatCount(samples) + " samples");
  if (const double seconds = ours.seconds + theirs.seconds; seconds > 0) add(formatSeconds(seconds));
  return text;
}

std::optional<Notice> profileNotice(const Target& target, const Report* report, OneCase key) {
  std::vector<std::string> notes;
  if (const CaseProfile* profile = report ? profileOf(*report, key) : nullptr) notes = notesOf(*profile);
  if (!target.counters.empty()) {
    std::erase_if(notes, [&](const std::string& note) { return note.find(target.counters) != note.npos; });
    std::string remedy = target.counters;
    if (remedy[0] >= 'a' && remedy[0] <= 'z') remedy[0] = static_cast<char>(remedy[0] - 'a' + 'A');
    notes.push_back(std::move(remedy));
    notes.emplace_back(
        "The timeline, launches, machine code and the occupancy calculator work all the same.");
    return Notice{"The counters of this device cannot be read", joined(notes, "\n")};
  }
  if (notes.empty()) return std::nullopt;
  std::string first = std::move(notes.front());
  notes.erase(notes.begin());
  return Notice{std::move(first), joined(notes, "\n")};
}

std::optional<Footprint> footprintOf(const Report& report, OneCase key, std::string_view launchId) {
  if (const Launch* launch = key ? launchOf(report, *key, launchId) : nullptr)
    return Footprint{
        shortName(*launch),         threadsOf(*launch),
        launch->registers,          launch->staticShared + launch->dynamicShared,
        report.target.architecture, report.kernels[key->kernel]->cases[key->index].definition.dtype};
  const std::size_t kernel = key ? key->kernel : 0;
  if (kernel >= report.kernels.size() || !report.kernels[kernel]->compiled) return std::nullopt;
  for (const Artifact& artifact : report.kernels[kernel]->compiled->artifacts)
    if (artifact.registers > 0)
      return Footprint{artifact.name,         256,           artifact.registers, artifact.sharedBytes,
                       artifact.architecture, artifact.dtype};
  return std::nullopt;
}

}  // namespace wb

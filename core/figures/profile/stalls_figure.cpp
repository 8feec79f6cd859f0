// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "core/base/quantity.h"
#include "core/base/text.h"
#include "core/figures/cells.h"
#include "core/figures/profile/profile_facts.h"

namespace wb {

namespace {

struct Meaning {
  std::string_view reason, title, text;
};

/// Source: "Warp stall reasons" of the Nsight Compute kernel profiling guide.
constexpr std::array meanings = {
    Meaning{"barrier", "barrier", "waits for the block's other warps at a barrier"},
    Meaning{"branch_resolve", "branch resolving", "waits for a branch's target"},
    Meaning{"branch_resolving", "branch resolving", "waits for a branch's target"},
    Meaning{"dispatch", "dispatch", "the dispatcher holds it back"},
    Meaning{"dispatch_stall", "dispatch", "the dispatcher holds it back"},
    Meaning{"drain", "drain", "has ended, waits for its stores to leave"},
    Meaning{"gmma", "warpgroup matrix", "waits for an asynchronous matrix instruction"},
    Meaning{"imc_miss", "constant cache miss", "waits for a constant or immediate"},
    Meaning{"imc", "constant cache miss", "waits for a constant or immediate"},
    Meaning{"lg_throttle", "LG throttle", "the queue for local and global memory is full"},
    Meaning{"long_scoreboard", "long scoreboard", "waits for global or local memory"},
    Meaning{"math_pipe_throttle", "math pipe throttle", "its arithmetic pipe is busy"},
    Meaning{"math", "math pipe throttle", "its arithmetic pipe is busy"},
    Meaning{"membar", "memory barrier", "waits at a memory fence"},
    Meaning{"mio_throttle", "MIO throttle", "the queue for shared memory and special functions is full"},
    Meaning{"mio", "MIO throttle", "the queue for shared memory and special functions is full"},
    Meaning{"misc", "miscellaneous", "another reason"},
    Meaning{"no_inst", "no instruction", "waits for its next instruction to be fetched"},
    Meaning{"no_instruction", "no instruction", "waits for its next instruction to be fetched"},
    Meaning{"no_instructions", "no instruction", "waits for its next instruction to be fetched"},
    Meaning{"not_selected", "not selected", "ready, another warp was chosen"},
    Meaning{"selected", "selected", "issues an instruction"},
    Meaning{"short_scoreboard", "short scoreboard", "waits for shared memory or a special function"},
    Meaning{"sleeping", "sleeping", "told to sleep"},
    Meaning{"tex_throttle", "texture throttle", "the queue for textures is full"},
    Meaning{"wait", "wait", "a fixed delay of the instruction before"},
    Meaning{"warpgroup_arrive", "warpgroup arrive", "waits for its warpgroup"},
};

const Meaning* meaningOf(std::string_view reason) {
  const auto at = std::find_if(meanings.begin(), meanings.end(),
                               [&](const Meaning& meaning) { return meaning.reason == reason; });
  return at == meanings.end() ? nullptr : &*at;
}

Tone toneOf(std::string_view reason) {
  if (reason == "selected") return Tone::good;
  return reason == "not_selected" ? Tone::muted : Tone::neutral;
}

/// So many reasons have a colour of their own; the others are put together.
constexpr std::size_t mostReasons = 9;
/// So many lines are shown below the whole kernel.
constexpr std::size_t mostLines = 8;

using Sums = std::map<std::string, std::int64_t>;

/// The reasons by the samples that gave them, most first.
std::vector<std::string> reasonsOf(const Sums& sum) {
  std::vector<std::string> reasons;
  for (const auto& [reason, samples] : sum)
    if (samples > 0) reasons.push_back(reason);
  std::stable_sort(reasons.begin(), reasons.end(),
                   [&](const std::string& a, const std::string& b) { return sum.at(a) > sum.at(b); });
  return reasons;
}

std::vector<StackKey> keysOf(const std::vector<std::string>& reasons) {
  std::vector<StackKey> keys;
  for (std::size_t i = 0; i < std::min(reasons.size(), mostReasons); ++i) {
    const Meaning* meaning = meaningOf(reasons[i]);
    keys.push_back({meaning != nullptr ? std::string(meaning->title) : stallText(reasons[i]),
                    meaning != nullptr ? std::string(meaning->text) : std::string(), toneOf(reasons[i])});
  }
  if (reasons.size() > mostReasons) keys.push_back({"other reasons", "all others together", Tone::muted});
  return keys;
}

std::vector<double> sharesOf(const Sums& sum, const std::vector<std::string>& reasons, double all) {
  std::vector<double> shares(std::min(reasons.size(), mostReasons + 1), 0.0);
  for (std::size_t i = 0; i < reasons.size(); ++i)
    if (const auto at = sum.find(reasons[i]); at != sum.end())
      shares[std::min(i, mostReasons)] += static_cast<double>(at->second) / all;
  return shares;
}

/// The samples of the lines with most of them.
std::vector<std::pair<Place, Sums>> hottestLines(const ProfiledCase& one) {
  const SampledCode code(one);
  std::vector<std::pair<Place, Sums>> lines;
  for (const PcSample& sample : one.profile->candidate.samples) {
    const Place place = code.placeOf(sample);
    if (place.line <= 0) continue;
    const auto at = std::find_if(lines.begin(), lines.end(), [&](const auto& line) {
      return line.first.file == place.file && line.first.line == place.line;
    });
    Sums& sum = at == lines.end() ? lines.emplace_back(place, Sums()).second : at->second;
    addStalls(sum, sample);
  }
  const auto total = [](const Sums& sum) {
    std::int64_t samples = 0;
    for (const auto& [reason, count] : sum) samples += count;
    return samples;
  };
  std::stable_sort(lines.begin(), lines.end(),
                   [&](const auto& a, const auto& b) { return total(a.second) > total(b.second); });
  if (lines.size() > mostLines) lines.resize(mostLines);
  return lines;
}

}  // namespace

std::string stallText(std::string_view reason) {
  if (const Meaning* meaning = meaningOf(reason); meaning != nullptr)
    return fmt::format("{}: {}", meaning->title, meaning->text);
  std::string text(reason);
  std::replace(text.begin(), text.end(), '_', ' ');
  return text;
}

StackChart stallChart(const Report& report, OneCase only) {
  StackChart chart;
  chart.id = "stalls";
  chart.title = fmt::format("What the candidate's warps wait for{}", warmedUp);
  chart.axis = "Share of the samples of the program counter";
  for (const ProfiledCase& one : casesWithData(report, only)) {
    const SideProfile& side = one.profile->candidate;
    const auto all = static_cast<double>(samplesOf(side));
    if (all <= 0) continue;
    Sums sum;
    for (const PcSample& sample : side.samples) addStalls(sum, sample);
    const std::vector<std::string> reasons = reasonsOf(sum);
    chart.keys = keysOf(reasons);
    chart.rows.push_back({.label = "all",
                          .detail = fmt::format("{} samples", formatCount(static_cast<std::int64_t>(all))),
                          .shares = sharesOf(sum, reasons, all),
                          .rowId = one.rowId()});
    for (const auto& [place, ofLine] : hottestLines(one)) {
      const bool isOwn = place.file == one.kernel->source.path;
      chart.rows.push_back({.label = isOwn ? fmt::format("line {}", place.line)
                                           : fmt::format("{}:{}", fileNameOf(place.file), place.line),
                            .detail = sourceLine(*one.kernel, place),
                            .shares = sharesOf(ofLine, reasons, all),
                            .rowId = one.rowId(),
                            .place = place});
    }
    chart.title += " · " + caseTitle(report, one.at);
    chart.axis += fmt::format(", {} of them", formatCount(static_cast<std::int64_t>(all)));
    if (side.droppedSamples > 0) chart.axis += fmt::format(", {} lost", formatCount(side.droppedSamples));
    break;
  }
  if (chart.rows.empty()) chart.empty = whyEmpty(report, Need::samples, only);
  return chart;
}

}  // namespace wb

// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "core/base/quantity.h"
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

}  // namespace

std::string stallText(std::string_view reason) {
  if (const Meaning* meaning = meaningOf(reason); meaning != nullptr)
    return fmt::format("{}: {}", meaning->title, meaning->text);
  std::string text(reason);
  std::replace(text.begin(), text.end(), '_', ' ');
  return text;
}

BarChart stallChart(const Report& report, OneCase only) {
  BarChart chart;
  chart.id = "stalls";
  chart.title = fmt::format("What the candidate's warps wait for{}", warmedUp);
  chart.axis = "Share of the samples of the program counter";
  chart.linear = true;
  chart.base = 0;
  for (const ProfiledCase& one : casesWithData(report, only)) {
    const SideProfile& side = one.profile->candidate;
    const auto all = static_cast<double>(samplesOf(side));
    if (all <= 0) continue;
    std::map<std::string, std::int64_t> sum;
    for (const PcSample& sample : side.samples) addStalls(sum, sample);
    for (const auto& [reason, samples] : sum) {
      if (samples <= 0) continue;
      const double share = static_cast<double>(samples) / all;
      Bar bar;
      bar.label = stallText(reason);
      bar.value = bar.low = bar.high = share;
      bar.text = formatPercent(share);
      bar.tone = toneOf(reason);
      bar.rowId = one.rowId();
      chart.bars.push_back(std::move(bar));
    }
    std::stable_sort(chart.bars.begin(), chart.bars.end(),
                     [](const Bar& a, const Bar& b) { return a.value > b.value; });
    chart.title += " · " + caseTitle(report, one.at);
    chart.axis += fmt::format(", {} of them", formatCount(static_cast<std::int64_t>(all)));
    if (side.droppedSamples > 0) chart.axis += fmt::format(", {} lost", formatCount(side.droppedSamples));
    break;
  }
  if (chart.bars.empty()) chart.empty = whyEmpty(report, Need::samples, only);
  return chart;
}

}  // namespace wb

// SPDX-License-Identifier: Apache-2.0
#include "core/figures/advice/evidence.h"

#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include "core/figures/cells.h"
#include "core/figures/profile/launch_facts.h"

namespace wb {

namespace {

/// The share of the samples whose warps waited for one of these; nothing without samples.
std::optional<double> waitingFor(const ProfiledCase& one, std::initializer_list<const char*> reasons) {
  Stalls sum;
  for (const PcSample& sample : one.profile->candidate.samples) addStalls(sum, sample);
  const auto all = static_cast<double>(totalSamples(sum));
  if (all < fewestSamples) return std::nullopt;
  double waiting = 0;
  for (const char* reason : reasons)
    if (const auto at = sum.find(reason); at != sum.end()) waiting += static_cast<double>(at->second);
  return waiting / all;
}

}  // namespace

const Launch* mainLaunch(const ProfiledCase& one) {
  return longestLaunch(one.profile->candidate);
}

std::string ofKernel(const ProfiledCase& one, const Launch& launch) {
  return one.profile->candidate.launches.size() > 1 ? " of " + shortName(launch) : std::string();
}

Place hottestLine(const ProfiledCase& one, std::initializer_list<std::string_view> opcodes) {
  const SampledCode code(one);
  std::map<std::pair<std::string, int>, std::int64_t> lines;
  for (const PcSample& sample : one.profile->candidate.samples) {
    const Instruction* instruction = code.at(sample.function, sample.offset);
    if (instruction == nullptr) continue;
    const auto starts = [&](std::string_view opcode) {
      // A predicate stands before: "@!P0 LDG.E R2, …".
      const std::size_t at = instruction->text.find(opcode);
      return at == 0 || (at != std::string::npos && instruction->text[at - 1] == ' ');
    };
    if (std::none_of(opcodes.begin(), opcodes.end(), starts)) continue;
    const Place place = code.placeOf(sample);
    if (place.line > 0) lines[{place.file, place.line}] += samplesOf(sample);
  }
  const auto most = std::max_element(lines.begin(), lines.end(),
                                     [](const auto& a, const auto& b) { return a.second < b.second; });
  return most == lines.end() ? Place{} : Place{most->first.first, most->first.second, 0};
}

Place firstLine(const ProfiledCase& one, const Launch& launch, std::string_view opcode) {
  const Listing* listing = SampledCode(one).of(launch.function);
  if (listing == nullptr) return {};
  for (const Instruction& instruction : listing->instructions)
    if (instruction.line > 0 && instruction.text.find(opcode) != std::string::npos)
      return {instruction.file.empty() ? one.kernel->source.path : instruction.file, instruction.line, 0};
  return {};
}

double shareOfCall(const ProfiledCase& one) {
  double all = 0;
  for (const Launch& launch : one.profile->candidate.launches) all += secondsOf(launch);
  return all > 0 ? secondsOf(*mainLaunch(one)) / all : 1;
}

std::optional<double> waitingForMemory(const ProfiledCase& one) {
  return waitingFor(one, {"long_scoreboard", "lg_throttle"});
}

std::optional<double> waitingForShared(const ProfiledCase& one) {
  return waitingFor(one, {"short_scoreboard", "mio_throttle"});
}

std::optional<double> memoryShare(const Report& report, const ProfiledCase& one, double* perSecond) {
  const Work work = workOf(one.profile->candidate);
  if (work.dramBytes && work.seconds > 0) {
    *perSecond = *work.dramBytes / work.seconds;
    if (report.ceilings && report.ceilings->dramBytesPerSecond > 0)
      return *perSecond / report.ceilings->dramBytesPerSecond;
  }
  const Launch* launch = mainLaunch(one);
  if (launch == nullptr) return std::nullopt;
  const auto percent = metricOf(*launch, "dram__throughput.avg.pct_of_peak_sustained_elapsed");
  return percent ? std::optional(*percent / 100) : std::nullopt;
}

Busy busiest(const Launch& launch) {
  constexpr std::array units{
      std::pair{"sm__throughput.avg.pct_of_peak_sustained_elapsed",
                "the busiest unit of the multiprocessors"},
      std::pair{"sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_elapsed", "the tensor pipe"},
      std::pair{"sm__inst_executed_pipe_fma.avg.pct_of_peak_sustained_active", "the FMA pipe"},
      std::pair{"sm__inst_executed_pipe_fp64.avg.pct_of_peak_sustained_active", "the FP64 pipe"}};
  Busy most;
  for (const auto& [metric, what] : units)
    if (const auto percent = metricOf(launch, metric); percent && *percent / 100 > most.share)
      most = {what, *percent / 100};
  return most;
}

bool computeIsNearItsCeiling(const ProfiledCase& one) {
  const Launch* launch = mainLaunch(one);
  return launch != nullptr && busiest(*launch).share >= nearCeiling;
}

}  // namespace wb

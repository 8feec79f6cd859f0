// SPDX-License-Identifier: Apache-2.0
#include "core/figures/profile/profile_facts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/base/quantity.h"
#include "core/figures/cells.h"
#include "core/model/cache_state.h"
#include "core/model/metrics/metric_catalogue.h"
#include "core/model/metrics/metric_formulas.h"

namespace wb {

std::string ProfiledCase::rowId() const {
  return fmt::format("{}/{}", at.kernel, at.index);
}

std::vector<ProfiledCase> casesWithProfile(const Report& report, OneCase only) {
  std::vector<ProfiledCase> found;
  for (std::size_t k = 0; k < report.kernels.size(); ++k) {
    if (only && only->kernel != k) continue;
    const KernelReport& kernel = *report.kernels[k];
    if (kernel.counts.profiled == 0 && kernel.progress != Progress::at(Stage::profile)) continue;
    forEachCase(kernel, [&](std::size_t index, const CaseRow& row) {
      if (!row.profile || (only && only->index != index)) return;
      found.push_back({{k, index}, &kernel, &row, &**row.profile});
    });
  }
  return found;
}

std::vector<ProfiledCase> casesWithData(const Report& report, OneCase only) {
  std::vector<ProfiledCase> found = casesWithProfile(report, only);
  std::erase_if(found, [](const ProfiledCase& one) { return !one.profile->notProfiled.empty(); });
  return found;
}

std::vector<CaseKey> profiledCases(const Report& report) {
  std::vector<CaseKey> keys;
  for (const ProfiledCase& one : casesWithProfile(report, {})) keys.push_back(one.at);
  return keys;
}

std::string caseTitle(const Report& report, CaseKey key) {
  if (key.kernel >= report.kernels.size() || key.index >= report.kernels[key.kernel]->cases.size()) return {};
  std::string title = caseLabel(report.kernels[key.kernel]->cases[key.index].definition);
  return report.kernels.size() > 1 ? kernelLabel(report, key.kernel) + ": " + title : title;
}

namespace {

CacheState cachesOf(const ProfiledCase& one) {
  const CaseProfile& profile = *one.profile;
  return profile.candidate.caches != CacheState::unknown ? profile.candidate.caches
                                                         : profile.reference.caches;
}

std::string withCaches(std::string title, CacheState caches) {
  return caches == CacheState::unknown ? std::move(title) : fmt::format("{}, {} L2", title, name(caches));
}

/// The state of the caches that all cases have in common; unknown where they differ.
CacheState commonCaches(const std::vector<ProfiledCase>& cases) {
  const auto differs = [&](const ProfiledCase& one) { return cachesOf(one) != cachesOf(cases.front()); };
  return cases.empty() || std::ranges::any_of(cases, differs) ? CacheState::unknown : cachesOf(cases.front());
}

}  // namespace

std::string countedTitle(std::string title, const std::vector<ProfiledCase>& cases) {
  return withCaches(std::move(title), commonCaches(cases));
}

std::string countedCaseTitle(const Report& report, const ProfiledCase& one,
                             const std::vector<ProfiledCase>& cases) {
  const bool said = commonCaches(cases) != CacheState::unknown;
  return withCaches(caseTitle(report, one.at), said ? CacheState::unknown : cachesOf(one));
}

namespace {

std::string_view whatOf(Need need) {
  switch (need) {
    case Need::counters:
      return "Counters";
    case Need::launches:
      return "Launches";
    case Need::samples:
      return "Samples of the program counter";
    case Need::timeline:
      return "The timeline";
    case Need::listing:
      return "Machine code";
  }
  return "";
}

/// Whether the plan left it out.
bool isLeftOut(const ProfilePlan& plan, Need need) {
  return (need == Need::counters && plan.sections.empty()) || (need == Need::samples && !plan.lines) ||
         (need == Need::timeline && !plan.timeline) || (need == Need::listing && !plan.listing);
}

/// What the worker said of the cases: why there is no profile, or what it had to leave out.
std::string said(const std::vector<ProfiledCase>& cases) {
  std::string all;
  bool data = false;
  const auto say = [&all](const std::string& reason) {
    if (all.find(reason) == std::string::npos) all += (all.empty() ? "" : "; ") + reason;
  };
  for (const ProfiledCase& one : cases) {
    data = data || one.profile->notProfiled.empty();
    for (const std::string& note : one.profile->candidate.notes) say(note);
  }
  if (!data)
    for (const ProfiledCase& one : cases) say(one.profile->notProfiled);
  return all;
}

/// Why a kernel has no code to show although its profile is done, and what to do.
std::string whyNoCode(const Report& report, OneCase only) {
  const std::size_t index = only ? only->kernel : 0;
  const std::string language = index < report.kernels.size() ? report.kernels[index]->language : "";
  if (language == "aten") return "ATen against itself has no code of its own to show";
  if (language == "python")
    return "Python has no machine code of its own: what it calls is torch's. A kernel in Triton, CUDA or C++ "
           "has";
  if (language == "triton")
    return "Triton compiles a kernel when it is launched, and none was: see why no case ran";
  if (language == "torch_cpp")
    return "There is no code to show: objdump did not take it. It comes with the compiler (apt install "
           "binutils)";
  return "There is no machine code to show: nvdisasm did not take it. It comes with Triton (pip install "
         "triton) "
         "and with the CUDA toolkit";
}

}  // namespace

std::string whyEmpty(const Report& report, Need need, OneCase only) {
  if (!report.stages.has(Stage::profile)) return "Not profiled. Profile the kernel to see this.";
  if (isLeftOut(report.profile, need))
    return fmt::format("{} {} not asked for. Choose more for the profile, and profile again.", whatOf(need),
                       need == Need::timeline || need == Need::listing ? "was" : "were");
  const std::vector<ProfiledCase> cases = casesWithProfile(report, only);
  const std::size_t kernel = only ? only->kernel : 0;
  const bool compiled = kernel < report.kernels.size() && report.kernels[kernel]->compiled;
  if (need == Need::listing && report.outcome != Outcome::running)
    return compiled ? whyNoCode(report, only) : "The kernel did not compile, so it has no code: see Problems";
  if (need != Need::listing && report.target.device == "cpu")
    return fmt::format(
        "{} need{} a GPU, and this ran on the CPU: choose a GPU as the device. The kernel's code is there "
        "all "
        "the same, and for CUDA its registers and occupancy",
        whatOf(need), need == Need::timeline ? "s" : "");
  if ((need == Need::counters || need == Need::samples) && !report.target.counters.empty())
    return report.target.counters;
  if (std::string reason = said(cases); !reason.empty()) return reason;
  if (report.outcome == Outcome::running && !report.failure) return "This comes once a case was profiled.";
  if (cases.empty() && report.stages.has(Stage::check) && counts(report).passed == 0)
    return "No case passed, so none was profiled. The failing cases are under Problems.";
  if (need == Need::samples)
    return "No sample fell into the candidate: it is too short, or no kernel of its own ran";
  return "The profile has none of this";
}

std::string shortName(const Launch& launch) {
  std::string_view name = launch.kernel.empty() ? launch.function : launch.kernel;
  // "void at::native::f<3, at::g<int> >(int)": up to the first bracket, behind the last "::" and blank.
  constexpr std::string_view hidden = "(anonymous namespace)::";
  std::string text(name);
  for (std::size_t at = text.find(hidden); at != std::string::npos; at = text.find(hidden))
    text.erase(at, hidden.size());
  text = text.substr(0, text.find_first_of("<("));
  if (const std::size_t blank = text.rfind(' '); blank != std::string::npos) text = text.substr(blank + 1);
  if (const std::size_t colons = text.rfind("::"); colons != std::string::npos)
    text = text.substr(colons + 2);
  return text.empty() ? std::string(name) : text;
}

std::string metricText(double value, std::string_view unit) {
  if (!std::isfinite(value)) return formatNumber(value);
  if (unit == "%") return formatPercent(value / 100);
  if (unit == "B") return formatBytes(value);
  if (unit == "s") return formatSeconds(value);
  if (unit == "ms") return formatSeconds(value * 1e-3);
  if (unit == "us" || unit == "µs") return formatSeconds(value * 1e-6);
  if (unit == "ns") return formatSeconds(value * 1e-9);
  if (unit == "cycle/s") return formatScaled(value, "Hz");
  if (unit == "flop/s") return formatScaled(value, "FLOP/s");
  if (unit == "flop") return formatScaled(value, "FLOP");
  if (unit.ends_with("/s")) return formatScaled(value, unit);
  if (unit == "Hz") return formatScaled(value, unit);
  // Counts are exact as long as they can be read.
  if (std::abs(value) < 1e6 && value == std::trunc(value))
    return formatCount(static_cast<std::int64_t>(value));
  if (unit == "ratio" || unit.find('/') != std::string_view::npos) return formatNumber(value);
  return formatScaled(value, "");
}

std::optional<double> metricOf(const Launch& launch, std::string_view name) {
  double value = std::numeric_limits<double>::quiet_NaN();
  const auto at = std::find_if(launch.metrics.begin(), launch.metrics.end(),
                               [&](const MetricValue& metric) { return metric.name == name; });
  if (at != launch.metrics.end())
    value = at->value;
  else if (const MetricInfo* info = metricInfo(name); info != nullptr && !info->formula.empty())
    value = evaluateFormula(info->formula, launch.metrics);
  return std::isnan(value) ? std::nullopt : std::optional(value);
}

double secondsOf(const Launch& launch) {
  // CUPTI gives nanoseconds.
  if (const auto duration = metricOf(launch, "gpu__time_duration.sum")) return *duration * 1e-9;
  return launch.seconds;
}

const Launch* longestLaunch(const SideProfile& side) {
  const auto shorter = [](const Launch& a, const Launch& b) { return secondsOf(a) < secondsOf(b); };
  const auto at = std::max_element(side.launches.begin(), side.launches.end(), shorter);
  return at == side.launches.end() ? nullptr : &*at;
}

std::int64_t samplesOf(const PcSample& sample) {
  std::int64_t sum = 0;
  for (const StallSamples& stall : sample.stalls)
    if (!stall.reason.ends_with("_not_issued")) sum += stall.samples;
  return sum;
}

std::int64_t samplesOf(const SideProfile& side) {
  std::int64_t sum = 0;
  for (const PcSample& sample : side.samples) sum += samplesOf(sample);
  return sum;
}

std::int64_t totalSamples(const Stalls& stalls) {
  std::int64_t sum = 0;
  for (const auto& [reason, samples] : stalls) sum += samples;
  return sum;
}

void addStalls(Stalls& sum, const PcSample& sample) {
  for (const StallSamples& stall : sample.stalls)
    if (!stall.reason.ends_with("_not_issued")) sum[stall.reason] += stall.samples;
}

std::string topStall(const std::map<std::string, std::int64_t>& sum) {
  std::string top, idle;
  std::int64_t most = 0, mostIdle = 0;
  for (const auto& [reason, samples] : sum) {
    const bool ready = reason == "selected" || reason == "not_selected";
    if (std::int64_t& best = ready ? mostIdle : most; samples > best) {
      best = samples;
      (ready ? idle : top) = reason;
    }
  }
  return top.empty() ? idle : top;
}

const Instruction* instructionAt(const Listing& listing, std::uint64_t offset) {
  const auto before = [](const Instruction& one, std::uint64_t wanted) { return one.offset < wanted; };
  const auto at = std::lower_bound(listing.instructions.begin(), listing.instructions.end(), offset, before);
  return at != listing.instructions.end() && at->offset == offset ? &*at : nullptr;
}

SampledCode::SampledCode(const ProfiledCase& one) : kernel_(*one.kernel) {
  std::map<std::string, std::int64_t> best;
  for (const Listing& listing : kernel_.listings) {
    std::int64_t agree = 0;
    for (const PcSample& sample : one.profile->candidate.samples) {
      if (sample.function != listing.function) continue;
      const Instruction* instruction = instructionAt(listing, sample.offset);
      if (instruction != nullptr) agree += instruction->line == sample.place.line ? 2 : 1;
    }
    const auto [at, first] = best.emplace(listing.function, agree);
    if (!first && at->second >= agree) continue;
    at->second = agree;
    listings_[listing.function] = &listing;
  }
}

const Listing* SampledCode::of(const std::string& function) const {
  const auto at = listings_.find(function);
  return at == listings_.end() ? nullptr : at->second;
}

const Instruction* SampledCode::at(const std::string& function, std::uint64_t offset) const {
  const Listing* listing = of(function);
  return listing == nullptr ? nullptr : instructionAt(*listing, offset);
}

Place SampledCode::placeOf(const PcSample& sample) const {
  Place place = sample.place;
  if (place.line == 0)
    if (const Instruction* instruction = at(sample.function, sample.offset);
        instruction != nullptr && instruction->line > 0)
      place = {instruction->file, instruction->line, 0};
  if (place.line > 0 && place.file.empty()) place.file = kernel_.source.path;
  return place;
}

std::string sourceLine(const KernelReport& kernel, const Place& place) {
  if (place.line <= 0 || place.file != kernel.source.path) return {};
  std::string_view rest = kernel.source.text;
  for (int line = 1; line < place.line; ++line) {
    const std::size_t end = rest.find('\n');
    if (end == std::string_view::npos) return {};
    rest.remove_prefix(end + 1);
  }
  rest = rest.substr(0, rest.find('\n'));
  const std::size_t first = rest.find_first_not_of(" \t\r");
  if (first == std::string_view::npos) return {};
  return std::string(rest.substr(first, rest.find_last_not_of(" \t\r") - first + 1));
}

}  // namespace wb

// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "core/base/quantity.h"
#include "core/figures/cells.h"
#include "core/figures/profile/profile_facts.h"

namespace wb {

namespace {

using Stalls = std::map<std::string, std::int64_t>;

std::int64_t total(const Stalls& stalls) {
  std::int64_t sum = 0;
  for (const auto& [reason, samples] : stalls) sum += samples;
  return sum;
}

Cell shareCell(std::int64_t samples, double all) {
  const double share = static_cast<double>(samples) / all;
  Cell cell = textCell(formatPercent(share), Tone::neutral, plural(samples, "sample", "samples"));
  cell.sort = share;
  cell.bar = std::clamp(share, 0.0, 1.0);
  return cell;
}

/// The reasons of one place, most first, a line each.
std::string stallsDetail(const Stalls& stalls) {
  std::vector<std::pair<std::int64_t, std::string>> list;
  for (const auto& [reason, samples] : stalls)
    if (samples > 0) list.emplace_back(-samples, reason);
  std::sort(list.begin(), list.end());
  const auto all = static_cast<double>(total(stalls));
  std::string detail;
  for (const auto& [negative, reason] : list)
    detail += fmt::format("{}{} {}", detail.empty() ? "" : "\n",
                          formatPercent(static_cast<double>(-negative) / all), stallText(reason));
  return detail;
}

Cell stallCell(const Stalls& stalls) {
  const std::string top = topStall(stalls);
  return top.empty() ? Cell{} : textCell(stallText(top), Tone::neutral, stallsDetail(stalls));
}

/// Samples of a case by file and line; those without a line under line 0 of no file.
std::map<std::pair<std::string, int>, Stalls> byLine(const ProfiledCase& one) {
  const SampledCode code(one);
  std::map<std::pair<std::string, int>, Stalls> lines;
  for (const PcSample& sample : one.profile->candidate.samples) {
    const Place place = code.placeOf(sample);
    addStalls(place.line > 0 ? lines[{place.file, place.line}] : lines[{"", 0}], sample);
  }
  return lines;
}

std::string lineLabel(const KernelReport& kernel, const Place& place) {
  if (place.line <= 0) return "no line";
  if (place.file == kernel.source.path) return std::to_string(place.line);
  const std::size_t slash = place.file.rfind('/');
  return fmt::format("{}:{}", slash == std::string::npos ? place.file : place.file.substr(slash + 1),
                     place.line);
}

void addLines(Table& table, const Report& report, const ProfiledCase& one, bool several) {
  const auto all = static_cast<double>(samplesOf(one.profile->candidate));
  if (all <= 0) return;
  struct Row {
    Place place;
    Stalls stalls;
    std::int64_t samples = 0;
  };
  std::vector<Row> rows;
  for (auto& [at, stalls] : byLine(one)) {
    const std::int64_t samples = total(stalls);
    if (samples > 0) rows.push_back({{at.first, at.second, 0}, std::move(stalls), samples});
  }
  std::stable_sort(rows.begin(), rows.end(),
                   [](const Row& a, const Row& b) { return a.samples > b.samples; });
  for (Row& row : rows) {
    std::vector<Cell> cells;
    if (several) cells.push_back(textCell(caseTitle(report, one.key)));
    cells.push_back(textCell(lineLabel(*one.kernel, row.place), Tone::neutral, row.place.file));
    cells.back().sort = row.place.line;
    cells.push_back(shareCell(row.samples, all));
    cells.push_back(stallCell(row.stalls));
    cells.push_back(textCell(sourceLine(*one.kernel, row.place), Tone::muted));
    table.rows.push_back(std::move(cells));
    table.rowIds.push_back(fmt::format("{}/{}:{}", one.rowId(), row.place.file, row.place.line));
    table.places.push_back(std::move(row.place));
  }
}

/// Samples of one kernel's instructions, over the cases that are shown.
struct Sampled {
  std::map<std::pair<std::string, std::uint64_t>, Stalls> at;
  std::int64_t all = 0;
};

Sampled sampled(const std::vector<ProfiledCase>& cases, std::size_t kernel) {
  Sampled found;
  for (const ProfiledCase& one : cases) {
    if (one.key.kernel != kernel) continue;
    found.all += samplesOf(one.profile->candidate);
    for (const PcSample& sample : one.profile->candidate.samples)
      addStalls(found.at[{sample.function, sample.offset}], sample);
  }
  return found;
}

/// One kernel's rows of the machine code.
class Instructions {
 public:
  Instructions(Table& table, const KernelReport& kernel, std::size_t index, Sampled samples)
      : table_(table), kernel_(kernel), index_(index), samples_(std::move(samples)) {}

  void all(const std::vector<ProfiledCase>& cases) {
    std::set<std::string> listed;
    std::set<const Listing*> ran;
    for (const Listing& listing : kernel_.listings) listed.insert(listing.function);
    std::vector<Listing> more;
    for (const auto& [at, stalls] : samples_.at)
      if (listed.insert(at.first).second) more.push_back(sampledAlone(at.first, cases));
    for (const ProfiledCase& one : cases)
      if (one.key.kernel == index_)
        for (const PcSample& sample : one.profile->candidate.samples) sampled_.insert(sample.function);
    for (const ProfiledCase& one : cases) {
      if (one.key.kernel != index_) continue;
      const SampledCode code(one);
      for (const std::string& function : sampled_) ran.insert(code.of(function));
    }
    // Of a function that was sampled, the form that ran; of others every form.
    for (const Listing& listing : kernel_.listings)
      if (ran.contains(&listing) || !sampled_.contains(listing.function)) shown_.push_back(&listing);
    for (const Listing& listing : more) shown_.push_back(&listing);
    for (std::size_t i = 0; i < shown_.size(); ++i) add(*shown_[i], i);
  }

 private:
  /// The function's name where there are several, with the dtype it was compiled for where that is known.
  [[nodiscard]] std::string labelOf(const Listing& listing) const {
    if (shown_.size() < 2) return {};
    std::string label = listing.kernel.empty() ? listing.function : listing.kernel;
    std::vector<const Listing*> forms;
    for (const Listing& one : kernel_.listings)
      if (one.function == listing.function) forms.push_back(&one);
    if (forms.size() < 2 || !kernel_.compiled) return label;
    std::vector<std::string> dtypes;
    for (const Artifact& artifact : kernel_.compiled->artifacts)
      if (artifact.name == listing.function && !artifact.dtype.empty()) dtypes.push_back(artifact.dtype);
    const auto at = std::find(forms.begin(), forms.end(), &listing) - forms.begin();
    // Listed in the order in which they were compiled.
    return label + (dtypes.size() == forms.size() ? " · " + dtypes[static_cast<std::size_t>(at)]
                                                  : fmt::format(" #{}", at + 1));
  }

  void add(const Listing& listing, std::size_t number) {
    const std::string label = labelOf(listing);
    std::string id = fmt::format("{}/{}", index_, listing.function);
    if (number > 0) id += fmt::format("#{}", number);
    for (const Instruction& instruction : listing.instructions) add(listing, instruction, label, id);
  }

  void add(const Listing& listing, const Instruction& instruction, const std::string& label,
           const std::string& id) {
    const auto at = samples_.at.find({listing.function, instruction.offset});
    const bool hit = at != samples_.at.end() && total(at->second) > 0;
    Place place;
    if (instruction.line > 0)
      place = {instruction.file.empty() ? kernel_.source.path : instruction.file, instruction.line, 0};
    std::vector<Cell> cells;
    cells.push_back(textCell(label, Tone::muted));
    cells.push_back(textCell(fmt::format("{:04x}", instruction.offset), Tone::muted));
    cells.back().sort = static_cast<double>(instruction.offset);
    cells.push_back(textCell(instruction.text));
    cells.push_back(textCell(instruction.line > 0 ? lineLabel(kernel_, place) : std::string(), Tone::neutral,
                             place.file));
    cells.back().sort = instruction.line;
    cells.push_back(hit ? shareCell(total(at->second), static_cast<double>(samples_.all)) : Cell{});
    cells.push_back(hit ? stallCell(at->second) : Cell{});
    table_.rows.push_back(std::move(cells));
    table_.rowIds.push_back(fmt::format("{}/{}", id, instruction.offset));
    table_.places.push_back(std::move(place));
  }

  /// A function that was sampled but not disassembled: offsets, and lines where the samples have them.
  [[nodiscard]] Listing sampledAlone(const std::string& function,
                                     const std::vector<ProfiledCase>& cases) const {
    std::map<std::uint64_t, Instruction> found;
    for (const ProfiledCase& one : cases)
      for (const PcSample& sample : one.profile->candidate.samples)
        if (one.key.kernel == index_ && sample.function == function)
          found[sample.offset] = {sample.offset, "", sample.place.line, sample.place.file};
    Listing listing{function, function, "", {}};
    for (auto& [offset, instruction] : found) listing.instructions.push_back(std::move(instruction));
    return listing;
  }

  Table& table_;
  const KernelReport& kernel_;
  std::size_t index_;
  Sampled samples_;
  std::set<std::string> sampled_;  ///< functions
  std::vector<const Listing*> shown_;
};

}  // namespace

std::vector<LineHeat> lineHeat(const Report& report, CaseKey key) {
  std::vector<LineHeat> heat;
  for (const ProfiledCase& one : casesWithProfile(report, key)) {
    const auto all = static_cast<double>(samplesOf(one.profile->candidate));
    for (const auto& [at, stalls] : byLine(one)) {
      const std::int64_t samples = total(stalls);
      if (at.second <= 0 || samples <= 0) continue;
      const std::string top = topStall(stalls);
      heat.push_back({at.first, at.second, static_cast<double>(samples) / all,
                      top.empty() ? std::string() : stallText(top)});
    }
  }
  std::stable_sort(heat.begin(), heat.end(),
                   [](const LineHeat& a, const LineHeat& b) { return a.share > b.share; });
  return heat;
}

Table hotLinesTable(const Report& report, OneCase only) {
  Table table;
  table.id = "hotlines";
  table.title = fmt::format("Hot lines of the candidate{}", warmedUp);
  table.columns = {{"place", "Line", false, "Line of the source"},
                   {"samples", "Samples", true, "Share of the samples that fell on it"},
                   {"stall", "Top stall", false, "What its warps waited for most"},
                   {"source", "Source", false, "The line itself", 1}};
  const std::vector<ProfiledCase> cases = casesWithData(report, only);
  addCaseColumn(table, cases.size() > 1);
  for (const ProfiledCase& one : cases) addLines(table, report, one, cases.size() > 1);
  if (table.rows.empty()) table.empty = whyEmpty(report, Need::samples, only);
  return table;
}

Table instructionsTable(const Report& report, OneCase only) {
  Table table;
  table.id = "instructions";
  table.title = "Machine code of the candidate";
  table.columns = {{"function", "Function", false, "Kernel that it belongs to", 2},
                   {"offset", "Offset", false, "Bytes from the function's start, hexadecimal"},
                   {"text", "Instruction", false, "As the disassembler prints it"},
                   {"place", "Line", false, "Line of the source that it was made for"},
                   {"samples", "Samples", true, "Share of the samples that fell on it"},
                   {"stall", "Top stall", false, "What warps waited for most there", 1}};
  const std::vector<ProfiledCase> cases = casesWithData(report, only);
  if (report.stages.has(Stage::profile))
    for (std::size_t k = 0; k < report.kernels.size(); ++k)
      if (!only || only->kernel == k)
        Instructions(table, *report.kernels[k], k, sampled(cases, k)).all(cases);
  if (table.rows.empty()) table.empty = whyEmpty(report, Need::listing, only);
  return table;
}

}  // namespace wb

// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "core/base/quantity.h"
#include "core/figures/cells.h"
#include "core/figures/columns.h"
#include "core/figures/profile/profile_facts.h"

namespace wb {

namespace {

Cell shareCell(std::int64_t samples, double all) {
  const double share = static_cast<double>(samples) / all;
  Cell cell = textCell(formatPercent(share), Tone::neutral, plural(samples, "sample", "samples"));
  cell.sort = share;
  return cell;
}

/// The reasons of one place, most first, one per line.
std::string stallsDetail(const Stalls& stalls) {
  std::vector<std::pair<std::int64_t, std::string>> list;
  for (const auto& [reason, samples] : stalls)
    if (samples > 0) list.emplace_back(-samples, reason);
  std::sort(list.begin(), list.end());
  const auto all = static_cast<double>(totalSamples(stalls));
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

/// One line of a case's source.
struct HotLineRow {
  std::string caseTitle;
  const KernelReport* kernel = nullptr;
  Place place;
  Stalls stalls;
  std::int64_t samples = 0;
  double all = 0;
};

/// Nothing, sorted before all lines, where there is none.
Cell noLine(std::string text = {}) {
  Cell cell = textCell(std::move(text));
  cell.sort = 0;
  return cell;
}

const std::vector<ColumnOf<HotLineRow>>& hotLineColumns() {
  using Kind = ColumnKind;
  using Line = const HotLineRow&;
  static const std::vector<ColumnOf<HotLineRow>> columns = {
      caseColumn<HotLineRow>(),
      {{.key = "place", .title = "Line", .meaning = "Line of the source", .kind = Kind::place},
       [](Line line) {
         return line.place.line > 0 ? lineCell(*line.kernel, line.place) : noLine("no line");
       }},
      {{.key = "samples",
        .title = "Samples",
        .meaning = "Share of the samples that fell on it",
        .kind = Kind::share,
        .hasEarlier = true},
       [](Line line) { return shareCell(line.samples, line.all); }},
      {{.key = "stall", .title = "Top stall", .meaning = "What its warps waited for most"},
       [](Line line) { return stallCell(line.stalls); }},
      {{.key = "source", .title = "Source", .meaning = "The line itself", .kind = Kind::code, .rank = 1},
       [](Line line) { return textCell(sourceLine(*line.kernel, line.place), Tone::muted); }},
  };
  return columns;
}

/// The lines of one case that samples fell on, hottest first.
std::vector<HotLineRow> hotLinesOf(const Report& report, const ProfiledCase& one) {
  std::vector<HotLineRow> rows;
  const auto all = static_cast<double>(samplesOf(one.profile->candidate));
  for (auto& [at, stalls] : byLine(one)) {
    const std::int64_t samples = totalSamples(stalls);
    if (samples > 0)
      rows.push_back({caseTitle(report, one.at), one.kernel, {at.first, at.second, 0}, stalls, samples, all});
  }
  std::stable_sort(rows.begin(), rows.end(),
                   [](const HotLineRow& a, const HotLineRow& b) { return a.samples > b.samples; });
  return rows;
}

/// Samples of one kernel's instructions, over the cases that are shown.
struct Sampled {
  std::map<std::pair<std::string, std::uint64_t>, Stalls> at;
  std::int64_t all = 0;
};

Sampled sampled(const std::vector<ProfiledCase>& cases, std::size_t kernel) {
  Sampled found;
  for (const ProfiledCase& one : cases) {
    if (one.at.kernel != kernel) continue;
    found.all += samplesOf(one.profile->candidate);
    for (const PcSample& sample : one.profile->candidate.samples)
      addStalls(found.at[{sample.function, sample.offset}], sample);
  }
  return found;
}

struct InstructionLine {
  const KernelReport& kernel;
  const std::string& label;
  const Instruction& instruction;
  const Place& place;
  /// null where no sample fell on it
  const Stalls* stalls = nullptr;
  double all = 0;
};

const std::vector<ColumnOf<InstructionLine>>& instructionColumns() {
  using Kind = ColumnKind;
  using Line = const InstructionLine&;
  static const std::vector<ColumnOf<InstructionLine>> columns = {
      {{.key = "function",
        .title = "Function",
        .meaning = "Kernel that it belongs to",
        .kind = Kind::group,
        .rank = 2},
       [](Line line) { return textCell(line.label, Tone::muted); }},
      {{.key = "offset",
        .title = "Offset",
        .meaning = "Bytes from the function's start, hexadecimal",
        .kind = Kind::code},
       [](Line line) {
         Cell cell = textCell(fmt::format("{:04x}", line.instruction.offset), Tone::muted);
         cell.sort = static_cast<double>(line.instruction.offset);
         return cell;
       }},
      {{.key = "text",
        .title = "Instruction",
        .meaning = "As the disassembler prints it",
        .kind = Kind::code},
       [](Line line) { return textCell(line.instruction.text); }},
      {{.key = "place",
        .title = "Line",
        .meaning = "Line of the source that it was made for",
        .kind = Kind::place},
       [](Line line) { return line.place.line > 0 ? lineCell(line.kernel, line.place) : noLine(); }},
      {{.key = "samples",
        .title = "Samples",
        .meaning = "Share of the samples that fell on it",
        .kind = Kind::share},
       [](Line line) { return line.stalls ? shareCell(totalSamples(*line.stalls), line.all) : Cell{}; }},
      {{.key = "stall", .title = "Top stall", .meaning = "What warps waited for most there", .rank = 1},
       [](Line line) { return line.stalls ? stallCell(*line.stalls) : Cell{}; }},
  };
  return columns;
}

/// One kernel's rows of the machine code.
class Instructions {
 public:
  Instructions(TableOf<InstructionLine>& table, const KernelReport& kernel, std::size_t index,
               Sampled samples)
      : table_(table), kernel_(kernel), index_(index), samples_(std::move(samples)) {}

  void all(const std::vector<ProfiledCase>& cases) {
    std::set<std::string> listed;
    std::set<const Listing*> ran;
    for (const Listing& listing : kernel_.listings) listed.insert(listing.function);
    std::vector<Listing> more;
    for (const auto& [at, stalls] : samples_.at)
      if (listed.insert(at.first).second) more.push_back(sampledAlone(at.first, cases));
    for (const ProfiledCase& one : cases)
      if (one.at.kernel == index_)
        for (const PcSample& sample : one.profile->candidate.samples) sampled_.insert(sample.function);
    for (const ProfiledCase& one : cases) {
      if (one.at.kernel != index_) continue;
      const SampledCode code(one);
      for (const std::string& function : sampled_) ran.insert(code.of(function));
    }
    // Of a function that was sampled, the form that ran is shown; of others every form.
    for (const Listing& listing : kernel_.listings)
      if (!listing.instructions.empty() && (ran.contains(&listing) || !sampled_.contains(listing.function)))
        shown_.push_back(&listing);
    for (const Listing& listing : more) shown_.push_back(&listing);
    for (std::size_t i = 0; i < shown_.size(); ++i) add(*shown_[i], i);
  }

 private:
  /// The function's name where there are several, with the dtype it was compiled for where that is known.
  [[nodiscard]] std::string labelOf(const Listing& listing) const {
    if (shown_.size() < 2) return {};
    std::string label = listing.kernel.empty() ? listing.function : listing.kernel;
    if (!listing.dtype.empty()) return label + " · " + listing.dtype;
    std::vector<const Listing*> forms;
    for (const Listing& one : kernel_.listings)
      if (one.function == listing.function) forms.push_back(&one);
    if (forms.size() < 2 || !kernel_.compiled) return label;
    std::vector<std::string> dtypes;
    for (const Artifact& artifact : kernel_.compiled->artifacts)
      if (artifact.name == listing.function && !artifact.dtype.empty()) dtypes.push_back(artifact.dtype);
    const auto at = std::find(forms.begin(), forms.end(), &listing) - forms.begin();
    // They are listed in the order in which they were compiled.
    return label + (dtypes.size() == forms.size() ? " · " + dtypes[static_cast<std::size_t>(at)]
                                                  : fmt::format(" #{}", at + 1));
  }

  void add(const Listing& listing, std::size_t number) {
    const std::string label = labelOf(listing);
    const std::string id = fmt::format("{}/{}", index_, number);
    for (const Instruction& instruction : listing.instructions) add(listing, instruction, label, id);
  }

  void add(const Listing& listing, const Instruction& instruction, const std::string& label,
           const std::string& id) {
    const auto at = samples_.at.find({listing.function, instruction.offset});
    const bool hit = at != samples_.at.end() && totalSamples(at->second) > 0;
    Place place;
    if (instruction.line > 0)
      place = {instruction.file.empty() ? kernel_.source.path : instruction.file, instruction.line, 0};
    table_.add(
        fmt::format("{}/{}", id, instruction.offset),
        {kernel_, label, instruction, place, hit ? &at->second : nullptr, static_cast<double>(samples_.all)},
        place);
  }

  /// A function that was sampled but not disassembled: offsets, and lines where the samples have them.
  [[nodiscard]] Listing sampledAlone(const std::string& function,
                                     const std::vector<ProfiledCase>& cases) const {
    std::map<std::uint64_t, Instruction> found;
    for (const ProfiledCase& one : cases)
      for (const PcSample& sample : one.profile->candidate.samples)
        if (one.at.kernel == index_ && sample.function == function)
          found[sample.offset] = {sample.offset, "", sample.place.line, sample.place.file};
    Listing listing{function, function, "", {}};
    for (auto& [offset, instruction] : found) listing.instructions.push_back(std::move(instruction));
    return listing;
  }

  TableOf<InstructionLine>& table_;
  const KernelReport& kernel_;
  std::size_t index_;
  Sampled samples_;
  /// Functions.
  std::set<std::string> sampled_;
  std::vector<const Listing*> shown_;
};

}  // namespace

std::vector<LineHeat> lineHeat(const Report& report, CaseKey key) {
  std::vector<LineHeat> heat;
  for (const ProfiledCase& one : casesWithProfile(report, key))
    for (const HotLineRow& row : hotLinesOf(report, one)) {
      if (row.place.line <= 0) continue;
      const Cell stall = stallCell(row.stalls);
      heat.push_back({row.place.file, row.place.line, static_cast<double>(row.samples) / row.all, stall.text,
                      stall.detail});
    }
  return heat;
}

Table hotLinesTable(const Report& report, OneCase only) {
  const std::vector<ProfiledCase> cases = casesWithData(report, only);
  TableOf<HotLineRow> table("hotlines", fmt::format("Hot lines of the candidate{}", warmedUp),
                            forCases(hotLineColumns(), cases));
  for (const ProfiledCase& one : cases)
    for (const HotLineRow& row : hotLinesOf(report, one))
      table.add(fmt::format("{}/{}:{}", one.rowId(), row.place.file, row.place.line), row, row.place);
  return std::move(table).take(whyEmpty(report, Need::samples, only));
}

Table instructionsTable(const Report& report, OneCase only) {
  TableOf<InstructionLine> table("instructions", "Machine code of the candidate", instructionColumns());
  const std::vector<ProfiledCase> cases = casesWithData(report, only);
  if (report.stages.has(Stage::profile))
    for (std::size_t k = 0; k < report.kernels.size(); ++k)
      if (!only || only->kernel == k)
        Instructions(table, *report.kernels[k], k, sampled(cases, k)).all(cases);
  return std::move(table).take(whyEmpty(report, Need::listing, only));
}

}  // namespace wb

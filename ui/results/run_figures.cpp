// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/results/run_figures.h"

#include <algorithm>
#include <numeric>

#include "core/base/quantity.h"
#include "ui/assembly/ptx_table.h"

namespace wb {
namespace {

const CaseProfile* profileOf(const Report& report, const OneCase& key) {
  if (!key || key->kernel >= report.kernels.size()) return nullptr;
  const KernelReport& kernel = *report.kernels[key->kernel];
  if (key->index >= kernel.cases.size()) return nullptr;
  const auto& profile = kernel.cases[key->index].profile;
  return profile ? &**profile : nullptr;
}

std::size_t metricCount(const SideProfile& side) {
  std::size_t most = 0;
  for (const Launch& launch : side.launches) most = std::max(most, launch.metrics.size());
  return most;
}

std::string summaryOf(const CaseProfile& profile) {
  const SideProfile &ours = profile.candidate, &theirs = profile.reference;
  std::string text;
  const auto add = [&text](const std::string& part) { text += (text.empty() ? "" : " · ") + part; };
  const std::size_t metrics = std::max(metricCount(ours), metricCount(theirs));
  const int passes = std::max(ours.passes, theirs.passes);
  if (metrics > 0)
    add(formatCount(std::int64_t(metrics)) + " metrics" +
        (passes > 0 ? " in " + formatCount(passes) + (passes == 1 ? " pass" : " passes") : std::string()) +
        (ours.caches != CacheState::unknown ? ", " + std::string(name(ours.caches)) + " L2" : std::string()));
  std::int64_t samples = 0;
  for (const PcSample& sample : ours.samples)
    for (const StallSamples& stall : sample.stalls) samples += stall.samples;
  if (samples > 0) add(formatCount(samples) + " samples");
  if (const double seconds = ours.seconds + theirs.seconds; seconds > 0) add(formatSeconds(seconds));
  return text;
}

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

std::size_t columnOf(const Table& table, std::string_view key) {
  const auto at = std::find_if(table.columns.begin(), table.columns.end(),
                               [key](const Column& column) { return column.key == key; });
  return std::size_t(at - table.columns.begin());
}

// The table's own rows, so that margin and table never differ.
std::vector<HotLine> heatOf(const Table& lines) {
  std::vector<HotLine> heat;
  const std::size_t samples = columnOf(lines, "samples"), stall = columnOf(lines, "stall");
  for (std::size_t i = 0; i < std::min(lines.rows.size(), lines.places.size()); ++i) {
    const std::vector<Cell>& cells = lines.rows[i];
    if (lines.places[i].line < 1 || std::max(samples, stall) >= cells.size()) continue;
    heat.push_back({lines.places[i].file, lines.places[i].line, cells[samples].sort, cells[stall].detail});
  }
  return heat;
}

// The two sides, which one looks for, before the roofs.
Table sidesFirst(Table table) {
  std::vector<std::size_t> order(table.rows.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_partition(order.begin(), order.end(),
                        [&table](std::size_t row) { return !table.rowIds[row].starts_with("roof/"); });
  Table sorted = table;
  for (std::size_t i = 0; i < order.size(); ++i) {
    sorted.rows[i] = std::move(table.rows[order[i]]);
    sorted.rowIds[i] = std::move(table.rowIds[order[i]]);
  }
  return sorted;
}

// Lines of single kernels are set in by two blanks.
Table ofWholeCall(const Table& table) {
  Table whole = table;
  whole.rows.clear();
  whole.rowIds.clear();
  const std::size_t metric = columnOf(table, "metric");
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    if (metric < table.rows[i].size() && table.rows[i][metric].text.starts_with("  ")) continue;
    whole.rows.push_back(table.rows[i]);
    whole.rowIds.push_back(table.rowIds[i]);
  }
  return whole;
}

std::shared_ptr<const CaseFigures> figuresOf(const Report& report, OneCase key) {
  auto figures = std::make_shared<CaseFigures>();
  figures->key = key;
  if (const std::size_t kernel = key ? key->kernel : 0; kernel < report.kernels.size())
    figures->source = report.kernels[kernel]->source.path;
  if (key) figures->title = caseTitle(report, *key);
  if (const CaseProfile* profile = profileOf(report, key)) {
    figures->summary = summaryOf(*profile);
    figures->notes = notesOf(*profile);
  }
  const auto shared = [](Table table) { return std::make_shared<const Table>(std::move(table)); };
  figures->advice = shared(adviceTable(report, key));
  figures->metricsByKernel = shared(metricsTable(report, key));
  figures->metrics = shared(ofWholeCall(*figures->metricsByKernel));
  if (figures->metrics->rows.size() == figures->metricsByKernel->rows.size())
    figures->metricsByKernel = figures->metrics;
  figures->launches = shared(launchesTable(report, key));
  figures->hotLines = shared(hotLinesTable(report, key));
  figures->roofline = shared(sidesFirst(rooflineTable(report, key)));
  figures->instructions = shared(instructionsTable(report, key));
  figures->ptx = shared(ptxTable(report, key ? key->kernel : 0));
  figures->stalls = stallChart(report, key);
  figures->plane = rooflineChart(report, key);
  figures->timeline = timelineChart(report, key);
  figures->heat = heatOf(*figures->hotLines);
  return figures;
}

}  // namespace

std::shared_ptr<const RunFigures> makeFigures(std::shared_ptr<const Report> report) {
  auto figures = std::make_shared<RunFigures>();
  figures->cards = headline(*report);
  figures->chart = speedupChart(*report);
  figures->operators = std::make_shared<Table>(operatorsTable(*report));
  figures->cases = std::make_shared<Table>(casesTable(*report));
  figures->builds = std::make_shared<Table>(kernelsTable(*report));
  figures->problems = std::make_shared<Table>(problemsTable(*report));
  if (report->stages.has(Stage::profile)) {
    for (const CaseKey& key : profiledCases(*report)) figures->profiles.push_back(figuresOf(*report, key));
    if (figures->profiles.empty()) figures->profiles.push_back(figuresOf(*report, {}));
  }
  figures->counts = counts(*report);
  figures->line = progressLine(*report);
  figures->fraction = progressFraction(*report);
  figures->report = std::move(report);
  return figures;
}

}  // namespace wb

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/results/run_figures.h"

#include <algorithm>

#include "core/figures/profile/profile_figures.h"

namespace wb {
namespace {

std::shared_ptr<const CaseFigures> figuresOf(const Report& report, OneCase key) {
  auto figures = std::make_shared<CaseFigures>();
  figures->profiled = key;
  if (const std::size_t kernel = key ? key->kernel : 0; kernel < report.kernels.size())
    figures->source = report.kernels[kernel]->source.path;
  figures->summary = profileSummary(report, key);
  figures->figures = FigureSet(report, Page::profile, key);
  figures->code = std::make_shared<const CodeListing>(codeListing(report, key));
  if (!key) return figures;
  figures->title = caseTitle(report, *key);
  for (LineHeat& line : lineHeat(report, *key))
    figures->heat.push_back({std::move(line.file), line.line, line.share, std::move(line.stalls)});
  return figures;
}

}  // namespace

FigureSet::FigureSet(const Report& report, Page page, OneCase only, std::span<const Earlier> earlier) {
  for (const FigureInfo& info : wb::figures())
    if (info.page == page)
      made_.push_back({info.id, std::make_shared<const Figure>(figureBeside(info, report, only, earlier))});
}

std::shared_ptr<const Figure> FigureSet::find(std::string_view id) const {
  const auto at = std::find_if(made_.begin(), made_.end(), [id](const Made& made) { return made.id == id; });
  return at == made_.end() ? nullptr : at->figure;
}

std::shared_ptr<const RunFigures> makeFigures(std::shared_ptr<const Report> report) {
  auto figures = std::make_shared<RunFigures>();
  figures->figures = FigureSet(*report, Page::summary);
  if (report->stages.has(Stage::profile)) {
    for (const CaseKey& key : profiledCases(*report)) figures->profiles.push_back(figuresOf(*report, key));
    if (figures->profiles.empty()) figures->profiles.push_back(figuresOf(*report, {}));
  }
  figures->counts = counts(*report);
  figures->verdict = verdictLine(*report);
  figures->line = progressLine(*report);
  figures->fraction = progressFraction(*report);
  figures->report = std::move(report);
  return figures;
}

}  // namespace wb

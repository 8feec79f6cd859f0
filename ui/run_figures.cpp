// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/run_figures.h"

namespace wb {

std::shared_ptr<const RunFigures> makeFigures(std::shared_ptr<const Report> report) {
  auto figures = std::make_shared<RunFigures>();
  figures->cards = headline(*report);
  figures->chart = speedupChart(*report);
  figures->operators = std::make_shared<Table>(operatorsTable(*report));
  figures->cases = std::make_shared<Table>(casesTable(*report));
  figures->builds = std::make_shared<Table>(kernelsTable(*report));
  figures->problems = std::make_shared<Table>(problemsTable(*report));
  figures->counts = counts(*report);
  figures->line = progressLine(*report);
  figures->fraction = progressFraction(*report);
  figures->report = std::move(report);
  return figures;
}

}  // namespace wb

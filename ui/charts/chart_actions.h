// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

class QMenu;
class QWidget;

namespace wb {

class Actions;
class ChartView;
class Settings;

/// Adds what can be done with a chart to its menu: copy it, save it, show all of it.
void fillChartMenu(QMenu& menu, ChartView& chart);
/// Adds the same as commands of the window, for the chart that has the focus or else the one that is seen.
void addChartActions(Actions& actions, QWidget& window, Settings& settings);

/// The folder that is offered for a picture: where the last export or picture was written.
[[nodiscard]] QString folderToSaveIn(const ChartView& chart);

/// Saves the chart's picture as PNG or SVG by the file's ending; the error in words, "" when it worked.
[[nodiscard]] QString saveChart(const ChartView& chart, const QString& file);

}  // namespace wb

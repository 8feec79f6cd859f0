// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/chart_actions.h"

#include <QAction>
#include <QApplication>
#include <QBuffer>
#include <QClipboard>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QMenu>
#include <QMessageBox>
#include <QMimeData>
#include <QRegularExpression>
#include <QSaveFile>

#include "ui/charts/chart_picture.h"
#include "ui/charts/chart_view.h"
#include "ui/settings/settings.h"
#include "ui/window/actions.h"

namespace wb {
namespace {

constexpr const char* settingsProperty = "settings";

struct Command {
  const char *id, *icon;
  QString text;
  void (*run)(ChartView&);
};

/// "speedup-by-case.png"
QString fileName(const ChartView& chart, const QString& ending) {
  QString name = chart.picture().title.section(QStringLiteral(" · "), 0, 0).toLower();
  name.replace(QRegularExpression(QStringLiteral("[^a-z0-9]+")), QStringLiteral("-"));
  while (name.endsWith(QLatin1Char('-'))) name.chop(1);
  return (name.isEmpty() ? QStringLiteral("chart") : name) + ending;
}

/// The settings of the window in which the chart is; null for a chart by itself.
Settings* settingsOf(const ChartView& chart) {
  return qobject_cast<Settings*>(chart.window()->property(settingsProperty).value<QObject*>());
}

void askAndSave(ChartView& chart, const QString& ending, const QString& kind) {
  auto* dialog = new QFileDialog(chart.window(), QObject::tr("Save the chart"), folderToSaveIn(chart), kind);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setAcceptMode(QFileDialog::AcceptSave);  // it asks before it writes over a file
  dialog->setDefaultSuffix(ending.mid(1));
  dialog->selectFile(fileName(chart, ending));
  QObject::connect(dialog, &QFileDialog::fileSelected, &chart, [&chart](const QString& file) {
    if (const QString error = saveChart(chart, file); !error.isEmpty())
      QMessageBox::warning(chart.window(), QObject::tr("Save the chart"), error);
    else if (Settings* settings = settingsOf(chart))
      settings->setText("export/folder", QFileInfo(file).absolutePath());
  });
  dialog->open();
}

void copy(ChartView& chart) {
  const ChartPicture picture = chart.picture();
  auto* data = new QMimeData;
  data->setImageData(imageOf(picture));
  data->setData(QStringLiteral("image/svg+xml"), svgOf(picture));
  QApplication::clipboard()->setMimeData(data);
}

const QList<Command>& commands() {
  static const QList<Command> list = {
      {"chart.copy", "copy", QObject::tr("&Copy the chart"), copy},
      {"chart.savePng", "save", QObject::tr("Save the chart as &PNG…"),
       [](ChartView& chart) { askAndSave(chart, QStringLiteral(".png"), QObject::tr("Picture (*.png)")); }},
      {"chart.saveSvg", "", QObject::tr("Save the chart as &SVG…"),
       [](ChartView& chart) { askAndSave(chart, QStringLiteral(".svg"), QObject::tr("Drawing (*.svg)")); }},
      {"chart.showAll", "", QObject::tr("Show &all of the chart"),
       [](ChartView& chart) { chart.resetZoom(); }},
  };
  return list;
}

/// The chart that a command of the window is for; null where none is seen.
ChartView* chartFor(QWidget& window) {
  for (QWidget* widget = QApplication::focusWidget(); widget; widget = widget->parentWidget())
    if (auto* chart = qobject_cast<ChartView*>(widget)) return chart;
  for (ChartView* chart : window.findChildren<ChartView*>())
    if (chart->isVisible() && !chart->visibleRegion().isEmpty()) return chart;
  return nullptr;
}

}  // namespace

// Pictures go where the last export went.
QString folderToSaveIn(const ChartView& chart) {
  const Settings* settings = settingsOf(chart);
  return settings ? settings->text("export/folder", QDir::homePath()) : QDir::homePath();
}

QString saveChart(const ChartView& chart, const QString& file) {
  const ChartPicture picture = chart.picture();
  QByteArray bytes;
  if (file.endsWith(QStringLiteral(".svg"), Qt::CaseInsensitive)) {
    bytes = svgOf(picture);
  } else {
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    imageOf(picture).save(&buffer, "PNG");
  }
  QSaveFile out(file);
  if (out.open(QIODevice::WriteOnly) && out.write(bytes) == bytes.size() && out.commit()) return {};
  return QObject::tr("%1 cannot be written: %2").arg(QDir::toNativeSeparators(file), out.errorString());
}

void fillChartMenu(QMenu& menu, ChartView& chart) {
  for (const Command& command : commands()) {
    QAction* action = menu.addAction(command.text);
    action->setObjectName(QLatin1String(command.id));
    QObject::connect(action, &QAction::triggered, &chart, [&chart, run = command.run] { run(chart); });
    if (command.run == commands().last().run) action->setEnabled(chart.isZoomed());
  }
}

void addChartActions(Actions& actions, QWidget& window, Settings& settings) {
  window.setProperty(settingsProperty, QVariant::fromValue<QObject*>(&settings));
  for (const Command& command : commands())
    actions.add(QLatin1String(command.id), QObject::tr("Chart"), command.text, QLatin1String(command.icon),
                {}, [&window, run = command.run] {
                  if (ChartView* chart = chartFor(window)) run(*chart);
                });
}

}  // namespace wb

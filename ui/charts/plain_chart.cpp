// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/plain_chart.h"

#include <QChart>
#include <QGraphicsLayout>
#include <QLegend>

namespace wb {

void makePlain(QChartView& view) {
  view.setObjectName(QStringLiteral("chart"));
  view.setFocusPolicy(Qt::StrongFocus);
  view.setMouseTracking(true);
  view.setRenderHint(QPainter::Antialiasing);
  view.setFrameShape(QFrame::NoFrame);
  view.setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  view.setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  QChart* shown = view.chart();
  shown->setAnimationOptions(QChart::NoAnimation);
  shown->legend()->hide();
  shown->layout()->setContentsMargins(0, 0, 0, 0);
  shown->setBackgroundVisible(false);
}

}  // namespace wb

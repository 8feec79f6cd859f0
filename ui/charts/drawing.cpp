// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/drawing.h"

#include <QLineF>
#include <algorithm>
#include <cmath>

#include "ui/charts/bar_drawing.h"
#include "ui/charts/flow_drawing.h"
#include "ui/charts/lane_drawing.h"
#include "ui/charts/plane_drawing.h"
#include "ui/charts/stack_drawing.h"
#include "ui/style/fonts.h"

namespace wb {

std::unique_ptr<Drawing> drawingOf(const Figure& figure) {
  if (const auto* bars = std::get_if<BarChart>(&figure)) return std::make_unique<BarDrawing>(*bars);
  if (const auto* plane = std::get_if<PlaneChart>(&figure)) return std::make_unique<PlaneDrawing>(*plane);
  if (const auto* stack = std::get_if<StackChart>(&figure)) return std::make_unique<StackDrawing>(*stack);
  if (const auto* flow = std::get_if<FlowChart>(&figure)) return std::make_unique<FlowDrawing>(*flow);
  if (const auto* time = std::get_if<TimeChart>(&figure)) return std::make_unique<LaneDrawing>(*time);
  return nullptr;
}

QString qtText(std::string_view text) {
  return QString::fromUtf8(text.data(), qsizetype(text.size()));
}

int mostTicks(double pixels, double perTick) {
  return std::clamp(int(pixels / perTick), 2, 12);
}

void paintTopAxis(QPainter& painter, const Canvas& canvas, std::string_view unit, double base) {
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing, false);
  painter.setFont(textFont(11));
  double freeFrom = canvas.all.left();
  for (const Tick& tick : ticksOf(canvas.x, unit, mostTicks(canvas.plot.width(), 64))) {
    const double x = std::floor(canvas.atX(tick.value)) + 0.5;
    const bool isBase = tick.value == base;
    painter.setPen(QPen(isBase ? canvas.theme.muted : canvas.theme.grid, 1));
    painter.drawLine(QPointF(x, canvas.plot.top() - 3), QPointF(x, canvas.plot.bottom()));
    const QString text = qtText(tick.text);
    const double width = painter.fontMetrics().horizontalAdvance(text);
    if (x - width / 2 < freeFrom) continue;
    freeFrom = x + width / 2 + 8;
    painter.setPen(isBase ? canvas.theme.text : canvas.theme.secondary);
    painter.drawText(QRectF(x - width / 2 - 4, canvas.plot.top() - 21, width + 8, 16), Qt::AlignCenter, text);
  }
  painter.restore();
}

void paintInterval(QPainter& painter, QPointF low, QPointF high, Clipped cut) {
  const QLineF line(low, high);
  if (line.length() < 1) return;
  painter.drawLine(line);
  const QPointF along = (high - low) / line.length(), across(-along.y(), along.x());
  const auto end = [&](QPointF at, bool isCut, double outwards) {
    if (!isCut) return painter.drawLine(at - across * 4, at + across * 4);
    painter.drawLine(at - along * (outwards * 5) - across * 4, at);
    painter.drawLine(at - along * (outwards * 5) + across * 4, at);
  };
  end(low, cut.low, -1);
  end(high, cut.high, 1);
}

bool isFree(const QRectF& box, const std::vector<QRectF>& taken) {
  return std::none_of(taken.begin(), taken.end(), [&](const QRectF& other) { return other.intersects(box); });
}

}  // namespace wb

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QImage>
#include <QSize>
#include <QString>
#include <functional>

class QPainter;

namespace wb {

/// A chart as it leaves the window: in the light theme, with its title above it.
struct ChartPicture {
  QString title;
  /// The size of what is drawn, without the title.
  QSize size;
  std::function<void(QPainter&)> draw;
};

/// The picture with two pixels for each of the window's, so that it is crisp in print.
[[nodiscard]] QImage imageOf(const ChartPicture& picture);
/// The picture as SVG.
[[nodiscard]] QByteArray svgOf(const ChartPicture& picture);

}  // namespace wb

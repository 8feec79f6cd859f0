// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/chart_picture.h"

#include <QBuffer>
#include <QPainter>
#include <QSvgGenerator>

#include "ui/style/fonts.h"
#include "ui/style/theme.h"

namespace wb {
namespace {

constexpr int titleHeight = 34;

QSize wholeOf(const ChartPicture& picture) {
  return {picture.size.width(), picture.size.height() + titleHeight};
}

void paint(QPainter& painter, const ChartPicture& picture) {
  const Theme& theme = lightTheme();
  painter.fillRect(QRect(QPoint(0, 0), wholeOf(picture)), theme.raised);
  painter.setFont(textFont(13, QFont::DemiBold));
  painter.setPen(theme.text);
  const QRect place(14, 0, picture.size.width() - 28, titleHeight);
  painter.drawText(place, int(Qt::AlignLeft | Qt::AlignVCenter),
                   painter.fontMetrics().elidedText(picture.title, Qt::ElideRight, place.width()));
  painter.translate(0, titleHeight);
  if (picture.draw) picture.draw(painter);
}

}  // namespace

QImage imageOf(const ChartPicture& picture) {
  constexpr int scale = 2;
  QImage image(wholeOf(picture) * scale, QImage::Format_ARGB32_Premultiplied);
  image.setDevicePixelRatio(scale);
  image.fill(Qt::white);
  QPainter painter(&image);
  painter.setRenderHints(QPainter::Antialiasing | QPainter::TextAntialiasing);
  paint(painter, picture);
  return image;
}

QByteArray svgOf(const ChartPicture& picture) {
  QByteArray text;
  QBuffer buffer(&text);
  buffer.open(QIODevice::WriteOnly);
  QSvgGenerator generator;
  generator.setOutputDevice(&buffer);
  generator.setSize(wholeOf(picture));
  generator.setViewBox(QRect(QPoint(0, 0), wholeOf(picture)));
  generator.setResolution(96);
  generator.setTitle(picture.title);
  QPainter painter(&generator);
  paint(painter, picture);
  painter.end();
  // The window's own font is not installed where the picture is looked at.
  return text.replace("font-family=\"WB Sans\"",
                      "font-family=\"WB Sans, Inter, Helvetica, Arial, sans-serif\"");
}

}  // namespace wb

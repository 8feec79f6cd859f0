// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QProxyStyle>

namespace wb {

struct Theme;

/// The style Fusion made flatter: small icons, thin splitters, no etched or sunken frames.
class Style : public QProxyStyle {
  Q_OBJECT
 public:
  Style();
  int pixelMetric(PixelMetric metric, const QStyleOption* option, const QWidget* widget) const override;
  int styleHint(StyleHint hint, const QStyleOption* option, const QWidget* widget,
                QStyleHintReturn* returned) const override;
  void drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
                     const QWidget* widget) const override;
  void drawItemText(QPainter* painter, const QRect& rect, int flags, const QPalette& palette, bool isEnabled,
                    const QString& text, QPalette::ColorRole role) const override;
};

/// The style sheet on top of the style: borders, tabs, headers, scroll bars.
[[nodiscard]] QString styleSheetOf(const Theme& theme);

}  // namespace wb

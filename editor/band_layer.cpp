// SPDX-License-Identifier: GPL-3.0-or-later
#include "editor/band_layer.h"

#include <Qsci/qsciscintilla.h>

#include <array>

#include "editor/editor_colors.h"
#include "editor/scintilla.h"

namespace wb {

QColor bandColor(const EditorPalette& palette, int band) {
  // Neighbours are far apart, and none is the red or the green that mean better and worse.
  static constexpr std::array<int, bandCount> hues{212, 44, 276, 184, 322, 60, 240, 198};
  const double share = palette.dark ? 0.17 : 0.13;
  const QColor ink = QColor::fromHsv(hues[std::size_t(band % bandCount)], palette.dark ? 190 : 200, 235);
  const auto mixed = [share](double paper, double color) { return paper + (color - paper) * share; };
  return QColor::fromRgbF(float(mixed(palette.background.redF(), ink.redF())),
                          float(mixed(palette.background.greenF(), ink.greenF())),
                          float(mixed(palette.background.blueF(), ink.blueF())));
}

BandLayer::BandLayer(QsciScintilla& editor) : QObject(&editor), editor_(editor) {
  for (int band = 0; band < bandCount; ++band)
    editor_.markerDefine(QsciScintilla::Background, firstBandMarker + band);
  setPalette(defaultEditorPalette());
}

void BandLayer::setPalette(const EditorPalette& palette) {
  for (int band = 0; band < bandCount; ++band)
    editor_.setMarkerBackgroundColor(bandColor(palette, band), firstBandMarker + band);
}

void BandLayer::set(const std::map<int, int>& bands) {
  for (int band = 0; band < bandCount; ++band) editor_.markerDeleteAll(firstBandMarker + band);
  handles_.clear();
  for (const auto& [line, band] : bands)
    if (line >= 1 && line <= editor_.lines())
      handles_[line] = editor_.markerAdd(line - 1, firstBandMarker + band % bandCount);
}

int BandLayer::lineNow(int compiled) const {
  const auto at = handles_.find(compiled);
  return at == handles_.end() ? 0 : editor_.markerLine(at->second) + 1;
}

int BandLayer::lineCompiled(int now) const {
  // Most lines are where they were.
  if (lineNow(now) == now && now > 0) return now;
  for (const auto& [compiled, handle] : handles_)
    if (editor_.markerLine(handle) == now - 1) return compiled;
  return 0;
}

}  // namespace wb

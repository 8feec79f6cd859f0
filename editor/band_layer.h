// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QObject>
#include <map>

#include "editor/editor_palette.h"

class QsciScintilla;

namespace wb {

/// How many colours of bands there are; lines that have code take them in turns.
inline constexpr int bandCount = 8;
[[nodiscard]] QColor bandColor(const EditorPalette& palette, int band);

/// Tints lines whose code another view shows in the same colours. The bands move with their lines, so that
/// both numbers of a line are known: the one that it had when it was compiled, and the one that it has now.
class BandLayer : public QObject {
  Q_OBJECT
 public:
  explicit BandLayer(QsciScintilla& editor);

  void setPalette(const EditorPalette& palette);
  /// The band of each line as it was compiled, 1-based; an empty map takes all away.
  void set(const std::map<int, int>& bands);
  [[nodiscard]] bool isEmpty() const { return handles_.empty(); }
  /// The line now that was this one when it was compiled, 1-based; 0 where it has no band or is gone.
  [[nodiscard]] int lineNow(int compiled) const;
  /// The line that this one was when it was compiled, 1-based; 0 where it has no band.
  [[nodiscard]] int lineCompiled(int now) const;

 private:
  QsciScintilla& editor_;
  /// Scintilla's handles of markers, which follow their lines, by the line as it was compiled.
  std::map<int, int> handles_;
};

}  // namespace wb

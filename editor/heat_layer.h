// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>
#include <string>
#include <vector>

#include "editor/editor_palette.h"

class QsciScintilla;

namespace wb {

/// How much of a kernel's time fell on a line of source.
struct HotLine {
  std::string file;    ///< as in the profile
  int line = 0;        ///< 1-based
  double share = 0;    ///< of all samples, 0 to 1
  std::string detail;  ///< what its warps waited for, most first, a line each
  bool operator==(const HotLine&) const = default;
};

/// A margin with each line's share of the samples on a ground that is the warmer the more they are. Shares
/// move with their lines; one goes when its line is edited, and all when most of what they stand for is gone.
class HeatLayer : public QObject {
  Q_OBJECT
 public:
  explicit HeatLayer(QsciScintilla& editor);

  void setPalette(const EditorPalette& palette);
  /// Empty: every line counts as this file's.
  void setFileName(const QString& file) { file_ = file; }
  void set(const std::vector<HotLine>& lines);
  void clear();
  void setVisible(bool visible);
  [[nodiscard]] int count() const { return int(shown_.size()); }
  [[nodiscard]] QString textOfLine(int line) const;  ///< 1-based; what the margin says there
  [[nodiscard]] QString tipOfLine(int line) const;   ///< 1-based
  /// Draws again, after a lexer or a font has reset the styles.
  void refresh();

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  struct Shown {
    HotLine hot;
    int marker = -1;   ///< Scintilla's handle, follows the line
    QString lineText;  ///< when it was set
  };
  void dropEdited();
  void sizeMargin();
  [[nodiscard]] QString lineText(int line) const;
  [[nodiscard]] const Shown* at(int line) const;

  QsciScintilla& editor_;
  EditorPalette palette_;
  QString file_;
  std::vector<Shown> shown_;
  double hottest_ = 0, whole_ = 0;  ///< largest share, and the sum of all that were set
  bool visible_ = true, checkPending_ = false;
};

}  // namespace wb

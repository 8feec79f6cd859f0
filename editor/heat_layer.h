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
  /// The file as the profile names it.
  std::string file;
  /// 1-based.
  int line = 0;
  /// The line's share of all samples, 0 to 1.
  double share = 0;
  /// What its warps waited for, most first, one reason per line.
  std::string detail;
  /// What the margin says instead of the share, where it shows something else than samples; `detail` is then
  /// all that is said of it.
  std::string text{};
  bool operator==(const HotLine&) const = default;
};

/// A margin with each line's share of the samples; the background is warmer for larger shares. Shares move
/// with their lines. A share goes away when its line is edited, and all go when most of the samples that they
/// stand for are gone.
class HeatLayer : public QObject {
  Q_OBJECT
 public:
  explicit HeatLayer(QsciScintilla& editor);

  void setPalette(const EditorPalette& palette);
  /// When this is empty, every line counts as this file's.
  void setFileName(const QString& file) { file_ = file; }
  void set(const std::vector<HotLine>& lines);
  void clear();
  void setVisible(bool visible);
  [[nodiscard]] int count() const { return int(shown_.size()); }
  /// What the margin says at a line, 1-based.
  [[nodiscard]] QString textOfLine(int line) const;
  /// 1-based.
  [[nodiscard]] QString tipOfLine(int line) const;
  /// Draws everything again, after a lexer or a font has reset the styles.
  void refresh();

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  struct Shown {
    HotLine hot;
    /// Scintilla's handle, which follows the line.
    int marker = -1;
    /// The line's text when the share was set.
    QString lineText;
  };
  void dropEdited();
  void sizeMargin();
  [[nodiscard]] QString lineText(int line) const;
  [[nodiscard]] const Shown* at(int line) const;

  QsciScintilla& editor_;
  EditorPalette palette_;
  QString file_;
  std::vector<Shown> shown_;
  /// The largest share, and the sum of all that were set.
  double hottest_ = 0, whole_ = 0;
  bool visible_ = true, checkPending_ = false;
};

}  // namespace wb

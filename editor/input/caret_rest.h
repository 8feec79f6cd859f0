// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QTimer>
#include <chrono>

class QsciScintilla;

namespace wb {

/// Lets an editor's caret stop blinking, and stay, when nobody has pressed a key or a button there for some
/// time, so that a window in which nothing happens sleeps.
class CaretRest : public QObject {
  Q_OBJECT
 public:
  /// A child of the editor.
  explicit CaretRest(QsciScintilla& editor, std::chrono::milliseconds after = std::chrono::seconds{10});

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  QsciScintilla& editor_;
  QTimer pause_;
  long period_;
};

}  // namespace wb

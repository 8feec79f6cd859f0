// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>
#include <QPointer>

class QAction;
class QLineEdit;
class QListWidget;
class QMainWindow;

namespace wb {

/// All commands of the window in one list, found by a few letters. ":120" and ":120:8" are places in the
/// current document.
class CommandPalette : public QFrame {
  Q_OBJECT
 public:
  explicit CommandPalette(QMainWindow& window);
  void open(const QString& text = {});
  [[nodiscard]] QLineEdit& input() const { return *input_; }
  [[nodiscard]] QListWidget& list() const { return *list_; }

 signals:
  /// Lines and columns count from 1.
  void placeChosen(int line, int column);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void fill();
  [[nodiscard]] bool fillPlace();
  void trigger();
  void move(int by);
  void closePalette();

  QMainWindow& window_;
  QLineEdit* input_;
  QListWidget* list_;
  /// The widget that had the focus before.
  QPointer<QWidget> before_;
};

}  // namespace wb

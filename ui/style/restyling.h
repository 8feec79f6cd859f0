// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QPalette>
#include <QPointer>
#include <QString>
#include <QTimer>
#include <QWidget>
#include <vector>

class QApplication;

namespace wb {

/// Gives all widgets another palette and style sheet, a few in each turn of the event loop, so that no turn
/// takes long. What is on the screen stays as it was until all have the new look.
class Restyling : public QObject {
  Q_OBJECT
 public:
  explicit Restyling(QApplication& application);

  void begin(const QPalette& palette, const QString& sheet);
  /// Whether widgets still wait for the new look.
  [[nodiscard]] bool isUnderWay() const { return turn_.isActive(); }

 private:
  void addTree(QWidget& widget);
  void hold(QWidget& window);
  void goOn();
  void release();

  QApplication& application_;
  std::vector<QPointer<QWidget>> widgets_, held_;
  std::size_t next_ = 0;
  QTimer turn_;
};

}  // namespace wb

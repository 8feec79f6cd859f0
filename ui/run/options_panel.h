// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>
#include <QLabel>
#include <QVBoxLayout>

namespace wb {

/// The panel of options that a button opens below itself. It closes when something else is clicked.
class OptionsPanel : public QFrame {
  Q_OBJECT

 public:
  OptionsPanel(int width, QWidget* parent);
  /// Where its rows go.
  [[nodiscard]] QVBoxLayout* column() const { return column_; }
  void openBelow(const QWidget& button);

  [[nodiscard]] static QLabel* heading(const QString& text);
  /// What an option does, in small letters; `indent` in pixels, by default below the option's word.
  [[nodiscard]] static QLabel* hint(const QString& text, int indent = 24);

 private:
  QVBoxLayout* column_;
};

}  // namespace wb

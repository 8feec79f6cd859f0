// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>
#include <functional>

#include "core/figures/figure.h"

class QLabel;
class QPushButton;

namespace wb {

/// One message across the window that stays until the user deals with it: it says what happened and what to
/// do, and has one button.
class Banner : public QFrame {
  Q_OBJECT
 public:
  explicit Banner(QWidget* parent = nullptr);
  /// Shows a message; when `action` is empty, the only button is the one that closes it.
  void tell(Tone tone, const QString& text, const QString& hint, const QString& action = {},
            std::function<void()> run = {});
  /// The text; "" while the banner is hidden.
  [[nodiscard]] QString text() const;
  [[nodiscard]] QString hint() const;

 private:
  QLabel *icon_, *text_, *hint_;
  QPushButton* button_;
  std::function<void()> run_;
};

}  // namespace wb

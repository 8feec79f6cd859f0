// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>
#include <functional>

#include "core/figures/figure.h"

class QLabel;
class QPushButton;

namespace wb {

/// One message across the window that stays until it is dealt with: what happened, what to do, one button.
class Banner : public QFrame {
  Q_OBJECT
 public:
  explicit Banner(QWidget* parent = nullptr);
  /// `action` empty: no button but the closing one.
  void tell(Tone tone, const QString& text, const QString& hint, const QString& action = {},
            std::function<void()> run = {});
  [[nodiscard]] QString text() const;  ///< "" while it is hidden
  [[nodiscard]] QString hint() const;

 private:
  QLabel *icon_, *text_, *hint_;
  QPushButton* button_;
  std::function<void()> run_;
};

}  // namespace wb

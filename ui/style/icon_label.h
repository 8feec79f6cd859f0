// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QIcon>
#include <QWidget>

namespace wb {

/// Shows an icon, and shows it anew in the colours of a new theme, which a label with a pixmap would not.
class IconLabel : public QWidget {
  Q_OBJECT
 public:
  /// `size` is the length of the icon's sides in pixels of the desktop.
  explicit IconLabel(int size, QIcon icon = {}, QWidget* parent = nullptr);
  void setIcon(const QIcon& icon);
  QSize sizeHint() const override;

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  int size_;
  QIcon icon_;
};

}  // namespace wb

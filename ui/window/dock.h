// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDockWidget>

namespace wb {

/// A dock with a flat title bar. Its content is made after the window was painted once.
class Dock : public QDockWidget {
  Q_OBJECT
 public:
  Dock(const QString& id, const QString& title, QWidget* parent);
  void setContent(QWidget* content);
};

}  // namespace wb

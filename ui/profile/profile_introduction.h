// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <string>

class QAction;
class QLabel;

namespace wb {

/// What stands in place of a profile until there is one: what it would show, and the command that makes it.
class ProfileIntroduction : public QWidget {
  Q_OBJECT
 public:
  explicit ProfileIntroduction(QAction& profile, QWidget* parent = nullptr);
  /// Says what a profile gives on this device: "cpu", "cuda:0", or "" while none is known.
  void setDevice(const std::string& device);

 private:
  QLabel* gives_;
};

}  // namespace wb

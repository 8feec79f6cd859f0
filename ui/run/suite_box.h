// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QComboBox>
#include <vector>

#include "core/suites/suites.h"

namespace wb {

/// Chooses the suite: those that there are with what they hold, files used before, and "File…".
class SuiteBox : public QComboBox {
  Q_OBJECT
 public:
  explicit SuiteBox(QWidget* parent = nullptr);
  /// Keeps what is chosen.
  void setSuites(const std::vector<SuiteInfo>& suites);
  /// Chooses a suite's name, or else a file, which is added.
  void choose(const QString& nameOrFile);
  [[nodiscard]] QString chosen() const;   ///< name or file
  [[nodiscard]] bool takesDtype() const;  ///< the chosen one

  void showPopup() override;

 signals:
  void chosenChanged();
  void fileWanted();

 private:
  enum Role { suiteRole = Qt::UserRole, dtypeRole };
  void add(const QString& title, const QString& summary, const QString& icon, const QString& suite);

  int before_ = 0;
};

}  // namespace wb

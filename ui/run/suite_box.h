// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QComboBox>
#include <vector>

#include "core/suites/suites.h"

namespace wb {

/// Chooses the suite: from those that exist, with what they hold, from files that were used before, and
/// "File…".
class SuiteBox : public QComboBox {
  Q_OBJECT
 public:
  explicit SuiteBox(QWidget* parent = nullptr);
  /// Sets the suites and keeps the one that is chosen.
  void setSuites(const std::vector<SuiteInfo>& suites);
  /// Chooses a suite's name, or else a file, which is added.
  void choose(const QString& nameOrFile);
  /// The name or the file that is chosen.
  [[nodiscard]] QString chosen() const;
  /// Whether the chosen suite takes a dtype.
  [[nodiscard]] bool takesDtype() const;

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

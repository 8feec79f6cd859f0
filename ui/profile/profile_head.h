// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QAction;
class QComboBox;

namespace wb {

class ElidingLabel;

/// Says at the top of a profile which case it is of, where several can be chosen, and offers what can be done
/// with it.
class ProfileHead : public QWidget {
  Q_OBJECT
 public:
  ProfileHead(QAction& profile, QAction& assembly, QWidget* parent = nullptr);
  /// Offers these cases, of which there is at least one.
  void setCases(const QStringList& titles, int chosen);
  void setSummary(const QString& summary);
  [[nodiscard]] QComboBox& cases() const { return *cases_; }

 private:
  QComboBox* cases_;
  ElidingLabel *title_, *summary_;
};

}  // namespace wb

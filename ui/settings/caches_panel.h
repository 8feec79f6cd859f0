// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <vector>

#include "core/doctor/caches.h"

class QGridLayout;
class QLabel;
class QPushButton;

namespace wb {

/// Where the caches are and how big, with a button that empties them. The sizes are read in the background.
class CachesPanel : public QWidget {
  Q_OBJECT
 public:
  explicit CachesPanel(QWidget* parent = nullptr);
  [[nodiscard]] QPushButton& emptyButton() const { return *empty_; }
  /// "2.1 GiB in /home/…"; "" until it is known.
  [[nodiscard]] QString summary() const;

 signals:
  /// The sizes are shown.
  void measured();

 private:
  void measure();
  void show(const std::vector<Cache>& caches);
  void emptyAll();

  QLabel* summary_;
  QGridLayout* rows_;
  QPushButton* empty_;
};

}  // namespace wb

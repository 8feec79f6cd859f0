// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTextBrowser>

#include "core/figures/cases/details.h"

namespace wb {

/// Shows one row's details; lines of a traceback lead to their place.
class DetailsView : public QTextBrowser {
  Q_OBJECT
 public:
  explicit DetailsView(QWidget* parent = nullptr);
  void setDetails(const Details& details);
  void clearDetails();
  [[nodiscard]] const Details& details() const { return details_; }

 signals:
  void placeClicked(const QString& file, int line);

 protected:
  void changeEvent(QEvent* event) override;

 private:
  void render();

  Details details_;
};

}  // namespace wb

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLabel>

#include "core/figures/verdict/verdict_line.h"

namespace wb {

/// Shows what a run came to on one line that is never cut: where there is too little room its letters become
/// a little smaller, and then it goes on in the next line, between two parts. What does not hold any more is
/// grey, with the reason behind it.
class VerdictView : public QLabel {
  Q_OBJECT
 public:
  explicit VerdictView(QWidget* parent = nullptr);
  void setVerdict(VerdictLine line);
  [[nodiscard]] const VerdictLine& verdict() const { return line_; }
  /// The same as plain text, in the clock of this machine.
  [[nodiscard]] QString plainText() const;

 protected:
  void changeEvent(QEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  void render();
  void fit();

  VerdictLine line_;
};

}  // namespace wb

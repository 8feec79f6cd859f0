// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QTimer>

namespace wb {

class RunController;
struct WindowParts;

/// Tells the results whether they still hold for what is open in the editor: another kernel may be in front,
/// its text may have changed, the next run may be under way.
class VerdictFlow : public QObject {
  Q_OBJECT
 public:
  VerdictFlow(const WindowParts& parts, RunController& controller, QObject* parent = nullptr);

 private:
  void update();

  const WindowParts& parts_;
  RunController& controller_;
  /// Texts are compared when typing pauses, since long ones take a moment.
  QTimer pause_;
};

}  // namespace wb

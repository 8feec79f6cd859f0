// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QTimer>

namespace wb {

class Document;
class RunController;
class RunFlow;
struct WindowParts;

/// Runs without being asked, where the user wants that: the whole run when a kernel is saved, or compiling
/// and checking alone when typing pauses. The next key ends what typing has begun.
class LiveRun : public QObject {
  Q_OBJECT
 public:
  LiveRun(const WindowParts& parts, RunController& controller, RunFlow& flow, QObject* parent = nullptr);
  /// The run under way was begun by a pause in typing.
  [[nodiscard]] bool isChecking() const { return isChecking_; }

 private:
  void typed(Document* document);
  void paused();
  void saved(Document* document);

  const WindowParts& parts_;
  RunController& controller_;
  RunFlow& flow_;
  QTimer pause_;
  bool isChecking_ = false;
};

}  // namespace wb

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>

#include "core/base/result.h"

namespace wb {

class RunController;

/// Makes in advance what the first kernel would wait for, while nothing runs: once the worker is there, and
/// once for each Python. A run that does not need it must not be timed beside it, so the preparation stops
/// then and begins again afterwards. A run that needs it waits until it is done, which takes less time than
/// all of it.
class IdlePreparation : public QObject {
  Q_OBJECT
 public:
  /// Prepares to the end or until it is stopped, on a thread of its own. `python` is as for localLauncher().
  using Prepare = std::function<Result<void>(const std::string& python, const std::stop_token& stop)>;
  IdlePreparation(const RunController& controller, Prepare prepare, QObject* parent = nullptr);
  [[nodiscard]] bool underWay() const { return underWay_; }

 private:
  void consider();
  void begin();
  void end(const std::string& python, bool stopped);

  const RunController& controller_;
  Prepare prepare_;
  bool underWay_ = false;
  /// The Python for which it was done last.
  std::optional<std::string> prepared_;
  /// This is the last member, since its thread uses the others.
  std::jthread thread_;
};

}  // namespace wb

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

/// Makes what the first kernel would wait for while nothing runs: once the worker is there, once for each
/// Python. A run that does not need it is not to be timed beside it, so it stops then and begins again
/// afterwards; one that needs it waits for the rest of it, which is less than all.
class IdlePreparation : public QObject {
  Q_OBJECT
 public:
  /// To its end or until it is stopped, on a thread of its own. `python`: as for localLauncher().
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
  std::optional<std::string> prepared_;  ///< the Python for which it was done last
  std::jthread thread_;                  ///< the last member: it speaks to the others
};

}  // namespace wb

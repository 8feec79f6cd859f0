// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <chrono>
#include <functional>
#include <map>
#include <stop_token>
#include <string>

#include "core/runner/remote/check/target_glance.h"
#include "core/targets/run_target.h"

namespace wb {

class DeviceBox;

/// Finds out in the background what kernels can run on: the devices of this machine, and the targets of the
/// user's file. Whenever the list of devices is opened the file is read again, and each target is looked at.
class DeviceFlow : public QObject {
  Q_OBJECT
 public:
  /// Looks at a target; called in a thread of its own.
  using Glance = std::function<TargetGlance(const RunTarget&, const std::stop_token&)>;
  DeviceFlow(DeviceBox& box, Glance glance, QObject* parent = nullptr);
  ~DeviceFlow() override;
  /// Asks this machine and reads the file.
  void findOut();
  /// Reads the file again.
  void readTargetsAgain();

 signals:
  /// findOut() has found what there is.
  void found();

 private:
  void look();

  /// What was seen this recently is not looked at again.
  static constexpr std::chrono::seconds fresh{20};
  DeviceBox& box_;
  Glance glance_;
  std::stop_source stop_;
  std::map<std::string, std::chrono::steady_clock::time_point> looked_;
};

}  // namespace wb

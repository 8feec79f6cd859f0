// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QComboBox>
#include <map>
#include <string>
#include <vector>

#include "core/runner/remote/check/target_glance.h"
#include "core/runner/runner.h"
#include "core/targets/run_target.h"
#include "ui/targets/run_place.h"

namespace wb {

/// Chooses where kernels run: a device of this machine, or a target that the user has named, with what was
/// last seen of it. An item's data is its id: "cpu", "cuda:0", "target:box".
class DeviceBox : public QComboBox {
  Q_OBJECT
 public:
  explicit DeviceBox(QWidget* parent = nullptr);
  void setDevices(const std::vector<Device>& there);
  void setTargets(const std::vector<RunTarget>& targets);
  [[nodiscard]] const std::vector<RunTarget>& targets() const { return targets_; }
  /// Says what a look at the target of this name has come to.
  void setGlance(const std::string& target, const TargetGlance& glance);
  /// Chooses by id, now or once there is such an item; until then the first GPU is chosen.
  void choose(const QString& id);
  [[nodiscard]] QString chosen() const { return currentData().toString(); }
  /// The chosen place, with so many workers.
  [[nodiscard]] RunPlace place(int workers) const;
  /// Kernels may find a GPU there.
  [[nodiscard]] bool hasGpu() const;
  void showPopup() override;

 signals:
  /// Another place is chosen, or the same target has become another one.
  void placeChanged();
  /// The list was opened.
  void opened();

 private:
  /// Makes all items anew; `before` is the place that was chosen.
  void fill(const RunPlace& before);
  void add(const QString& id, const QString& title, const QString& summary, const char* picture);
  [[nodiscard]] QString summaryOf(const RunTarget& target) const;

  std::vector<Device> devices_;
  std::vector<RunTarget> targets_;
  std::map<std::string, TargetGlance> glances_;
  QString wanted_;
};

}  // namespace wb

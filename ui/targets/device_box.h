// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QComboBox>
#include <QStringList>
#include <map>
#include <string>
#include <vector>

#include "core/runner/remote/check/target_glance.h"
#include "core/runner/runner.h"
#include "core/targets/run_target.h"
#include "ui/targets/run_place.h"

namespace wb {

/// Chooses where kernels run: a device of this machine, or a target that the user has named, with what was
/// last seen of it. A click on an item chooses it alone; its tick adds it to those that are chosen, and they
/// share each run. An item's data is its id: "cpu", "cuda:0", "target:box", or "gpus", which is all of them
/// here.
class DeviceBox : public QComboBox {
  Q_OBJECT
 public:
  explicit DeviceBox(QWidget* parent = nullptr);
  void setDevices(const std::vector<Device>& there);
  void setTargets(const std::vector<RunTarget>& targets);
  /// Both at once, so that no place is chosen for a moment that is a part of the wanted ones.
  void setPlaces(const std::vector<Device>& devices, const std::vector<RunTarget>& targets);
  [[nodiscard]] const std::vector<RunTarget>& targets() const { return targets_; }
  /// Says what a look at the target of this name has come to.
  void setGlance(const std::string& target, const TargetGlance& glance);
  /// Chooses by id, or ids with commas between them, now or once there are such items; until then the first
  /// GPU is chosen.
  void choose(const QString& ids);
  /// The chosen id, or ids with commas between them.
  [[nodiscard]] QString chosen() const;
  [[nodiscard]] bool hasSeveral() const { return !several_.isEmpty(); }
  /// What the closed box shows.
  [[nodiscard]] QString title() const;
  /// The chosen place; the CPU and targets have so many workers, and one GPU those that follow it.
  [[nodiscard]] RunPlace place(int workers) const;
  /// Kernels may find a GPU there.
  [[nodiscard]] bool hasGpu() const;
  void showPopup() override;

 signals:
  /// The user has chosen something.
  void picked();
  /// Another place is chosen, or the same target has become another one.
  void placeChanged();
  /// The list was opened.
  void opened();

 protected:
  void initStyleOption(QStyleOptionComboBox* option) const override;
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  /// Without "gpus".
  [[nodiscard]] QStringList chosenIds() const;
  /// All places that can be chosen, without "gpus".
  [[nodiscard]] QStringList ids() const;
  [[nodiscard]] QStringList gpus() const;
  /// Makes all items anew; `before` is the place that was chosen.
  void fill(const RunPlace& before);
  void add(const QString& id, const QString& title, const QString& summary, const char* picture);
  void addAllGpus();
  void addNote();
  /// Chooses these, as far as there are such items.
  void set(const QStringList& wanted);
  void showTicks();
  void tick(int row);
  /// Takes the click that is on a tick or on the note, or goes with Ctrl.
  bool takeMouse(const QEvent& event);
  /// What was ticked holds once the list is closed.
  void takeTicked();
  [[nodiscard]] const RunTarget* targetOf(const QString& id) const;
  [[nodiscard]] QString summaryOf(const RunTarget& target) const;

  std::vector<Device> devices_;
  std::vector<RunTarget> targets_;
  std::map<std::string, TargetGlance> glances_;
  QString wanted_;
  /// The ids, where more than one is chosen; the current item is the first of them, or "gpus".
  QStringList several_;
  /// The row on whose tick the mouse was pressed; -1 is none.
  int pressed_ = -1;
  bool wasTicked_ = false;
};

}  // namespace wb

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/targets/device_box.h"

#include <QAbstractItemView>
#include <algorithm>
#include <utility>

#include "core/base/quantity.h"
#include "core/runner/remote/slurm.h"
#include "ui/style/icon.h"
#include "ui/tables/two_line_delegate.h"

namespace wb {
namespace {

constexpr int popupWidth = 460;
constexpr const char* targetPrefix = "target:";

QString qt(const std::string& text) {
  return QString::fromStdString(text);
}

QString idOf(const RunTarget& target) {
  return QLatin1String(targetPrefix) + qt(target.name);
}

bool isGpu(const QString& id) {
  return id.startsWith(QLatin1String("cuda"));
}

QString titleOf(const Device& device) {
  const QString id = qt(device.id);
  QString title = device.name.empty() ? id : qt(device.name);
  for (const char* noise : {"NVIDIA ", " Processor", "(R)", "(TM)"}) title.remove(QLatin1String(noise));
  if (isGpu(id)) return title;
  return title == id ? DeviceBox::tr("CPU") : DeviceBox::tr("CPU  %1").arg(title);
}

}  // namespace

DeviceBox::DeviceBox(QWidget* parent) : QComboBox(parent) {
  setItemDelegate(new TwoLineDelegate(this));
  view()->setTextElideMode(Qt::ElideRight);
  view()->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  fill(place(1));
  connect(this, &QComboBox::activated, this, [this] {
    wanted_ = chosen();
    emit placeChanged();
  });
}

void DeviceBox::add(const QString& id, const QString& title, const QString& summary, const char* picture) {
  addItem(icon(QLatin1String(picture), IconTone::secondary), title, id);
  setItemData(count() - 1, summary, TwoLineDelegate::summaryRole);
  setItemData(count() - 1, summary, Qt::ToolTipRole);
}

QString DeviceBox::summaryOf(const RunTarget& target) const {
  const auto seen = glances_.find(target.name);
  const QString state = seen == glances_.end()   ? tr("not looked at yet")
                        : seen->second.isInReach ? qt(seen->second.words)
                                                 : tr("not in reach: %1").arg(qt(seen->second.words));
  return QStringLiteral("%1  ·  %2").arg(qt(format(target)), state);
}

void DeviceBox::fill(const RunPlace& before) {
  const bool wereBlocked = blockSignals(true);
  clear();
  for (const Device& device : devices_) {
    QString summary = QStringLiteral("%1  ·  %2").arg(tr("this machine"), qt(device.id));
    if (device.memoryBytes > 0)
      summary += QStringLiteral("  ·  ") + qt(formatBytes(double(device.memoryBytes)));
    add(qt(device.id), titleOf(device), summary, isGpu(qt(device.id)) ? "gpu-card" : "cpu");
  }
  if (count() == 0) add(QStringLiteral("cpu"), tr("CPU"), tr("this machine"), "cpu");
  for (const RunTarget& target : targets_)
    add(idOf(target), qt(target.name), summaryOf(target),
        target.kind == TargetKind::slurm ? "stack" : "box-arrow-up-right");
  int at = findData(wanted_);
  if (at < 0) at = count() > 1 && isGpu(itemData(1).toString()) ? 1 : 0;
  setCurrentIndex(at);
  blockSignals(wereBlocked);
  if (place(1) != before) emit placeChanged();
}

void DeviceBox::setDevices(const std::vector<Device>& there) {
  devices_ = there;
  fill(place(1));
}

void DeviceBox::setTargets(const std::vector<RunTarget>& targets) {
  if (targets == targets_) return;
  const RunPlace before = place(1);
  targets_ = targets;
  fill(before);
}

void DeviceBox::setGlance(const std::string& target, const TargetGlance& glance) {
  glances_[target] = glance;
  for (const RunTarget& each : targets_) {
    const int at = findData(idOf(each));
    if (each.name != target || at < 0) continue;
    setItemData(at, summaryOf(each), TwoLineDelegate::summaryRole);
    setItemData(at, summaryOf(each), Qt::ToolTipRole);
  }
}

void DeviceBox::choose(const QString& id) {
  wanted_ = id;
  const int at = findData(id);
  if (at < 0 || at == currentIndex()) return;
  setCurrentIndex(at);
  emit placeChanged();
}

RunPlace DeviceBox::place(int workers) const {
  const QString id = chosen();
  const auto target = std::ranges::find_if(targets_, [&](const RunTarget& each) { return idOf(each) == id; });
  if (target != targets_.end()) return {{}, *target, workers};
  RunPlace here;
  if (!isGpu(id)) {
    here.devices.assign(std::size_t(workers), id.toStdString());
    return here;
  }
  for (int i = 0; i < count() && int(here.devices.size()) < workers; ++i) {
    const QString other = itemData((currentIndex() + i) % count()).toString();
    if (isGpu(other)) here.devices.push_back(other.toStdString());
  }
  return here;
}

bool DeviceBox::hasGpu() const {
  const RunPlace chosen = place(1);
  if (!chosen.target) return isGpu(this->chosen());
  // A target without a device takes the first GPU, where there is one.
  return chosen.target->kind == TargetKind::slurm ? slurmDevice(*chosen.target) != "cpu"
                                                  : chosen.target->device != "cpu";
}

void DeviceBox::showPopup() {
  view()->setMinimumWidth(std::max(width(), popupWidth));
  QComboBox::showPopup();
  fitPopup(*this);
  emit opened();
}

}  // namespace wb

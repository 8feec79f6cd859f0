// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/targets/device_box.h"

#include <QAbstractItemView>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QStandardItemModel>
#include <QStyleOptionComboBox>
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
const QString cpuId = QStringLiteral("cpu"), allGpus = QStringLiteral("gpus");

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

enum class Kind { cpu, gpu, unknown };

Kind kindOf(const QString& id, const RunTarget* target) {
  if (!target) return id == cpuId ? Kind::cpu : Kind::gpu;
  const std::string device = target->kind == TargetKind::slurm ? slurmDevice(*target) : target->device;
  return device.empty() ? Kind::unknown : device == "cpu" ? Kind::cpu : Kind::gpu;
}

}  // namespace

DeviceBox::DeviceBox(QWidget* parent) : QComboBox(parent) {
  setItemDelegate(new TwoLineDelegate(this));
  view()->setTextElideMode(Qt::ElideRight);
  view()->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  // Clicks on ticks and the space bar come here before the list closes for them.
  view()->installEventFilter(this);
  view()->viewport()->installEventFilter(this);
  view()->window()->installEventFilter(this);
  fill(place(1));
  connect(this, &QComboBox::activated, this, [this] {
    wasTicked_ = false;
    set({currentData().toString()});
    wanted_ = chosen();
    emit picked();
    emit placeChanged();
  });
}

void DeviceBox::add(const QString& id, const QString& title, const QString& summary, const char* picture) {
  addItem(icon(QLatin1String(picture), IconTone::secondary), title, id);
  setItemData(count() - 1, summary, TwoLineDelegate::summaryRole);
  setItemData(count() - 1, summary, Qt::ToolTipRole);
}

void DeviceBox::addAllGpus() {
  QStringList names;
  for (const Device& device : devices_)
    if (isGpu(qt(device.id))) names << qt(device.id);
  if (names.size() > 1)
    add(allGpus, tr("All GPUs"),
        QStringLiteral("%1  ·  %2").arg(tr("this machine"), names.join(QStringLiteral(", "))), "layers");
}

// It is no place, and cannot be chosen. The box is as wide as the titles, to which it does not belong.
void DeviceBox::addNote() {
  addItem(QString());
  setItemData(count() - 1, tr("Click one to run there alone. Tick several, and they share each run."),
              TwoLineDelegate::noteRole);
  if (auto* items = qobject_cast<QStandardItemModel*>(model()))
    items->item(count() - 1)->setFlags(Qt::NoItemFlags);
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
  if (count() == 0) add(cpuId, tr("CPU"), tr("this machine"), "cpu");
  addAllGpus();
  for (const RunTarget& target : targets_)
    add(idOf(target), qt(target.name), summaryOf(target),
        target.kind == TargetKind::slurm ? "stack" : "box-arrow-up-right");
  if (ids().size() > 1) addNote();
  set(wanted_.split(QLatin1Char(',')));
  blockSignals(wereBlocked);
  if (place(1) != before) emit placeChanged();
}

void DeviceBox::setPlaces(const std::vector<Device>& devices, const std::vector<RunTarget>& targets) {
  const RunPlace before = place(1);
  devices_ = devices;
  targets_ = targets;
  fill(before);
}

void DeviceBox::setDevices(const std::vector<Device>& there) {
  setPlaces(there, targets_);
}

void DeviceBox::setTargets(const std::vector<RunTarget>& targets) {
  if (targets != targets_) setPlaces(devices_, targets);
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

QStringList DeviceBox::ids() const {
  QStringList all;
  for (int i = 0; i < count(); ++i)
    if (const QString id = itemData(i).toString(); !id.isEmpty() && id != allGpus) all << id;
  return all;
}

QStringList DeviceBox::gpus() const {
  return ids().filter(QStringLiteral("cuda"));
}

QStringList DeviceBox::chosenIds() const {
  return several_.isEmpty() ? QStringList{currentData().toString()} : several_;
}

const RunTarget* DeviceBox::targetOf(const QString& id) const {
  const auto found = std::ranges::find_if(targets_, [&](const RunTarget& each) { return idOf(each) == id; });
  return found == targets_.end() ? nullptr : &*found;
}

void DeviceBox::set(const QStringList& wanted) {
  QStringList found;
  for (const QString& id : ids())
    if (wanted.contains(id) || (isGpu(id) && wanted.contains(allGpus))) found << id;
  if (found.isEmpty()) found << (gpus().isEmpty() ? ids() : gpus()).first();
  several_ = found.size() > 1 ? found : QStringList();
  setCurrentIndex(findData(hasSeveral() && found == gpus() ? allGpus : found.first()));
  showTicks();
  update();
}

void DeviceBox::showTicks() {
  const QStringList now = chosenIds(), all = gpus();
  const auto isChosen = [&](const QString& id) { return now.contains(id); };
  for (int i = 0; i < count() && ids().size() > 1; ++i) {
    const QString id = itemData(i).toString();
    if (id.isEmpty()) continue;
    const bool isTicked = id == allGpus ? std::ranges::all_of(all, isChosen) : isChosen(id);
    setItemData(i, isTicked ? Qt::Checked : Qt::Unchecked, Qt::CheckStateRole);
  }
  const QString shared = hasSeveral() ? tr("%1 share each run").arg(wb::titleOf(place(1))) : QString();
  setAccessibleDescription(shared);
  setToolTip(hasSeveral() ? tr("Where to run: %1").arg(shared) : tr("Where to run"));
}

void DeviceBox::choose(const QString& ids) {
  wanted_ = ids;
  const RunPlace before = place(1);
  set(ids.split(QLatin1Char(',')));
  if (place(1) != before) emit placeChanged();
}

// A kernel is for GPUs or for processors, and the cases of a run are for one of them.
void DeviceBox::tick(int row) {
  const QString id = itemData(row).toString();
  if (id.isEmpty()) return;
  const QStringList ticked = id == allGpus ? gpus() : QStringList{id};
  QStringList now = chosenIds();
  if (itemData(row, Qt::CheckStateRole) == Qt::Checked) {
    now.removeIf([&](const QString& each) { return ticked.contains(each); });
  } else {
    const Kind kind = kindOf(id, targetOf(id));
    now.removeIf([&](const QString& each) {
      const Kind other = kindOf(each, targetOf(each));
      return kind != Kind::unknown && other != Kind::unknown && kind != other;
    });
    now << ticked;
  }
  if (now.isEmpty()) return;
  set(now);
  wanted_ = chosen();
  wasTicked_ = true;
}

void DeviceBox::takeTicked() {
  if (!std::exchange(wasTicked_, false)) return;
  emit picked();
  emit placeChanged();
}

bool DeviceBox::takeMouse(const QEvent& event) {
  const auto& mouse = static_cast<const QMouseEvent&>(event);
  const QModelIndex at = view()->indexAt(mouse.position().toPoint());
  const bool isTick =
      at.data(Qt::CheckStateRole).isValid() &&
      (mouse.modifiers().testFlag(Qt::ControlModifier) ||
       TwoLineDelegate::tickArea(view()->visualRect(at)).contains(mouse.position().toPoint()));
  // A click on what is no item would choose the one that the mouse was at before.
  if (at.data(TwoLineDelegate::noteRole).isValid()) return true;
  if (event.type() != QEvent::MouseButtonRelease) {
    pressed_ = isTick ? at.row() : -1;
    return isTick;
  }
  const int pressed = std::exchange(pressed_, -1);
  if (isTick && pressed == at.row()) tick(pressed);
  // Who lets go elsewhere has thought better of it.
  return pressed >= 0;
}

bool DeviceBox::eventFilter(QObject* watched, QEvent* event) {
  const bool isMouse = event->type() == QEvent::MouseButtonPress ||
                       event->type() == QEvent::MouseButtonRelease ||
                       event->type() == QEvent::MouseButtonDblClick;
  if (watched == view()->viewport() && isMouse && takeMouse(*event)) return true;
  if (watched == view() && event->type() == QEvent::KeyPress &&
      static_cast<QKeyEvent*>(event)->key() == Qt::Key_Space) {
    tick(view()->currentIndex().row());
    return true;
  }
  // An item that is chosen alone says so after this, and then nothing else holds.
  if (watched == view()->window() && event->type() == QEvent::Hide)
    QMetaObject::invokeMethod(this, &DeviceBox::takeTicked, Qt::QueuedConnection);
  return QComboBox::eventFilter(watched, event);
}

RunPlace DeviceBox::place(int workers) const {
  RunPlace place;
  place.targetWorkers = workers;
  for (const QString& id : chosenIds()) {
    if (const RunTarget* target = targetOf(id))
      place.targets.push_back(*target);
    else
      place.devices.insert(place.devices.end(), std::size_t(isGpu(id) ? 1 : workers), id.toStdString());
  }
  if (hasSeveral() || !isGpu(chosen())) return place;
  const QStringList all = gpus();
  for (qsizetype i = 1; i < all.size() && int(place.devices.size()) < workers; ++i)
    place.devices.push_back(all[(all.indexOf(chosen()) + i) % all.size()].toStdString());
  return place;
}

bool DeviceBox::hasGpu() const {
  // A target without a device takes the first GPU, where there is one.
  return std::ranges::any_of(chosenIds(),
                             [this](const QString& id) { return kindOf(id, targetOf(id)) != Kind::cpu; });
}

QString DeviceBox::chosen() const {
  const QString id = currentData().toString();
  return hasSeveral() && id != allGpus ? several_.join(QLatin1Char(',')) : id;
}

QString DeviceBox::title() const {
  return hasSeveral() && chosen() != allGpus ? wb::titleOf(place(1)) : currentText();
}

void DeviceBox::initStyleOption(QStyleOptionComboBox* option) const {
  QComboBox::initStyleOption(option);
  if (!hasSeveral()) return;
  option->currentIcon = icon(QStringLiteral("layers"), IconTone::secondary);
  option->currentText = title();
  const int room =
      style()->subControlRect(QStyle::CC_ComboBox, option, QStyle::SC_ComboBoxEditField, this).width();
  if (fontMetrics().horizontalAdvance(option->currentText) + iconSize().width() + 8 > room)
    option->currentText = tr("%1 places").arg(several_.size());
}

void DeviceBox::showPopup() {
  view()->setMinimumWidth(std::max(width(), popupWidth));
  QComboBox::showPopup();
  fitPopup(*this);
  emit opened();
}

}  // namespace wb

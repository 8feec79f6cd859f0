// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/profile/occupancy_panel.h"

#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QSpinBox>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

#include "core/base/quantity.h"
#include "ui/profile/occupancy_plot.h"
#include "ui/style/icon.h"

namespace wb {
namespace {

constexpr const char* usual = "sm_90";

QLabel* label(const char* name) {
  auto* made = new QLabel;
  made->setObjectName(QLatin1String(name));
  return made;
}

}  // namespace

OccupancyPanel::OccupancyPanel(QWidget* parent)
    : QWidget(parent),
      grid_(new QGridLayout),
      byThreads_(new OccupancyPlot),
      byRegisters_(new OccupancyPlot),
      byShared_(new OccupancyPlot),
      title_(label("heading")),
      value_(label("cardValue")),
      detail_(label("cardDetail")),
      allowed_(label("muted")),
      back_(new QToolButton) {
  setAccessibleName(tr("Occupancy calculator"));
  auto* head = new QHBoxLayout;
  title_->setText(tr("Occupancy calculator"));
  back_->setText(tr("As launched"));
  back_->setToolTip(tr("Back to the numbers of the launch"));
  back_->setIcon(icon(QStringLiteral("arrow-counterclockwise"), IconTone::secondary));
  back_->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  back_->setAccessibleName(back_->text());
  connect(back_, &QToolButton::clicked, this, &OccupancyPanel::reset);
  head->addWidget(title_, 1);
  head->addWidget(back_);
  auto* result = new QHBoxLayout;
  result->setSpacing(12);
  result->addWidget(value_);
  result->addWidget(detail_, 1);
  threads_ = addField(tr("Threads a block"), 1, 1024, 32, 0);
  registers_ = addField(tr("Registers a thread"), 1, 255, 8, 1);
  shared_ = addField(tr("Shared bytes a block"), 0, 1 << 20, 1024, 2);
  OccupancyPlot* plots[] = {byThreads_, byRegisters_, byShared_};
  QSpinBox* fields[] = {threads_, registers_, shared_};
  for (int i = 0; i < 3; ++i) {
    grid_->addWidget(plots[i], 2, i);
    connect(plots[i], &OccupancyPlot::picked, fields[i], &QSpinBox::setValue);
  }
  grid_->setRowStretch(2, 1);
  grid_->setHorizontalSpacing(14);
  grid_->setVerticalSpacing(4);
  for (int i = 0; i < 3; ++i) grid_->setColumnStretch(i, 1);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(12, 8, 12, 10);
  column->setSpacing(6);
  column->addLayout(head);
  column->addLayout(result);
  column->addLayout(grid_, 1);
  column->addWidget(allowed_);
  for (QLabel* text : {detail_, allowed_}) text->setWordWrap(true);
  setArchitecture(usual);
  setFootprint({});
}

QSpinBox* OccupancyPanel::addField(const QString& title, int low, int high, int step, int at) {
  auto* name = label("cardTitle");
  name->setText(title);
  auto* field = new QSpinBox;
  field->setRange(low, high);
  field->setSingleStep(step);
  field->setAccessibleName(title);
  field->setKeyboardTracking(true);
  name->setBuddy(field);
  grid_->addWidget(name, 0, at);
  grid_->addWidget(field, 1, at);
  connect(field, &QSpinBox::valueChanged, this, &OccupancyPanel::refresh);
  return field;
}

void OccupancyPanel::setArchitecture(const std::string& architecture) {
  const auto known = limitsOf(architecture);
  const std::string wanted = known ? architecture : usual;
  if (wanted == architecture_) return;
  architecture_ = wanted;
  limits_ = known ? *known : limitsOf(usual).value_or(MultiprocessorLimits{});
  const QSignalBlocker quiet(registers_), quietShared(shared_);
  registers_->setMaximum(limits_.registersPerThread);
  shared_->setMaximum(int(limits_.sharedPerBlock));
  refresh();
}

void OccupancyPanel::setFootprint(const Footprint& footprint) {
  if (footprint == launched_ && !launched_.name.empty()) return;
  if (!footprint.architecture.empty()) setArchitecture(footprint.architecture);
  launched_ = footprint;
  reset();
}

void OccupancyPanel::reset() {
  const QSignalBlocker quiet(threads_), quietRegisters(registers_), quietShared(shared_);
  threads_->setValue(launched_.threads);
  registers_->setValue(launched_.registers);
  shared_->setValue(int(launched_.sharedBytes));
  refresh();
}

Occupancy OccupancyPanel::occupancy() const {
  return wb::occupancy(limits_, threads_->value(), registers_->value(), shared_->value());
}

QString OccupancyPanel::text() const {
  return value_->text() + QLatin1Char(' ') + detail_->text();
}

void OccupancyPanel::refresh() {
  const Occupancy now = occupancy();
  const int threads = threads_->value(), registers = registers_->value(), shared = shared_->value();
  value_->setText(QString::fromStdString(formatPercent(now.fraction)));
  QString said = now.blocks == 0 ? tr("cannot be launched: %1").arg(QString::fromStdString(now.limiter))
                                 : tr("%1 of %2 warps in %3 blocks a multiprocessor · limited by %4")
                                       .arg(now.warps)
                                       .arg(limits_.warps)
                                       .arg(now.blocks)
                                       .arg(QString::fromStdString(now.limiter));
  const Occupancy launched =
      wb::occupancy(limits_, launched_.threads, launched_.registers, launched_.sharedBytes);
  const bool same = threads == launched_.threads && registers == launched_.registers &&
                    std::int64_t(shared) == launched_.sharedBytes;
  if (!same && !launched_.name.empty())
    said += tr(" · as launched %1").arg(QString::fromStdString(formatPercent(launched.fraction)));
  detail_->setText(said);
  back_->setEnabled(!same);
  QStringList of{tr("Occupancy calculator")};
  for (const std::string& each : {launched_.name, launched_.dtype, architecture_})
    if (!each.empty()) of << QString::fromStdString(each);
  title_->setText(of.join(QStringLiteral(" · ")));
  allowed_->setText(tr("Blocks allowed by registers %1 · shared memory %2 · warps %3 · the hardware %4")
                        .arg(now.byRegisters)
                        .arg(now.byShared)
                        .arg(now.byWarps)
                        .arg(now.byBlocks));
  byThreads_->setCurve([=, limits = limits_](int v) { return wb::occupancy(limits, v, registers, shared); },
                       32, 1024, 32, threads);
  byRegisters_->setCurve([=, limits = limits_](int v) { return wb::occupancy(limits, threads, v, shared); },
                         1, limits_.registersPerThread, 1, registers);
  byShared_->setCurve([=, limits = limits_](int v) { return wb::occupancy(limits, threads, registers, v); },
                      0, int(limits_.sharedPerBlock), 1024, shared);
}

}  // namespace wb

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/run/profile_button.h"

#include <QAction>
#include <QButtonGroup>
#include <QCheckBox>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QRadioButton>
#include <QToolButton>
#include <QVBoxLayout>

#include "core/model/metrics/metric_catalogue.h"
#include "ui/settings/settings.h"
#include "ui/style/icon.h"
#include "ui/window/actions.h"

namespace wb {
namespace {

enum Extent { quick, all, these };

}  // namespace

const std::vector<SanitizerTool>& sanitizerChoices() {
  static const std::vector<SanitizerTool> tools{
      {"memcheck", QT_TR_NOOP("Memory"), QT_TR_NOOP("accesses out of bounds or misaligned, leaks")},
      {"racecheck", QT_TR_NOOP("Races"), QT_TR_NOOP("hazards between threads in shared memory")},
      {"initcheck", QT_TR_NOOP("Uninitialised"), QT_TR_NOOP("reads of global memory that was never written")},
      {"synccheck", QT_TR_NOOP("Barriers"), QT_TR_NOOP("barriers that not all threads reach")}};
  return tools;
}

ProfileButton::ProfileButton(Actions& actions, Settings& settings, QWidget* parent)
    : QWidget(parent),
      settings_(settings),
      profile_(actions.find(QStringLiteral("run.profile"))),
      button_(new QToolButton),
      more_(new QToolButton),
      panel_(new OptionsPanel(440, this)),
      extent_(new QButtonGroup(this)),
      why_(OptionsPanel::hint({}, 0)) {
  button_->setDefaultAction(profile_);
  button_->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  button_->setObjectName(QStringLiteral("splitFirst"));
  button_->setAccessibleName(tr("Profile"));
  more_->setObjectName(QStringLiteral("splitLast"));
  more_->setIcon(icon(QStringLiteral("chevron-down"), IconTone::secondary));
  more_->setIconSize({10, 10});
  more_->setToolTip(tr("What a profile looks at"));
  more_->setAccessibleName(tr("Profile options"));
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(0);
  row->addWidget(button_);
  row->addWidget(more_);
  for (QToolButton* each : {button_, more_}) each->setFocusPolicy(Qt::TabFocus);
  buildPanel(actions);
  restore();
  connect(more_, &QToolButton::clicked, this, &ProfileButton::open);
}

void ProfileButton::buildPanel(Actions& actions) {
  QVBoxLayout* column = panel_->column();
  column->addWidget(why_);
  column->addWidget(OptionsPanel::heading(tr("Metrics")));
  column->addSpacing(2);
  addExtent(quick, tr("Quick"), tr("The metrics that say most and share few passes over the kernel."));
  addExtent(all, tr("All sections"), tr("A second or two for both sides."));
  addExtent(these, tr("These sections"), {});
  addSections();
  column->addSpacing(10);
  column->addWidget(OptionsPanel::heading(tr("Also look at")));
  column->addSpacing(2);
  lines_ =
      addCheck(tr("Hot lines"), tr("Samples where the candidate's warps stand, and what they wait for."));
  timeline_ = addCheck(tr("Timeline"), tr("What host and device did during one call of each side."));
  column->addSpacing(8);
  addSanitizer(actions);
  connect(extent_, &QButtonGroup::idToggled, this, [this] { remember(); });
  for (QCheckBox* box : {lines_, timeline_}) connect(box, &QCheckBox::toggled, this, [this] { remember(); });
}

void ProfileButton::addExtent(int id, const QString& text, const QString& says) {
  auto* choice = new QRadioButton(text);
  choice->setAccessibleDescription(says);
  extent_->addButton(choice, id);
  panel_->column()->addWidget(choice);
  if (!says.isEmpty()) panel_->column()->addWidget(OptionsPanel::hint(says));
}

void ProfileButton::addSections() {
  auto* grid = new QGridLayout;
  grid->setContentsMargins(24, 2, 0, 0);
  grid->setVerticalSpacing(2);
  const auto known = metricSections();
  const int half = (int(known.size()) + 1) / 2;
  for (int i = 0; i < int(known.size()); ++i) {
    auto* box = new QCheckBox(QString::fromStdString(known[size_t(i)].title));
    box->setObjectName(QString::fromStdString(known[size_t(i)].id));
    box->setToolTip(QString::fromStdString(known[size_t(i)].meaning));
    grid->addWidget(box, i % half, i / half);
    sections_.push_back(box);
    connect(box, &QCheckBox::toggled, this, [this] { remember(); });
  }
  panel_->column()->addLayout(grid);
}

void ProfileButton::addSanitizer(Actions& actions) {
  QVBoxLayout* column = panel_->column();
  column->addWidget(OptionsPanel::heading(tr("Watch with compute-sanitizer instead")));
  column->addWidget(OptionsPanel::hint(
      tr("Checks the cases once more, slowly; what it finds is marked in the editor."), 0));
  auto* row = new QHBoxLayout;
  row->setSpacing(6);
  for (const SanitizerTool& tool : sanitizerChoices()) {
    auto* button = new QToolButton;
    button->setObjectName(QStringLiteral("outlined"));
    button->setDefaultAction(actions.find(QStringLiteral("run.sanitize.") + QLatin1String(tool.id)));
    button->setText(tr(tool.title));
    button->setToolButtonStyle(Qt::ToolButtonTextOnly);
    button->setFocusPolicy(Qt::StrongFocus);
    // The action's own text names the program, which the heading says already.
    connect(button->defaultAction(), &QAction::changed, button,
            [button, &tool] { button->setText(tr(tool.title)); });
    connect(button, &QToolButton::clicked, panel_, &QWidget::hide);
    row->addWidget(button);
  }
  row->addStretch();
  column->addLayout(row);
}

QCheckBox* ProfileButton::addCheck(const QString& text, const QString& says) {
  auto* box = new QCheckBox(text);
  box->setAccessibleDescription(says);
  panel_->column()->addWidget(box);
  panel_->column()->addWidget(OptionsPanel::hint(says));
  return box;
}

void ProfileButton::restore() {
  const QSignalBlocker quietExtent(extent_), quietLines(lines_), quietTimeline(timeline_);
  const QString said = settings_.text("profile/sections", QStringLiteral("quick"));
  const QStringList chosen = settings_.text("profile/these").split(QLatin1Char(','), Qt::SkipEmptyParts);
  for (QCheckBox* box : sections_) {
    const QSignalBlocker quiet(box);
    box->setChecked(chosen.contains(box->objectName()));
  }
  const int extent = said == QLatin1String("all") ? all : said == QLatin1String("these") ? these : quick;
  extent_->button(extent)->setChecked(true);
  lines_->setChecked(settings_.number("profile/lines", 1) != 0);
  timeline_->setChecked(settings_.number("profile/timeline", 1) != 0);
  setGpu(false);
  remember();
}

void ProfileButton::remember() {
  const int extent = extent_->checkedId();
  settings_.setText("profile/sections", extent == all     ? QStringLiteral("all")
                                        : extent == these ? QStringLiteral("these")
                                                          : QStringLiteral("quick"));
  QStringList chosen;
  for (QCheckBox* box : sections_) {
    if (box->isChecked()) chosen << box->objectName();
    box->setEnabled(gpu_ && extent == these);
  }
  settings_.setText("profile/these", chosen.join(QLatin1Char(',')));
  settings_.setNumber("profile/lines", lines_->isChecked() ? 1 : 0);
  settings_.setNumber("profile/timeline", timeline_->isChecked() ? 1 : 0);
}

ProfilePlan ProfileButton::plan() const {
  ProfilePlan plan;
  plan.lines = lines_->isChecked();
  plan.timeline = timeline_->isChecked();
  if (extent_->checkedId() == all) plan.sections = {"all"};
  if (extent_->checkedId() == these) {
    plan.sections.clear();
    for (const QCheckBox* box : sections_)
      if (box->isChecked()) plan.sections.push_back(box->objectName().toStdString());
  }
  return plan;
}

void ProfileButton::setGpu(bool gpu) {
  gpu_ = gpu;
  for (QAbstractButton* choice : extent_->buttons()) choice->setEnabled(gpu);
  for (QCheckBox* box : {lines_, timeline_}) box->setEnabled(gpu);
  for (QCheckBox* box : sections_) box->setEnabled(gpu && extent_->checkedId() == these);
  why_->setText(
      tr("The CPU has no counters: a profile here is the kernel's machine code. Choose a GPU under "
         "Device for the rest."));
  why_->setVisible(!gpu);
  const QString keys = profile_->shortcut().toString(QKeySequence::NativeText);
  profile_->setToolTip(
      gpu ? tr("Run, then ask the device why it is as fast as it is  (%1)").arg(keys)
          : tr("Machine code only: metrics, hot lines and the timeline need a GPU  (%1)").arg(keys));
}

void ProfileButton::open() {
  panel_->openBelow(*this);
  extent_->checkedButton()->setFocus();
}

}  // namespace wb

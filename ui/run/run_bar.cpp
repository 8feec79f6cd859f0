// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/run/run_bar.h"

#include <QAction>
#include <QComboBox>
#include <QCompleter>
#include <QLineEdit>
#include <QResizeEvent>
#include <QStyle>
#include <QToolButton>
#include <algorithm>

#include "core/jobs/effort.h"
#include "core/suites/suites.h"
#include "ui/run/checking_button.h"
#include "ui/run/profile_button.h"
#include "ui/run/suite_box.h"
#include "ui/settings/settings.h"
#include "ui/style/icon.h"
#include "ui/targets/device_box.h"
#include "ui/window/actions.h"

namespace wb {
namespace {

/// Below this width of the window the bar does without words; a box is then so wide.
constexpr int narrowWidth = 1240, narrowBox = 118;

}  // namespace

RunBar::RunBar(Actions& actions, Settings& settings, QWidget* parent)
    : QToolBar(tr("Run"), parent), actions_(actions), settings_(settings) {
  setObjectName(QStringLiteral("runBar"));
  setMovable(false);
  setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  run_ = new QToolButton;
  run_->setObjectName(QStringLiteral("runButton"));
  run_->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  addWidget(run_);
  profile_ = new ProfileButton(actions_, settings_);
  addWidget(profile_);
  addWidget(actionButton(QStringLiteral("report.export")));
  addSeparator();

  operator_ = combo(tr("Operator"), tr("The ATen operator that the kernel implements"), 190);
  operator_->setEditable(true);
  operator_->setInsertPolicy(QComboBox::NoInsert);
  operator_->lineEdit()->setAccessibleName(tr("Operator"));
  operator_->lineEdit()->setPlaceholderText(tr("Operator: from kernel"));
  operator_->lineEdit()->setClearButtonEnabled(true);
  operator_->completer()->setCompletionMode(QCompleter::PopupCompletion);
  operator_->completer()->setFilterMode(Qt::MatchContains);
  suite_ = new SuiteBox;
  dress(*suite_, tr("Suite"), tr("The cases to check and time"), 110);
  dtype_ = combo(tr("Dtype of the suite"),
                 tr("The element type whose cases the suite takes; auto: the one that the kernel's text is "
                    "for, else bfloat16"),
                 96);
  addDtypes();
  device_ = new DeviceBox;
  dress(*device_, tr("Device"), tr("Where to run"), 170);
  device_->choose(settings_.text("run/device"));
  effort_ = combo(tr("Effort"),
                  tr("Time spent on each case: quick %1 s, standard %2 s, thorough %3 s")
                      .arg(capSeconds(Effort::quick))
                      .arg(capSeconds(Effort::standard))
                      .arg(capSeconds(Effort::thorough)),
                  100);
  effort_->addItem(tr("Quick"), capSeconds(Effort::quick));
  effort_->addItem(tr("Standard"), capSeconds(Effort::standard));
  effort_->addItem(tr("Thorough"), capSeconds(Effort::thorough));
  effort_->addItem(tr("Check only"), 0.0);
  effort_->setCurrentIndex(std::clamp(settings_.number("run/effort", 1), 0, 3));
  checking_ = new CheckingButton(settings_);
  addWidget(operator_);
  addWidget(suite_);
  dtypeShown_ = addWidget(dtype_);
  dtypeShown_->setVisible(false);  // it is shown when the list of suites says that the chosen one takes it
  addWidget(device_);
  addWidget(effort_);
  addWidget(checking_);
  squeezed_.push_back(checking_);
  suite_->choose(settings_.text("run/suite", QStringLiteral("smoke")));
  connectSuites();
  addSpacer();
  addWidget(actionButton(QStringLiteral("view.palette")));
  actionButton(QStringLiteral("view.theme"))->setToolButtonStyle(Qt::ToolButtonIconOnly);
  addWidget(squeezed_.takeLast());

  connect(operator_, &QComboBox::editTextChanged, this, [this](const QString& text) {
    if (!document_.isEmpty()) operatorOf_[document_] = text;
  });
  connect(device_, &DeviceBox::picked, this, [this] { settings_.setText("run/device", device_->chosen()); });
  connect(device_, &DeviceBox::placeChanged, this, &RunBar::deviceChanged);
  connect(effort_, &QComboBox::activated, this,
          [this](int index) { settings_.setNumber("run/effort", index); });
  connect(&settings_, &Settings::changed, this, &RunBar::settingChanged);
  // Run and Cancel take the same room, so that nothing moves when one becomes the other.
  int widest = 0;
  for (const bool running : {true, false}) {
    setRunning(running);
    widest = std::max(widest, run_->sizeHint().width());
  }
  run_->setMinimumWidth(widest);
  if (auto* more = findChild<QToolButton*>(QStringLiteral("qt_toolbar_ext_button"))) {
    more->setIcon(icon(QStringLiteral("three-dots"), IconTone::secondary));
    more->setAccessibleName(tr("More of the tool bar"));
  }
}

// The settings page changes some of what stands here.
void RunBar::settingChanged(const QString& key) {
  if (key == QLatin1String("run/effort"))
    effort_->setCurrentIndex(std::clamp(settings_.number("run/effort", 1), 0, 3));
  if (key == QLatin1String("run/device")) device_->choose(settings_.text("run/device"));
}

QComboBox* RunBar::combo(const QString& name, const QString& tip, int width) {
  auto* made = new QComboBox;
  dress(*made, name, tip, width);
  return made;
}

void RunBar::dress(QComboBox& box, const QString& name, const QString& tip, int width) {
  box.setAccessibleName(name);
  box.setToolTip(tip);
  box.setMinimumWidth(width);
  box.setSizeAdjustPolicy(QComboBox::AdjustToContents);
  box.setMaximumWidth(width + 90);
  boxes_.emplace_back(&box, width);
  box.setMaxVisibleItems(18);
}

void RunBar::addDtypes() {
  // The dtypes as torch names them; small ones that few operators know come last.
  for (const char* name : {"auto", "bfloat16", "float16", "float32", "float64", "int64", "int32", "int16",
                           "int8", "uint8", "bool", "complex64", "complex128"})
    dtype_->addItem(QString::fromLatin1(name));
  dtype_->setCurrentText(settings_.text("run/dtype", QStringLiteral("auto")));
}

void RunBar::connectSuites() {
  connect(suite_, &SuiteBox::fileWanted, this, &RunBar::suiteFileWanted);
  connect(suite_, &SuiteBox::chosenChanged, this, [this] {
    settings_.setText("run/suite", suite_->chosen());
    dtypeShown_->setVisible(suite_->takesDtype());
  });
  connect(dtype_, &QComboBox::activated, this,
          [this] { settings_.setText("run/dtype", dtype_->currentText()); });
}

void RunBar::setSuites(const std::vector<SuiteInfo>& suites) {
  suite_->setSuites(suites);
}

void RunBar::setSuiteFile(const QString& file) {
  suite_->choose(file);
}

void RunBar::setOperators(const QStringList& names) {
  const QString text = operator_->currentText();
  const QSignalBlocker quiet(operator_);
  operator_->clear();
  operator_->addItems(names);
  operator_->setCurrentIndex(-1);
  operator_->setEditText(text);
}

// What was chosen for one kernel says nothing of another, so each document has its own.
void RunBar::setDocument(const QString& id) {
  if (id == document_) return;
  document_ = id;
  const QSignalBlocker quiet(operator_);
  operator_->setCurrentIndex(-1);
  operator_->setEditText(operatorOf_.value(id));
}

void RunBar::setOperator(const QString& documentId, const QString& op) {
  operatorOf_[documentId] = op;
  if (documentId != document_) return;
  const QSignalBlocker quiet(operator_);
  operator_->setEditText(op);
}

void RunBar::setDevices(const std::vector<Device>& there) {
  device_->setDevices(there);
}

RunPlace RunBar::place() const {
  return device_->place(checking_->workers());
}

bool RunBar::hasGpu() const {
  return device_->hasGpu();
}

QString RunBar::deviceTitle() const {
  return device_->place(1).targets.empty() && !device_->hasSeveral() ? device_->currentText() : QString();
}

JobRequest RunBar::request() const {
  JobRequest request;
  request.op = operator_->currentText().trimmed().toStdString();
  request.suite = suite_->chosen().toStdString();
  request.dtype = dtype_->currentText().toStdString();
  request.tolerance = checking_->tolerance();
  request.checking = checking_->checking();
  request.strict = settings_.number("judge/strict", 0) != 0;
  const double cap = effort_->currentData().toDouble();
  request.stages.set(Stage::time, cap > 0);
  if (cap > 0) request.timing.capSeconds = cap;
  request.sandbox = settings_.number("walls/sandbox", 0) != 0;
  request.limits.caseSeconds = settings_.real("limits/case", request.limits.caseSeconds);
  request.limits.firstCallSeconds = settings_.real("limits/firstCall", request.limits.firstCallSeconds);
  return request;
}

void RunBar::setRunning(bool running) {
  QAction* action = actions_.find(running ? QStringLiteral("run.cancel") : QStringLiteral("run.start"));
  run_->setDefaultAction(action);
  run_->setIcon(running ? icon(QStringLiteral("stop-fill"), IconTone::bad)
                        : icon(QStringLiteral("play-fill"), IconTone::onAccent));
  run_->setAccessibleName(action->text());
  run_->setProperty("running", running);
  run_->style()->unpolish(run_);
  run_->style()->polish(run_);
}

void RunBar::addSpacer() {
  auto* spacer = new QWidget;
  spacer->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
  addWidget(spacer);
}

QToolButton* RunBar::actionButton(const QString& id) {
  auto* made = new QToolButton;
  made->setDefaultAction(actions_.find(id));
  made->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  made->setAccessibleName(actions_.find(id)->text());
  squeezed_.push_back(made);
  return made;
}

// In a narrow window the words go before any button does: what is behind an arrow is found by nobody.
void RunBar::resizeEvent(QResizeEvent* event) {
  const bool isNarrow = event->size().width() < narrowWidth;
  if (isNarrow != isNarrow_) {
    isNarrow_ = isNarrow;
    operator_->lineEdit()->setPlaceholderText(isNarrow ? tr("From kernel") : tr("Operator: from kernel"));
    for (QToolButton* button : squeezed_)
      button->setToolButtonStyle(isNarrow ? Qt::ToolButtonIconOnly : Qt::ToolButtonTextBesideIcon);
    for (const auto& [box, width] : boxes_) {
      box->setMinimumWidth(isNarrow ? std::min(width, narrowBox) : width);
      box->setMaximumWidth(isNarrow ? std::min(width, narrowBox) : width + 90);
    }
  }
  QToolBar::resizeEvent(event);
}

}  // namespace wb

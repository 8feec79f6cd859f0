// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/settings/python_panel.h"

#include <QFileDialog>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <algorithm>

#include "ui/run/python_check.h"
#include "ui/settings/environments.h"
#include "ui/settings/settings.h"
#include "ui/style/background.h"

namespace wb {
namespace {

/// How long typing pauses before a program is examined, in milliseconds.
constexpr int pause = 350;

}  // namespace

PythonPanel::PythonPanel(Settings& settings, QWidget* parent)
    : NamedList(tr("Its torch and its packages are what kernels run with and suites are made from. The first "
                   "holds for all tabs; a tab can choose another in the Run menu."),
                tr("Python environments"), parent),
      settings_(settings),
      name_(new QLineEdit),
      python_(new QLineEdit),
      add_(makeButton(tr("Add"), tr("Add an environment"))),
      remove_(makeButton(tr("Remove"), tr("Remove the environment"))) {
  build();
  delay_.setSingleShot(true);
  delay_.setInterval(pause);
  connect(&delay_, &QTimer::timeout, this, &PythonPanel::ask);
  connect(&list(), &QListWidget::currentRowChanged, this, &PythonPanel::showSelected);
  connect(add_, &QPushButton::clicked, this, &PythonPanel::add);
  connect(remove_, &QPushButton::clicked, this, &PythonPanel::remove);
  connect(name_, &QLineEdit::editingFinished, this, &PythonPanel::rename);
  connect(python_, &QLineEdit::textChanged, this, [this] {
    if (showing_) return;
    // An answer about what stood there before says nothing of what stands there now.
    question_.request_stop();
    ++asked_;
    asking_ = taken_ = false;
    delay_.start();
  });
  fill(0);
}

PythonPanel::~PythonPanel() {
  question_.request_stop();
}

void PythonPanel::build() {
  name_->setAccessibleName(tr("Name of the environment"));
  python_->setAccessibleName(tr("Python of the environment"));
  python_->setPlaceholderText(tr("Found automatically"));
  python_->setClearButtonEnabled(true);
  auto* browse = new QPushButton(tr("Browse…"));
  browse->setAccessibleName(tr("Browse for Python"));
  browse->setAutoDefault(false);
  connect(browse, &QPushButton::clicked, this, &PythonPanel::browse);
  auto* program = new QHBoxLayout;
  program->setSpacing(8);
  program->addWidget(python_, 1);
  program->addWidget(browse);
  addField(tr("Name"), name_);
  addField(tr("Program"), program);
}

void PythonPanel::fill(int row) {
  showing_ = true;
  list().clear();
  list().addItem(tr("All tabs"));
  for (const Environment& each : environments(settings_)) list().addItem(each.name);
  showing_ = false;
  list().setCurrentRow(std::clamp(row, 0, list().count() - 1));
}

void PythonPanel::showSelected() {
  if (showing_ || list().currentRow() < 0) return;
  showing_ = true;
  const int row = list().currentRow();
  const QList<Environment> all = environments(settings_);
  const bool isNamed = row > 0 && row <= all.size();
  name_->setEnabled(isNamed);
  remove_->setEnabled(isNamed);
  name_->setText(isNamed ? all[row - 1].name : tr("All tabs"));
  python_->setText(isNamed ? all[row - 1].python : settings_.text("python/path"));
  showing_ = false;
  ask();
}

void PythonPanel::add() {
  QList<Environment> all = environments(settings_);
  QString name = tr("New");
  const auto isTaken = [&] {
    return std::ranges::any_of(all, [&](const Environment& each) { return each.name == name; });
  };
  for (int i = 2; isTaken(); ++i) name = tr("New %1").arg(i);
  all.push_back({name, {}});
  setEnvironments(settings_, all);
  fill(int(all.size()));
  name_->setFocus();
  name_->selectAll();
}

void PythonPanel::remove() {
  QList<Environment> all = environments(settings_);
  const int row = list().currentRow();
  if (row < 1 || row > all.size()) return;
  all.removeAt(row - 1);
  setEnvironments(settings_, all);
  fill(row - 1);
}

void PythonPanel::rename() {
  QList<Environment> all = environments(settings_);
  const int row = list().currentRow();
  const QString name = name_->text().trimmed();
  if (row < 1 || row > all.size() || name.isEmpty() || name == all[row - 1].name) return;
  all[row - 1].name = name;
  setEnvironments(settings_, all);
  list().item(row)->setText(name);
}

void PythonPanel::browse() {
  const QString file = QFileDialog::getOpenFileName(this, tr("The python program of an environment"),
                                                    python_->text().trimmed());
  if (!file.isEmpty()) python_->setText(file);
}

void PythonPanel::ask() {
  question_.request_stop();
  question_ = {};
  asking_ = true;
  taken_ = false;
  tell(QStringLiteral("hourglass-split"), IconTone::secondary, tr("Looking at it…"), {});
  inBackground(
      this,
      [given = python_->text().trimmed().toStdString(), stop = question_.get_token()] {
        return askPython(given, stop);
      },
      [this, mine = ++asked_](const Result<PythonFacts>& facts) {
        if (mine == asked_) answer(facts);
      });
}

void PythonPanel::answer(const Result<PythonFacts>& facts) {
  asking_ = false;
  const bool automatic = python_->text().trimmed().isEmpty();
  // Where the environment does not exist, nothing else can be done than to let it be found, so this is always
  // allowed.
  taken_ = facts.has_value() || automatic;
  if (taken_) {
    const QString program = facts && !automatic ? QString::fromStdString(facts->path.string()) : QString();
    QList<Environment> all = environments(settings_);
    const int row = list().currentRow();
    if (row == 0) {
      settings_.setText("python/path", program);
    } else if (row <= all.size()) {
      all[row - 1].python = program;
      setEnvironments(settings_, all);
    }
  }
  if (!facts)
    return tellResult(false, QString::fromStdString(facts.error().text),
                      QString::fromStdString(facts.error().hint));
  const QString path = QString::fromStdString(facts->path.string());
  tellResult(true, QString::fromStdString(describe(*facts)),
             automatic ? tr("Found automatically: %1").arg(path) : path);
}

}  // namespace wb

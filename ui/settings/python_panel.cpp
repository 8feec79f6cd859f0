// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/settings/python_panel.h"

#include <QFileDialog>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/run/python_check.h"
#include "ui/settings/environments.h"
#include "ui/settings/settings.h"
#include "ui/style/background.h"
#include "ui/style/icon.h"

namespace wb {
namespace {

/// How long typing pauses before a program is examined, in milliseconds.
constexpr int pause = 350;

QLabel* label(const QString& text, const char* style) {
  auto* made = new QLabel(text);
  made->setObjectName(QString::fromLatin1(style));
  made->setWordWrap(true);
  made->setTextFormat(Qt::PlainText);
  return made;
}

}  // namespace

PythonPanel::PythonPanel(Settings& settings, QWidget* parent)
    : QWidget(parent),
      settings_(settings),
      list_(new QListWidget),
      name_(new QLineEdit),
      python_(new QLineEdit),
      add_(new QPushButton(tr("Add"))),
      remove_(new QPushButton(tr("Remove"))),
      sign_(new QLabel),
      message_(label({}, "")),
      hint_(label({}, "hint")) {
  build();
  delay_.setSingleShot(true);
  delay_.setInterval(pause);
  connect(&delay_, &QTimer::timeout, this, &PythonPanel::ask);
  connect(list_, &QListWidget::currentRowChanged, this, &PythonPanel::showSelected);
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
  list_->setAccessibleName(tr("Python environments"));
  list_->setFixedHeight(112);
  name_->setAccessibleName(tr("Name of the environment"));
  python_->setAccessibleName(tr("Python of the environment"));
  python_->setPlaceholderText(tr("Found automatically"));
  python_->setClearButtonEnabled(true);
  auto* browse = new QPushButton(tr("Browse…"));
  browse->setAccessibleName(tr("Browse for Python"));
  connect(browse, &QPushButton::clicked, this, &PythonPanel::browse);
  add_->setAccessibleName(tr("Add an environment"));
  remove_->setAccessibleName(tr("Remove the environment"));
  for (QPushButton* button : {add_, remove_, browse}) button->setAutoDefault(false);
  sign_->setFixedSize(16, 18);
  for (QLabel* line : {message_, hint_}) line->setMinimumHeight(line->fontMetrics().height() + 2);
  auto* buttons = new QVBoxLayout;
  buttons->addWidget(add_);
  buttons->addWidget(remove_);
  buttons->addStretch();
  auto* above = new QHBoxLayout;
  above->addWidget(list_, 1);
  above->addLayout(buttons);
  auto* program = new QHBoxLayout;
  program->setSpacing(8);
  program->addWidget(python_, 1);
  program->addWidget(browse);
  auto* fields = new QGridLayout;
  fields->setHorizontalSpacing(12);
  fields->setColumnStretch(1, 1);
  fields->addWidget(new QLabel(tr("Name")), 0, 0);
  fields->addWidget(name_, 0, 1);
  fields->addWidget(new QLabel(tr("Program")), 1, 0);
  fields->addLayout(program, 1, 1);
  auto* said = new QGridLayout;
  said->setContentsMargins(2, 4, 0, 0);
  said->setHorizontalSpacing(8);
  said->setVerticalSpacing(2);
  said->setColumnStretch(1, 1);
  said->addWidget(sign_, 0, 0, Qt::AlignTop);
  said->addWidget(message_, 0, 1);
  said->addWidget(hint_, 1, 1);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->addWidget(label(tr("Its torch and its packages are what kernels run with and suites are made from. "
                             "The first holds for all tabs; a tab can choose another in the Run menu."),
                          "hint"));
  column->addLayout(above);
  column->addLayout(fields);
  column->addLayout(said);
}

void PythonPanel::fill(int row) {
  showing_ = true;
  list_->clear();
  list_->addItem(tr("All tabs"));
  for (const Environment& each : environments(settings_)) list_->addItem(each.name);
  showing_ = false;
  list_->setCurrentRow(std::clamp(row, 0, list_->count() - 1));
}

void PythonPanel::showSelected() {
  if (showing_ || list_->currentRow() < 0) return;
  showing_ = true;
  const int row = list_->currentRow();
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
  const int row = list_->currentRow();
  if (row < 1 || row > all.size()) return;
  all.removeAt(row - 1);
  setEnvironments(settings_, all);
  fill(row - 1);
}

void PythonPanel::rename() {
  QList<Environment> all = environments(settings_);
  const int row = list_->currentRow();
  const QString name = name_->text().trimmed();
  if (row < 1 || row > all.size() || name.isEmpty() || name == all[row - 1].name) return;
  all[row - 1].name = name;
  setEnvironments(settings_, all);
  list_->item(row)->setText(name);
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
  tell(QStringLiteral("hourglass-split"), int(IconTone::secondary), tr("Looking at it…"), {});
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
    const int row = list_->currentRow();
    if (row == 0) {
      settings_.setText("python/path", program);
    } else if (row <= all.size()) {
      all[row - 1].python = program;
      setEnvironments(settings_, all);
    }
  }
  if (!facts)
    return tell(QStringLiteral("x-circle-fill"), int(IconTone::bad),
                QString::fromStdString(facts.error().text), QString::fromStdString(facts.error().hint));
  const QString path = QString::fromStdString(facts->path.string());
  tell(QStringLiteral("check-circle-fill"), int(IconTone::good), QString::fromStdString(describe(*facts)),
       automatic ? tr("Found automatically: %1").arg(path) : path);
}

void PythonPanel::tell(const QString& picture, int tone, const QString& text, const QString& hint) {
  sign_->setPixmap(icon(picture, IconTone(tone)).pixmap(QSize(16, 16), devicePixelRatioF()));
  message_->setText(text);
  hint_->setText(hint);
}

QString PythonPanel::message() const {
  return message_->text();
}

}  // namespace wb

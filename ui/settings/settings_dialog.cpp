// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/settings/settings_dialog.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QDoubleSpinBox>
#include <QFileDialog>
#include <QFrame>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QVBoxLayout>

#include "core/model/job.h"
#include "ui/run/python_check.h"
#include "ui/settings/settings.h"
#include "ui/style/background.h"
#include "ui/style/icon.h"

namespace wb {
namespace {

QLabel* label(const QString& text, const char* style) {
  auto* made = new QLabel(text);
  made->setObjectName(QString::fromLatin1(style));
  made->setWordWrap(true);
  made->setTextFormat(Qt::PlainText);
  return made;
}

QDoubleSpinBox* seconds(double value) {
  auto* box = new QDoubleSpinBox;
  box->setRange(0.1, 86400);
  box->setDecimals(1);
  box->setSuffix(QStringLiteral(" s"));
  box->setValue(value);
  return box;
}

QFrame* card(QVBoxLayout*& column) {
  auto* frame = new QFrame;
  frame->setObjectName(QStringLiteral("card"));
  column = new QVBoxLayout(frame);
  column->setContentsMargins(16, 14, 16, 16);
  column->setSpacing(6);
  return frame;
}

/// A card with one thing to switch on, and a sentence about what it does.
QFrame* choiceCard(const QString& heading, const QString& sentence, QCheckBox* choice) {
  QVBoxLayout* column = nullptr;
  QFrame* frame = card(column);
  column->addWidget(label(heading, "heading"));
  column->addWidget(label(sentence, "hint"));
  column->addWidget(choice);
  return frame;
}

}  // namespace

SettingsDialog::SettingsDialog(Settings& settings, QWidget* parent)
    : QDialog(parent),
      settings_(settings),
      python_(new QLineEdit),
      theme_(new QComboBox),
      strict_(new QCheckBox(tr("Judge strictly"))),
      caseSeconds_(seconds(settings.real("limits/case", Limits{}.caseSeconds))),
      firstCallSeconds_(seconds(settings.real("limits/firstCall", Limits{}.firstCallSeconds))),
      sandbox_(new QCheckBox(tr("Run kernels inside walls"))),
      sign_(new QLabel),
      message_(label({}, "")),
      hint_(label({}, "hint")) {
  setObjectName(QStringLiteral("settings"));
  setWindowTitle(tr("Settings"));
  setMinimumWidth(620);
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel);
  ok_ = buttons->addButton(tr("Save"), QDialogButtonBox::AcceptRole);
  ok_->setDefault(true);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(18, 16, 18, 16);
  column->setSpacing(12);
  column->addWidget(label(tr("Settings"), "title"));
  column->addWidget(buildPython());
  column->addWidget(buildJudging());
  column->addWidget(buildLimits());
  column->addWidget(buildWalls());
  column->addWidget(buildLook());
  column->addStretch();
  column->addWidget(buttons);
  connect(buttons, &QDialogButtonBox::accepted, this, &SettingsDialog::take);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  delay_.setSingleShot(true);
  delay_.setInterval(350);
  connect(&delay_, &QTimer::timeout, this, &SettingsDialog::ask);
  ask();
}

SettingsDialog::~SettingsDialog() {
  question_.request_stop();
}

QWidget* SettingsDialog::buildPython() {
  QVBoxLayout* column = nullptr;
  QFrame* frame = card(column);
  column->addWidget(label(tr("Python environment"), "heading"));
  column->addWidget(
      label(tr("Its torch and its packages are what kernels run with and suites are made from. Leave "
               "it empty for the one that Warpbench finds."),
            "hint"));
  column->addSpacing(4);
  python_->setAccessibleName(tr("Python of the environment"));
  python_->setPlaceholderText(tr("Found automatically"));
  python_->setClearButtonEnabled(true);
  python_->setText(settings_.text("python/path"));
  auto* browseButton = new QPushButton(tr("Browse…"));
  browseButton->setAutoDefault(false);
  browseButton->setAccessibleName(tr("Browse for Python"));
  auto* row = new QHBoxLayout;
  row->setSpacing(8);
  row->addWidget(python_, 1);
  row->addWidget(browseButton);
  column->addLayout(row);
  auto* said = new QGridLayout;
  said->setContentsMargins(2, 4, 0, 0);
  said->setHorizontalSpacing(8);
  said->setVerticalSpacing(2);
  said->setColumnStretch(1, 1);
  sign_->setFixedSize(16, 18);
  said->addWidget(sign_, 0, 0, Qt::AlignTop);
  for (QLabel* line : {message_, hint_}) line->setMinimumHeight(line->fontMetrics().height() + 2);
  said->addWidget(message_, 0, 1);
  said->addWidget(hint_, 1, 1);
  column->addLayout(said);
  connect(browseButton, &QPushButton::clicked, this, &SettingsDialog::browse);
  connect(python_, &QLineEdit::textChanged, this, [this] {
    ok_->setEnabled(false);
    delay_.start();
  });
  return frame;
}

QWidget* SettingsDialog::buildJudging() {
  strict_->setChecked(settings_.number("judge/strict", 0) != 0);
  return choiceCard(tr("Judging"),
                    tr("A kernel then runs in a process of its own, inside walls, which never holds the "
                       "expected answer or the clock. So far this is for the CPU."),
                    strict_);
}

QWidget* SettingsDialog::buildLimits() {
  QVBoxLayout* column = nullptr;
  QFrame* frame = card(column);
  column->addWidget(label(tr("Limits"), "heading"));
  column->addWidget(
      label(tr("A kernel that takes longer is ended and counts as hung. The first call of a case "
               "has a limit of its own where the language may compile or tune then, as Triton "
               "does."),
            "hint"));
  const auto add = [&](const QString& text, QDoubleSpinBox* box) {
    box->setAccessibleName(text);
    auto* row = new QHBoxLayout;
    row->addWidget(label(text, ""), 1);
    row->addWidget(box);
    column->addLayout(row);
  };
  add(tr("A case"), caseSeconds_);
  add(tr("First call of a case"), firstCallSeconds_);
  return frame;
}

QWidget* SettingsDialog::buildWalls() {
  sandbox_->setChecked(settings_.number("walls/sandbox", 0) != 0);
  return choiceCard(
      tr("Walls"),
      tr("Kernels and their compilers then reach no files but their own, no network and no other "
         "processes. Each run starts its worker anew, which takes some seconds."),
      sandbox_);
}

QWidget* SettingsDialog::buildLook() {
  QVBoxLayout* column = nullptr;
  QFrame* frame = card(column);
  theme_->setAccessibleName(tr("Theme"));
  theme_->addItem(tr("As the desktop"), name(ThemeChoice::system));
  theme_->addItem(tr("Dark"), name(ThemeChoice::dark));
  theme_->addItem(tr("Light"), name(ThemeChoice::light));
  theme_->setCurrentIndex(std::max(0, theme_->findData(name(settings_.theme()))));
  auto* row = new QHBoxLayout;
  row->addWidget(label(tr("Theme"), "heading"), 1);
  row->addWidget(theme_);
  column->addLayout(row);
  return frame;
}

void SettingsDialog::browse() {
  const QString start = python_->text().trimmed();
  const QString file = QFileDialog::getOpenFileName(this, tr("The python program of an environment"), start);
  if (!file.isEmpty()) python_->setText(file);
}

void SettingsDialog::ask() {
  question_.request_stop();
  question_ = {};
  asking_ = true;
  ok_->setEnabled(false);
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

void SettingsDialog::answer(const Result<PythonFacts>& facts) {
  asking_ = false;
  const bool automatic = python_->text().trimmed().isEmpty();
  // Where the environment does not exist, nothing else can be done than to let it be found, so this is always
  // allowed.
  ok_->setEnabled(facts.has_value() || automatic);
  program_ = facts && !automatic ? QString::fromStdString(facts->path.string()) : QString();
  if (!facts)
    return tell(QStringLiteral("x-circle-fill"), int(IconTone::bad),
                QString::fromStdString(facts.error().text), QString::fromStdString(facts.error().hint));
  const QString path = QString::fromStdString(facts->path.string());
  tell(QStringLiteral("check-circle-fill"), int(IconTone::good), QString::fromStdString(describe(*facts)),
       automatic ? tr("Found automatically: %1").arg(path) : path);
}

void SettingsDialog::tell(const QString& picture, int tone, const QString& text, const QString& hint) {
  sign_->setPixmap(icon(picture, IconTone(tone)).pixmap(QSize(16, 16), devicePixelRatioF()));
  message_->setText(text);
  hint_->setText(hint);
  layout()->activate();
  resize(width(), std::max(height(), layout()->totalHeightForWidth(width())));
}

QString SettingsDialog::message() const {
  return message_->text();
}

void SettingsDialog::take() {
  if (program_ != settings_.text("python/path")) {
    settings_.setText("python/path", program_);
    emit pythonChosen(program_);
  }
  if (const QString chosen = theme_->currentData().toString(); chosen != name(settings_.theme()))
    emit themeChosen(chosen);
  settings_.setNumber("judge/strict", strict_->isChecked() ? 1 : 0);
  settings_.setReal("limits/case", caseSeconds_->value());
  settings_.setReal("limits/firstCall", firstCallSeconds_->value());
  settings_.setNumber("walls/sandbox", sandbox_->isChecked() ? 1 : 0);
  accept();
}

}  // namespace wb

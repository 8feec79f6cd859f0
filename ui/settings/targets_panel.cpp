// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/settings/targets_panel.h"

#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPointer>
#include <QPushButton>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "core/base/quantity.h"
#include "core/targets/target_file.h"
#include "ui/style/background.h"
#include "ui/style/icon.h"

namespace wb {
namespace {

QString qt(std::string_view text) {
  return QString::fromUtf8(text.data(), qsizetype(text.size()));
}

QIcon iconOf(TargetFinding::State state) {
  switch (state) {
    case TargetFinding::State::good:
      return icon(QStringLiteral("check-circle-fill"), IconTone::good);
    case TargetFinding::State::missing:
      return icon(QStringLiteral("exclamation-triangle-fill"), IconTone::warning);
    case TargetFinding::State::bad:
      break;
  }
  return icon(QStringLiteral("x-circle-fill"), IconTone::bad);
}

QLabel* label(const QString& text, const char* style) {
  auto* made = new QLabel(text);
  made->setObjectName(QString::fromLatin1(style));
  made->setWordWrap(true);
  made->setTextFormat(Qt::PlainText);
  return made;
}

void removeFrom(std::vector<RunTarget>& targets, const std::string& name) {
  std::erase_if(targets, [&](const RunTarget& each) { return each.name == name; });
}

}  // namespace

TargetsPanel::TargetsPanel(QWidget* parent)
    : QWidget(parent),
      list_(new QListWidget),
      findings_(new QListWidget),
      name_(new QLineEdit),
      where_(new QLineEdit),
      save_(new QPushButton(tr("Save"))),
      test_(new QPushButton(tr("Test"))),
      remove_(new QPushButton(tr("Remove"))),
      sign_(new QLabel),
      message_(label({}, "")),
      hint_(label({}, "hint")) {
  build();
  connect(list_, &QListWidget::currentRowChanged, this, &TargetsPanel::showSelected);
  connect(save_, &QPushButton::clicked, this, &TargetsPanel::save);
  connect(test_, &QPushButton::clicked, this, &TargetsPanel::test);
  connect(remove_, &QPushButton::clicked, this, &TargetsPanel::remove);
  inBackground(
      this, [] { return readTargets(targetFile()); },
      [this](const Result<std::vector<RunTarget>>& found) {
        if (found)
          fill(*found, found->empty() ? std::string() : found->front().name);
        else
          tell(found.error());
      });
}

void TargetsPanel::build() {
  list_->setAccessibleName(tr("Targets"));
  list_->setFixedHeight(112);
  findings_->setAccessibleName(tr("What the test of the target found"));
  findings_->setSelectionMode(QAbstractItemView::SingleSelection);
  findings_->setWordWrap(true);
  findings_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  findings_->setIconSize(QSize(16, 16));
  findings_->setMinimumHeight(180);
  findings_->hide();
  name_->setAccessibleName(tr("Name of the target"));
  name_->setPlaceholderText(tr("A short name of your own, such as box"));
  where_->setAccessibleName(tr("Where the target is"));
  where_->setPlaceholderText(QStringLiteral("ssh://me@box/cuda:0   slurm://gpus?gres=gpu:1&time=30:00"));
  save_->setAccessibleName(tr("Save the target"));
  test_->setAccessibleName(tr("Test the target"));
  remove_->setAccessibleName(tr("Remove the target"));
  remove_->setEnabled(false);
  for (QPushButton* button : {save_, test_, remove_}) button->setAutoDefault(false);
  sign_->setFixedSize(16, 18);
  auto* buttons = new QVBoxLayout;
  buttons->addWidget(save_);
  buttons->addWidget(test_);
  buttons->addWidget(remove_);
  buttons->addStretch();
  auto* above = new QHBoxLayout;
  above->addWidget(list_, 1);
  above->addLayout(buttons);
  auto* fields = new QGridLayout;
  fields->setHorizontalSpacing(12);
  fields->setColumnStretch(1, 1);
  fields->addWidget(new QLabel(tr("Name")), 0, 0);
  fields->addWidget(name_, 0, 1);
  fields->addWidget(new QLabel(tr("Where")), 1, 0);
  fields->addWidget(where_, 1, 1);
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
  column->addWidget(
      label(tr("Other machines that run kernels: hosts over ssh, or a Slurm cluster. A test looks "
               "step by step whether kernels can run there. Runs go there from a terminal: "
               "warpbench run --target NAME."),
            "hint"));
  column->addLayout(above);
  column->addLayout(fields);
  column->addLayout(said);
  column->addWidget(findings_);
}

Result<RunTarget> TargetsPanel::written() const {
  WB_TRY(RunTarget target, parseTarget(where_->text().trimmed().toStdString()));
  target.name = name_->text().trimmed().toStdString();
  return target;
}

void TargetsPanel::save() {
  const Result<RunTarget> target = written();
  if (!target) return tell(target.error());
  if (const std::string why = whyNoTargetName(target->name); !why.empty())
    return tell(false, tr("This cannot be a target's name: %1.").arg(qt(why)), tr("Give it another name."));
  change(
      [target = *target](std::vector<RunTarget>& targets) -> Result<void> {
        removeFrom(targets, target.name);
        targets.push_back(target);
        return {};
      },
      tr("%1 is saved.").arg(qt(target->name)), target->name);
}

void TargetsPanel::remove() {
  const int row = list_->currentRow();
  if (row < 0 || row >= int(targets_.size())) return;
  const std::string name = targets_[std::size_t(row)].name;
  change(
      [name](std::vector<RunTarget>& targets) -> Result<void> {
        removeFrom(targets, name);
        return {};
      },
      tr("%1 is removed.").arg(qt(name)), {});
}

void TargetsPanel::change(std::function<Result<void>(std::vector<RunTarget>&)> what, const QString& done,
                          const std::string& chosen) {
  inBackground(
      this,
      [what = std::move(what)]() -> Changed {
        const Result<std::string> word = changeTargets(targetFile(), what);
        if (!word) return {word.error(), {}};
        return {readTargets(targetFile()), *word};
      },
      [this, done, chosen](const Changed& changed) {
        if (!changed.targets) return tell(changed.targets.error());
        fill(*changed.targets, chosen);
        tell(true, done, qt(changed.word));
      });
}

void TargetsPanel::fill(const std::vector<RunTarget>& targets, const std::string& chosen) {
  targets_ = targets;
  const QSignalBlocker quiet(list_);
  list_->clear();
  int row = -1;
  for (const RunTarget& each : targets_) {
    if (each.name == chosen) row = list_->count();
    list_->addItem(QStringLiteral("%1    %2").arg(qt(each.name), qt(format(each))));
  }
  list_->setCurrentRow(row);
  showSelected();
}

void TargetsPanel::showSelected() {
  const int row = list_->currentRow();
  const bool isOne = row >= 0 && row < int(targets_.size());
  remove_->setEnabled(isOne);
  if (!isOne) return;
  name_->setText(qt(targets_[std::size_t(row)].name));
  where_->setText(qt(format(targets_[std::size_t(row)])));
}

void TargetsPanel::test() {
  const Result<RunTarget> target = written();
  if (!target) return tell(target.error());
  findings_->clear();
  findings_->show();
  testing_ = true;
  ++tested_;
  test_->setEnabled(false);
  message_->setText(tr("Looking at %1…").arg(qt(titleOf(*target))));
  hint_->clear();
  sign_->setPixmap(icon(QStringLiteral("hourglass-split"), IconTone::secondary)
                       .pixmap(QSize(16, 16), devicePixelRatioF()));
  inBackground(
      this,
      [guard = QPointer<TargetsPanel>(this), target = *target, mine = tested_] {
        return checkTarget(target, [&](const TargetFinding& one) {
          QMetaObject::invokeMethod(
              QCoreApplication::instance(),
              [guard, one, mine] {
                if (guard && mine == guard->tested_) guard->addFinding(one);
              },
              Qt::QueuedConnection);
        });
      },
      [this, mine = tested_](bool works) {
        if (mine != tested_) return;
        testing_ = false;
        test_->setEnabled(true);
        tell(works, works ? tr("Kernels can run there.") : tr("Kernels cannot run there yet."));
      });
}

void TargetsPanel::addFinding(const TargetFinding& finding) {
  QString text =
      QStringLiteral("%1: %2  (%3)")
          .arg(qt(finding.what), qt(finding.found).simplified(), qt(formatSeconds(finding.seconds)));
  if (!finding.hint.empty()) text += QStringLiteral("\n→ ") + qt(finding.hint).simplified();
  auto* item = new QListWidgetItem(iconOf(finding.state), text, findings_);
  item->setToolTip(text);
  findings_->scrollToItem(item);
}

void TargetsPanel::tell(bool isGood, const QString& text, const QString& hint) {
  sign_->setPixmap(icon(isGood ? QStringLiteral("check-circle-fill") : QStringLiteral("x-circle-fill"),
                        isGood ? IconTone::good : IconTone::bad)
                       .pixmap(QSize(16, 16), devicePixelRatioF()));
  message_->setText(text);
  hint_->setText(hint);
}

void TargetsPanel::tell(const Error& error) {
  tell(false, qt(describe(error)));
}

QString TargetsPanel::message() const {
  return message_->text();
}

}  // namespace wb

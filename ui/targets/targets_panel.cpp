// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/targets/targets_panel.h"

#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <algorithm>
#include <utility>

#include "core/targets/target_file.h"
#include "ui/style/background.h"
#include "ui/targets/target_wizard.h"

namespace wb {
namespace {

QString qt(std::string_view text) {
  return QString::fromUtf8(text.data(), qsizetype(text.size()));
}

void removeFrom(std::vector<RunTarget>& targets, const std::string& name) {
  std::erase_if(targets, [&](const RunTarget& each) { return each.name == name; });
}

}  // namespace

TargetsPanel::TargetsPanel(TargetTests tests, QWidget* parent)
    : NamedList(
          tr("Other machines that run kernels: hosts over ssh, or a Slurm cluster. A test looks step by "
             "step whether kernels can run there. They are chosen where devices are, and on a command "
             "line: warpbench run --target NAME."),
          tr("Targets"), parent),
      howToTest_(std::move(tests)),
      name_(new QLineEdit),
      where_(new QLineEdit),
      add_(makeButton(tr("Add…"), tr("Add a target"))),
      save_(makeButton(tr("Save"), tr("Save the target"))),
      test_(makeButton(tr("Test"), tr("Test the target"))),
      remove_(makeButton(tr("Remove"), tr("Remove the target"))),
      view_(new TargetTestView(howToTest_)) {
  build();
  connect(&list(), &QListWidget::currentRowChanged, this, &TargetsPanel::showSelected);
  connect(add_, &QPushButton::clicked, this, &TargetsPanel::openWizard);
  connect(save_, &QPushButton::clicked, this, &TargetsPanel::save);
  connect(test_, &QPushButton::clicked, this, &TargetsPanel::test);
  connect(remove_, &QPushButton::clicked, this, &TargetsPanel::remove);
  connect(view_, &TargetTestView::begun, this, [this] {
    view_->show();
    test_->setText(tr("Stop"));
    tell(QStringLiteral("hourglass-split"), IconTone::secondary, tr("The target is being tested."));
  });
  connect(view_, &TargetTestView::stopped, this, [this] {
    test_->setText(tr("Test"));
    tell(QStringLiteral("dash-circle"), IconTone::secondary, tr("The test was stopped."));
  });
  connect(view_, &TargetTestView::ended, this, [this](bool works) {
    test_->setText(tr("Test"));
    tellResult(works, works ? tr("Kernels can run there.") : tr("Kernels cannot run there yet."));
  });
  connect(view_, &TargetTestView::pythonMade, this, [this](const QString& python) {
    Result<RunTarget> target = written();
    if (!target) return;
    target->python = python.toStdString();
    where_->setText(qt(format(*target)));
    if (!target->name.empty()) keep(*target);
  });
  inBackground(
      this, [] { return readTargets(targetFile()); },
      [this](const Result<std::vector<RunTarget>>& found) {
        if (found)
          fill(*found, found->empty() ? std::string() : found->front().name);
        else
          tellError(found.error());
      });
}

void TargetsPanel::build() {
  name_->setAccessibleName(tr("Name of the target"));
  name_->setPlaceholderText(tr("A short name of your own, such as box"));
  where_->setAccessibleName(tr("Where the target is"));
  where_->setPlaceholderText(QStringLiteral("ssh://me@box/cuda:0   slurm://gpus?gres=gpu:1&time=30:00"));
  remove_->setEnabled(false);
  addField(tr("Name"), name_);
  addField(tr("Where"), where_);
  view_->hide();
  addBelow(view_);
}

Result<RunTarget> TargetsPanel::written() const {
  WB_TRY(RunTarget target, parseTarget(where_->text().trimmed().toStdString()));
  target.name = name_->text().trimmed().toStdString();
  return target;
}

void TargetsPanel::openWizard() {
  auto* wizard = new TargetWizard(howToTest_, this);
  wizard->setAttribute(Qt::WA_DeleteOnClose);
  connect(wizard, &TargetWizard::added, this, &TargetsPanel::keep);
  wizard->open();
}

void TargetsPanel::save() {
  const Result<RunTarget> target = written();
  if (!target) return tellError(target.error());
  if (const std::string why = whyNoTargetName(target->name); !why.empty())
    return tellResult(false, tr("This cannot be a target's name: %1.").arg(qt(why)),
                      tr("Give it another name."));
  keep(*target);
}

void TargetsPanel::keep(const RunTarget& target) {
  change(
      [target](std::vector<RunTarget>& targets) -> Result<void> {
        removeFrom(targets, target.name);
        targets.push_back(target);
        return {};
      },
      tr("%1 is saved.").arg(qt(target.name)), target.name);
}

void TargetsPanel::remove() {
  const int row = list().currentRow();
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
        if (const Result<void> done = changeTargets(targetFile(), what); !done) return done.error();
        return readTargets(targetFile());
      },
      [this, done, chosen](const Changed& changed) {
        if (!changed) return tellError(changed.error());
        fill(*changed, chosen);
        tellResult(true, done);
      });
}

void TargetsPanel::fill(const std::vector<RunTarget>& targets, const std::string& chosen) {
  targets_ = targets;
  emit targetsChanged(targets_);
  const QSignalBlocker quiet(&list());
  list().clear();
  int row = -1;
  for (const RunTarget& each : targets_) {
    if (each.name == chosen) row = list().count();
    list().addItem(QStringLiteral("%1    %2").arg(qt(each.name), qt(format(each))));
  }
  list().setCurrentRow(row);
  showSelected();
}

void TargetsPanel::showSelected() {
  const int row = list().currentRow();
  const bool isOne = row >= 0 && row < int(targets_.size());
  remove_->setEnabled(isOne);
  if (!isOne) return;
  name_->setText(qt(targets_[std::size_t(row)].name));
  where_->setText(qt(format(targets_[std::size_t(row)])));
}

void TargetsPanel::test() {
  if (view_->isTesting()) return view_->stop();
  const Result<RunTarget> target = written();
  if (!target) return tellError(target.error());
  view_->start(*target);
}

void TargetsPanel::tellError(const Error& error) {
  tellResult(false, qt(describe(error)));
}

}  // namespace wb

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/targets/target_wizard.h"

#include <QComboBox>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QScreen>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/targets/advanced_fields.h"

namespace wb {
namespace {

QString qt(std::string_view text) {
  return QString::fromUtf8(text.data(), qsizetype(text.size()));
}

QLineEdit* field(const QString& name, const QString& example) {
  auto* made = new QLineEdit;
  made->setAccessibleName(name);
  made->setPlaceholderText(example);
  return made;
}

}  // namespace

TargetWizard::TargetWizard(TargetTests tests, QWidget* parent)
    : QDialog(parent),
      kind_(new QComboBox),
      host_(field({}, {})),
      device_(field(tr("Device"), tr("The first GPU; or cuda:1, cpu"))),
      python_(
          field(tr("Python there"), tr("The one that is found there; or a path such as ~/torch/bin/python"))),
      partition_(field(tr("Partition"), tr("The cluster's own choice"))),
      gres_(field(tr("GPUs"), QStringLiteral("gpu:1"))),
      time_(field(tr("Longest time"), QStringLiteral("30:00"))),
      name_(field(tr("Name"), tr("A short name of your own, such as box"))),
      form_(new QFormLayout),
      about_(new QLabel),
      message_(new QLabel),
      tests_(new TargetTestView(std::move(tests))),
      test_(new QPushButton(tr("Test"))),
      add_(new QPushButton(tr("Add"))),
      cancel_(new QPushButton(tr("Cancel"))) {
  setObjectName(QStringLiteral("targetWizard"));
  setWindowTitle(tr("Add a target"));
  resize(620, 620);
  build();
  connect(kind_, &QComboBox::currentIndexChanged, this, &TargetWizard::showKind);
  for (QLineEdit* each : {host_, partition_})
    connect(each, &QLineEdit::textEdited, this, &TargetWizard::proposeName);
  connect(host_, &QLineEdit::textChanged, this, &TargetWizard::showAdvanced);
  connect(test_, &QPushButton::clicked, this, &TargetWizard::test);
  connect(add_, &QPushButton::clicked, this, &TargetWizard::add);
  connect(cancel_, &QPushButton::clicked, this, &TargetWizard::reject);
  connect(tests_, &TargetTestView::begun, this, &TargetWizard::updateButtons);
  connect(tests_, &TargetTestView::stopped, this, [this] {
    updateButtons();
    tell(tr("The test was stopped."));
  });
  connect(tests_, &TargetTestView::ended, this, [this](bool works) {
    updateButtons();
    tell(works ? tr("Kernels can run there.")
               : tr("Kernels cannot run there yet. Mend what is named above and test again; the target can "
                    "be added all the same."));
    if (works) add_->setFocus();
  });
  connect(tests_, &TargetTestView::pythonMade, python_, &QLineEdit::setText);
  showKind();
  host_->setFocus();
}

void TargetWizard::build() {
  kind_->setAccessibleName(tr("Kind of target"));
  kind_->addItem(tr("A machine that ssh reaches"), int(TargetKind::ssh));
  kind_->addItem(tr("A cluster with Slurm"), int(TargetKind::slurm));
  kind_->addItem(tr("This machine, with a Python of its own"), int(TargetKind::local));
  for (QLabel* line : {about_, message_}) {
    line->setWordWrap(true);
    line->setTextFormat(Qt::PlainText);
  }
  about_->setObjectName(QStringLiteral("hint"));
  message_->hide();
  tests_->findings().setMinimumHeight(130);
  form_->setHorizontalSpacing(12);
  form_->addRow(tr("Kind"), kind_);
  form_->addRow(tr("Host"), host_);
  form_->addRow(tr("Partition"), partition_);
  form_->addRow(tr("GPUs"), gres_);
  form_->addRow(tr("Longest time"), time_);
  form_->addRow(tr("Device"), device_);
  form_->addRow(tr("Python there"), python_);
  form_->addRow(tr("Name"), name_);
  advanced_ = new AdvancedFields(*form_, this);
  for (QPushButton* each : {test_, add_, cancel_}) each->setAutoDefault(false);
  test_->setDefault(true);
  auto* buttons = new QHBoxLayout;
  buttons->addWidget(test_);
  buttons->addStretch();
  buttons->addWidget(cancel_);
  buttons->addWidget(add_);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(16, 14, 16, 14);
  column->setSpacing(12);
  column->addWidget(about_);
  column->addLayout(form_);
  column->addWidget(tests_, 1);
  column->addWidget(message_);
  column->addLayout(buttons);
}

void TargetWizard::showKind() {
  const auto kind = TargetKind(kind_->currentData().toInt());
  const auto show = [this](QLineEdit* field, bool isShown) { form_->setRowVisible(field, isShown); };
  show(host_, kind != TargetKind::local);
  const bool isCluster = kind == TargetKind::slurm;
  const QString host = isCluster ? tr("Login node") : tr("Host");
  qobject_cast<QLabel*>(form_->labelForField(host_))->setText(host);
  host_->setAccessibleName(host);
  host_->setPlaceholderText(isCluster ? tr("This machine; or me@login, reached by ssh")
                                      : tr("me@box, or a name from ~/.ssh/config"));
  show(device_, kind != TargetKind::slurm);
  for (QLineEdit* each : {partition_, gres_, time_}) show(each, kind == TargetKind::slurm);
  about_->setText(
      kind == TargetKind::ssh
          ? tr("Only Python with torch has to be there; Warpbench copies the rest. ssh is never "
               "asked to ask you something: connect once in a terminal, so that the host's key is "
               "known, and give it your key by ssh-copy-id.")
      : kind == TargetKind::slurm
          ? tr("Each worker is a job of the scheduler. Where Warpbench runs on a login node itself, it has "
               "to "
               "be in a folder that the nodes share; to a login node that is reached by ssh it is copied.")
          : tr("Kernels run on this machine, by the Python that is named here."));
  showAdvanced();
  proposeName();
}

// Some of it goes by ssh alone, by which a cluster may be reached.
void TargetWizard::showAdvanced() {
  const auto kind = TargetKind(kind_->currentData().toInt());
  RunTarget target{.kind = kind};
  if (kind == TargetKind::ssh || (kind == TargetKind::slurm && !host_->text().trimmed().isEmpty()))
    target.host = "there";
  advanced_->showFor(target);
}

// A name is proposed until the user writes one.
void TargetWizard::proposeName() {
  if (name_->isModified()) return;
  QString name;
  if (host_->isVisibleTo(this))
    name = host_->text().section(QLatin1Char('@'), -1).section(QLatin1Char(':'), 0, 0);
  if (const QString partition = partition_->text().trimmed();
      partition_->isVisibleTo(this) && !partition.isEmpty())
    name = partition;
  name_->setText(name.section(QLatin1Char('.'), 0, 0));
}

Result<RunTarget> TargetWizard::written() const {
  QString text;
  QStringList options;
  switch (TargetKind(kind_->currentData().toInt())) {
    case TargetKind::ssh:
      text = QStringLiteral("ssh://") + host_->text().trimmed();
      if (const QString device = device_->text().trimmed(); !device.isEmpty()) text += u'/' + device;
      break;
    case TargetKind::slurm:
      if (const QString login = host_->text().trimmed(); !login.isEmpty())
        text = QStringLiteral("ssh://") + login + u'/';
      text += QStringLiteral("slurm://") + partition_->text().trimmed();
      options << targetOption("gres", gres_->text()) << targetOption("time", time_->text());
      break;
    case TargetKind::local:
      text = QStringLiteral("local ") + device_->text().trimmed();
      break;
  }
  options << targetOption("python", python_->text()) << advanced_->options();
  options.removeAll(QString());
  text = text.trimmed();
  if (!options.isEmpty()) text += u'?' + options.join(u'&');
  WB_TRY(RunTarget target, parseTarget(text.toStdString()));
  target.name = name_->text().trimmed().toStdString();
  return target;
}

void TargetWizard::test() {
  if (tests_->isTesting()) return tests_->stop();
  if (!advanced_->check()) return tell({});
  const Result<RunTarget> target = written();
  if (!target) return tell(qt(describe(target.error())));
  tell({});
  advanced_->unfold(false);  // what the test finds needs the room
  tests_->start(*target);
}

void TargetWizard::add() {
  if (!advanced_->check()) return tell({});
  const Result<RunTarget> target = written();
  if (!target) return tell(qt(describe(target.error())));
  if (const std::string why = whyNoTargetName(target->name); !why.empty()) {
    tell(tr("This cannot be a target's name: %1.").arg(qt(why)));
    return name_->setFocus();
  }
  tests_->stop();
  emit added(*target);
  accept();
}

void TargetWizard::updateButtons() {
  test_->setText(tests_->isTesting() ? tr("Stop") : tr("Test"));
}

// A dialog counts one line of a text that goes over several, and would take the rest from the fields.
bool TargetWizard::event(QEvent* event) {
  const bool isTaken = QDialog::event(event);
  if (event->type() == QEvent::LayoutRequest && layout()) {
    const int wanted = layout()->totalMinimumHeightForWidth(width());
    const int least = std::min(wanted, screen()->availableGeometry().height());
    if (height() < least) resize(width(), least);
  }
  return isTaken;
}

void TargetWizard::reject() {
  if (tests_->isTesting()) return tests_->stop();
  QDialog::reject();
}

void TargetWizard::tell(const QString& text) {
  message_->setText(text);
  message_->setVisible(!text.isEmpty());
}

QString TargetWizard::message() const {
  return message_->text();
}

}  // namespace wb

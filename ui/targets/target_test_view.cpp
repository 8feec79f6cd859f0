// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/targets/target_test_view.h"

#include <QLabel>
#include <QListWidget>
#include <QPointer>
#include <QPushButton>
#include <QVBoxLayout>
#include <utility>

#include "core/base/quantity.h"
#include "ui/style/background.h"
#include "ui/style/icon.h"

namespace wb {
namespace {

QString qt(const std::string& text) {
  return QString::fromStdString(text);
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

}  // namespace

TargetTestView::TargetTestView(TargetTests tests, QWidget* parent)
    : QWidget(parent),
      tests_(std::move(tests)),
      findings_(new QListWidget),
      doing_(new QLabel),
      torch_(new QPushButton(tr("Make an environment with torch there"))) {
  findings_->setAccessibleName(tr("What the test of the target found"));
  findings_->setSelectionMode(QAbstractItemView::SingleSelection);
  findings_->setWordWrap(true);
  findings_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  findings_->setIconSize(QSize(16, 16));
  findings_->setMinimumHeight(180);
  doing_->setObjectName(QStringLiteral("hint"));
  doing_->setTextFormat(Qt::PlainText);
  doing_->setWordWrap(true);
  torch_->setAutoDefault(false);
  torch_->setToolTip(
      tr("Makes a virtual environment in Warpbench's folder on that machine and installs torch "
         "2.11 in it. That takes minutes, and 8 GB there."));
  torch_->hide();
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->addWidget(findings_, 1);
  column->addWidget(doing_);
  column->addWidget(torch_, 0, Qt::AlignLeft);
  connect(torch_, &QPushButton::clicked, this, &TargetTestView::makeTorch);
}

TargetTestView::~TargetTestView() {
  stop_.request_stop();
}

template <class Take>
auto TargetTestView::mine(Take take) {
  return [guard = QPointer<TargetTestView>(this), number = begun_, take](const auto& what) {
    QMetaObject::invokeMethod(
        QCoreApplication::instance(),
        [guard, number, take, what] {
          if (guard && number == guard->begun_ && guard->isTesting()) take(*guard, what);
        },
        Qt::QueuedConnection);
  };
}

void TargetTestView::start(const RunTarget& target) {
  stop();
  target_ = target;
  stop_ = {};
  work_ = Work::check;
  ++begun_;
  needsTorch_ = false;
  findings_->clear();
  torch_->hide();
  say(tr("Looking at %1…").arg(qt(titleOf(target))));
  emit begun();
  inBackground(
      this,
      [target, check = tests_.check, stop = stop_.get_token(),
       tell = mine([](TargetTestView& view, const TargetFinding& one) { view.add(one); })] {
        return check(target, tell, stop);
      },
      [this, number = begun_](bool works) {
        if (number == begun_ && isTesting()) finish(works);
      },
      networkThreads());
}

void TargetTestView::stop() {
  if (!isTesting()) return;
  stop_.request_stop();
  ++begun_;
  work_ = Work::none;
  say(tr("Stopped."));
  offerTorch();
  emit stopped();
}

void TargetTestView::add(const TargetFinding& finding) {
  needsTorch_ = needsTorch_ || finding.needsTorch;
  QString text =
      QStringLiteral("%1: %2  (%3)")
          .arg(qt(finding.what), qt(finding.found).simplified(), qt(formatSeconds(finding.seconds)));
  if (!finding.hint.empty()) text += QStringLiteral("\n→ ") + qt(finding.hint).simplified();
  auto* item = new QListWidgetItem(iconOf(finding.state), text, findings_);
  item->setToolTip(text);
  findings_->scrollToItem(item);
}

void TargetTestView::offerTorch() {
  torch_->setVisible(needsTorch_);
}

void TargetTestView::finish(bool works) {
  work_ = Work::none;
  say({});
  offerTorch();
  emit ended(works);
}

void TargetTestView::makeTorch() {
  stop();
  stop_ = {};
  work_ = Work::torch;
  ++begun_;
  torch_->hide();
  say(tr("Making an environment on %1…").arg(qt(titleOf(target_))));
  emit begun();
  inBackground(
      this,
      [target = target_, make = tests_.makeTorch, stop = stop_.get_token(),
       tell = mine([](TargetTestView& view, const std::string& line) { view.say(qt(line)); })] {
        return make(target, tell, stop);
      },
      [this, number = begun_](const Result<std::string>& made) {
        if (number != begun_ || !isTesting()) return;
        if (!made) {
          add({TargetFinding::State::bad, "environment", made.error().text, made.error().hint, 0, true});
          return finish(false);
        }
        work_ = Work::none;
        emit pythonMade(qt(*made));
        target_.python = *made;
        start(RunTarget(target_));
      },
      networkThreads());
}

void TargetTestView::say(const QString& text) {
  doing_->setText(text);
  doing_->setVisible(!text.isEmpty());
}

}  // namespace wb

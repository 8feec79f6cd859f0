// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/status_line.h"

#include <QEvent>
#include <QLabel>
#include <QPainter>
#include <QProgressBar>

#include "editor/kernel_editor.h"
#include "ui/editing/document.h"
#include "ui/style/eliding_label.h"
#include "ui/style/theme.h"

namespace wb {
namespace {

QString stateText(WorkerStatus::State state) {
  switch (state) {
    case WorkerStatus::State::starting:
      return StatusLine::tr("Worker starting");
    case WorkerStatus::State::ready:
      return StatusLine::tr("Worker ready");
    case WorkerStatus::State::busy:
      return StatusLine::tr("Worker busy");
    case WorkerStatus::State::failed:
      return StatusLine::tr("No worker");
    case WorkerStatus::State::stopped:
      break;
  }
  return StatusLine::tr("Worker stopped");
}

QColor stateColor(const Theme& theme, WorkerStatus::State state) {
  switch (state) {
    case WorkerStatus::State::starting:
      return theme.warning;
    case WorkerStatus::State::ready:
      return theme.good;
    case WorkerStatus::State::busy:
      return theme.accent;
    case WorkerStatus::State::failed:
      return theme.bad;
    case WorkerStatus::State::stopped:
      break;
  }
  return theme.muted;
}

}  // namespace

StatusLine::StatusLine(QWidget* parent)
    : QStatusBar(parent),
      dot_(new QLabel),
      worker_(new ElidingLabel),
      progress_(new ElidingLabel),
      cursor_(new QLabel),
      language_(new QLabel),
      bar_(new QProgressBar) {
  setSizeGripEnabled(false);
  // These paint their text themselves, without the room that the style sheet leaves around it.
  for (QLabel* label : {worker_, progress_}) label->setContentsMargins(6, 0, 6, 0);
  bar_->setRange(0, 1000);
  bar_->setTextVisible(false);
  bar_->setFixedWidth(120);
  bar_->setAccessibleName(tr("Progress of the run"));
  bar_->hide();
  addWidget(dot_);
  addWidget(worker_);
  addWidget(bar_);
  addWidget(progress_, 1);
  addPermanentWidget(cursor_);
  addPermanentWidget(language_);
  worker_->setText(stateText(state_));
  paintDot();
}

void StatusLine::setWorker(const WorkerStatus& status, const Where& where) {
  state_ = status.state;
  QStringList parts{status.waitsIn.empty() ? stateText(state_)
                                           : tr("Waiting in %1").arg(QString::fromStdString(status.waitsIn))};
  if (!status.lostConnection.empty()) parts.front() = tr("Connection lost");
  if (!where.place.isEmpty()) parts.push_back(tr("on %1").arg(where.place));
  if (where.workers > 1) parts.push_back(tr("%1 workers").arg(where.workers));
  const QString device = QString::fromStdString(status.target.deviceName);
  if (where.isOneMachine) parts.push_back(device.isEmpty() ? where.device : device);
  if (where.isOneMachine && !status.target.torch.empty())
    parts.push_back(QStringLiteral("torch ") + QString::fromStdString(status.target.torch));
  parts.removeAll(QString());
  worker_->setText(parts.join(QStringLiteral("  ·  ")));
  worker_->setToolTip(
      status.state == WorkerStatus::State::failed ? QString::fromStdString(describe(status.failure))
      : !status.lostConnection.empty()            ? QString::fromStdString(status.lostConnection)
                                                  : tr("Lost so far: %1. Spare: %2.")
                                             .arg(status.restarts)
                                             .arg(status.spareReady ? tr("ready") : tr("not ready")));
  paintDot();
}

void StatusLine::setProgress(const QString& line, double fraction, bool running) {
  progress_->setText(line);
  progress_->setToolTip(line);
  bar_->setValue(int(fraction * 1000));
  bar_->setVisible(running);
}

void StatusLine::setDocument(const Document* document) {
  cursor_->setText(
      document
          ? tr("Ln %1, Col %2").arg(document->editor().currentLine()).arg(document->editor().currentColumn())
          : QString());
  // The row above it is laid out later, and would cut it until then.
  cursor_->setMinimumWidth(cursor_->sizeHint().width());
  QStringList about;
  if (document) about = QStringList{document->languageTitle()} + document->oddities();
  language_->setText(about.join(QStringLiteral("  ·  ")));
}

QString StatusLine::workerText() const {
  return worker_->text();
}
QString StatusLine::progressText() const {
  return progress_->text();
}

void StatusLine::paintDot() {
  const qreal scale = devicePixelRatioF();
  QPixmap dot(QSize(10, 10) * scale);
  dot.setDevicePixelRatio(scale);
  dot.fill(Qt::transparent);
  QPainter painter(&dot);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(Qt::NoPen);
  painter.setBrush(stateColor(themeOf(palette()), state_));
  painter.drawEllipse(QRectF(1, 1, 8, 8));
  painter.end();
  dot_->setPixmap(dot);
}

void StatusLine::changeEvent(QEvent* event) {
  if (event->type() == QEvent::PaletteChange && dot_) paintDot();
  QStatusBar::changeEvent(event);
}

}  // namespace wb

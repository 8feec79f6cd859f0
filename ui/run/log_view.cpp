// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/run/log_view.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QPlainTextEdit>
#include <QVBoxLayout>

#include "ui/style/fonts.h"
#include "ui/style/theme.h"

namespace wb {
namespace {

constexpr int maxLines = 5000;
constexpr std::size_t sliceBytes = 16 << 10;  // about two milliseconds of QPlainTextEdit

}  // namespace

LogView::LogView(QWidget* parent) : QWidget(parent), filter_(new QComboBox), text_(new QPlainTextEdit) {
  filter_->setAccessibleName(tr("Source of the log"));
  filter_->addItem(tr("Everything"), QString());
  for (const char* source : {"preparing", "worker", "compiler", "runner", "stdout", "stderr"})
    filter_->addItem(QString::fromLatin1(source), QString::fromLatin1(source));
  text_->setAccessibleName(tr("Log"));
  text_->setReadOnly(true);
  text_->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
  text_->setUndoRedoEnabled(false);
  text_->setMaximumBlockCount(maxLines);
  text_->setLineWrapMode(QPlainTextEdit::NoWrap);
  text_->setFont(codeFont(12));
  text_->setPlaceholderText(tr("What the worker, the compiler and your code say appears here."));
  text_->setFrameShape(QFrame::NoFrame);
  auto* top = new QHBoxLayout;
  top->setContentsMargins(8, 6, 8, 6);
  top->addWidget(filter_);
  top->addStretch();
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addLayout(top);
  column->addWidget(text_, 1);
  slice_.setInterval(15);
  connect(&slice_, &QTimer::timeout, this, &LogView::appendSlice);
  connect(filter_, &QComboBox::currentIndexChanged, this, &LogView::restart);
}

void LogView::setReport(std::shared_ptr<const Report> report) {
  const bool another = !report_ || report->log.size() < next_ || report->startedAt != run_;
  report_ = std::move(report);
  run_ = report_->startedAt;
  if (another) return restart();
  if (next_ < report_->log.size() && !slice_.isActive()) appendSlice();
}

void LogView::restart() {
  text_->clear();
  next_ = 0;
  appendSlice();
}

void LogView::appendSlice() {
  if (!report_) return;
  const std::string wanted = filter_->currentData().toString().toStdString();
  QString lines;
  std::size_t bytes = 0;
  const std::size_t total = report_->log.size();
  while (next_ < total && bytes < sliceBytes) {
    const Log& log = report_->log[next_++];
    if (!wanted.empty() && log.source != wanted) continue;
    QString said = QString::fromStdString(log.text);
    while (said.endsWith(QLatin1Char('\n'))) said.chop(1);
    const QString prefix = QStringLiteral("%1  ").arg(QString::fromStdString(log.source), -9);
    said.replace(QLatin1Char('\n'), QLatin1Char('\n') + QString(prefix.size(), QLatin1Char(' ')));
    if (!lines.isEmpty()) lines += QLatin1Char('\n');
    lines += prefix + said;
    bytes += log.text.size() + 12;
  }
  if (!lines.isEmpty()) text_->appendPlainText(lines);
  if (next_ < total)
    slice_.start();
  else
    slice_.stop();
}

void LogView::changeEvent(QEvent* event) {
  if (event->type() == QEvent::PaletteChange) text_->setFont(codeFont(12));
  QWidget::changeEvent(event);
}

}  // namespace wb

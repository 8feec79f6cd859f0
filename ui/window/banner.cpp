// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/banner.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QStyle>
#include <QToolButton>
#include <QVBoxLayout>

#include "ui/style/icon.h"

namespace wb {

Banner::Banner(QWidget* parent)
    : QFrame(parent), icon_(new QLabel), text_(new QLabel), hint_(new QLabel), button_(new QPushButton) {
  setObjectName(QStringLiteral("banner"));
  text_->setObjectName(QStringLiteral("heading"));
  hint_->setObjectName(QStringLiteral("hint"));
  for (QLabel* label : {text_, hint_}) {
    label->setWordWrap(true);
    label->setTextFormat(Qt::PlainText);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
  }
  auto* close = new QToolButton;
  close->setIcon(icon(QStringLiteral("x-lg"), IconTone::secondary));
  close->setToolTip(tr("Dismiss"));
  close->setAccessibleName(tr("Dismiss message"));
  auto* words = new QVBoxLayout;
  words->setSpacing(2);
  words->addWidget(text_);
  words->addWidget(hint_);
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(12, 8, 8, 8);
  row->setSpacing(10);
  row->addWidget(icon_, 0, Qt::AlignTop);
  row->addLayout(words, 1);
  row->addWidget(button_);
  row->addWidget(close);
  connect(close, &QToolButton::clicked, this, &QWidget::hide);
  connect(button_, &QPushButton::clicked, this, [this] {
    hide();
    if (run_) run_();
  });
  hide();
}

void Banner::tell(Tone tone, const QString& text, const QString& hint, const QString& action,
                  std::function<void()> run) {
  const bool bad = tone == Tone::bad, warning = tone == Tone::warning;
  icon_->setPixmap(icon(bad       ? QStringLiteral("x-circle-fill")
                        : warning ? QStringLiteral("exclamation-triangle-fill")
                                  : QStringLiteral("info-circle-fill"),
                        bad       ? IconTone::bad
                        : warning ? IconTone::warning
                                  : IconTone::accent)
                       .pixmap(QSize(16, 16), devicePixelRatioF()));
  text_->setText(text);
  hint_->setText(hint);
  hint_->setVisible(!hint.isEmpty());
  button_->setText(action);
  button_->setAccessibleName(action);
  button_->setVisible(!action.isEmpty());
  run_ = std::move(run);
  setProperty("tone", QString::fromStdString(std::string(name(tone))));
  style()->unpolish(this);
  style()->polish(this);
  show();
}

QString Banner::text() const {
  return isHidden() ? QString() : text_->text();
}

QString Banner::hint() const {
  return hint_->text();
}

}  // namespace wb

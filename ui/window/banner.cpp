// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/banner.h"

#include <QAccessible>
#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QStyle>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "ui/style/icon.h"
#include "ui/style/icon_label.h"

namespace wb {
namespace {

/// Pixels from the edges of what is below, and the most that a line of text is wide.
constexpr int margin = 12, widest = 760;

/// Hints begin in small letters, since they also stand behind an error; here they have a line of their own. A
/// name of a file or of an option stays what it is.
QString asSentence(QString text) {
  const QString first = text.section(QLatin1Char(' '), 0, 0);
  if (!text.isEmpty() &&
      std::ranges::all_of(first, [](QChar each) { return each.isLetter() || each == u','; }))
    text[0] = text[0].toUpper();
  return text;
}

}  // namespace

Banner::Banner(QWidget* parent)
    : QFrame(parent),
      icon_(new IconLabel(16)),
      text_(new QLabel),
      hint_(new QLabel),
      button_(new QPushButton) {
  setObjectName(QStringLiteral("banner"));
  setAttribute(Qt::WA_StyledBackground);
  text_->setObjectName(QStringLiteral("heading"));
  hint_->setObjectName(QStringLiteral("hint"));
  for (QLabel* label : {text_, hint_}) {
    label->setWordWrap(true);
    label->setTextFormat(Qt::PlainText);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
  }
  auto* close = new QToolButton;
  close->setIcon(icon(QStringLiteral("x-lg"), IconTone::secondary));
  close->setIconSize({10, 10});
  close->setToolTip(tr("Dismiss"));
  close->setAccessibleName(tr("Dismiss message"));
  auto* words = new QVBoxLayout;
  words->setSpacing(2);
  words->addWidget(text_);
  words->addWidget(hint_);
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(12, 9, 8, 9);
  row->setSpacing(10);
  row->addWidget(icon_, 0, Qt::AlignTop);
  row->addLayout(words, 1);
  row->addWidget(button_);
  row->addWidget(close);
  connect(close, &QToolButton::clicked, this, [this] { clear(shownTab()); });
  connect(button_, &QPushButton::clicked, this, [this] {
    const std::function<void()> run = messages_.value(shownTab()).run;
    clear(shownTab());
    if (run) run();
  });
  hide();
}

void Banner::floatOver(QWidget& below) {
  below_ = &below;
  setParent(&below);
  below.installEventFilter(this);
  installEventFilter(this);
  update();
}

void Banner::tell(Tone tone, const QString& text, const QString& hint, const QString& action,
                  std::function<void()> run) {
  tellOf({}, tone, text, hint, action, std::move(run));
}

void Banner::tellOf(const QString& tab, Tone tone, const QString& text, const QString& hint,
                    const QString& action, std::function<void()> run) {
  messages_[tab] = {tone, text, asSentence(hint), action, std::move(run)};
  update();
  if (shownTab() != tab || !QAccessible::isActive()) return;
  QAccessibleEvent event(this, QAccessible::Alert);
  QAccessible::updateAccessibility(&event);
}

void Banner::clear(const QString& tab) {
  if (messages_.remove(tab) > 0) update();
}

void Banner::setTabs(const QString& current, const QSet<QString>& open) {
  const auto removed = messages_.removeIf(
      [&](const auto& each) { return !each.key().isEmpty() && !open.contains(each.key()); });
  if (std::exchange(current_, current) != current || removed > 0) update();
}

QString Banner::shownTab() const {
  return messages_.contains(current_) ? current_ : QString();
}

void Banner::update() {
  const auto at = messages_.constFind(shownTab());
  if (at == messages_.constEnd()) return hide();
  const bool bad = at->tone == Tone::bad, warning = at->tone == Tone::warning;
  icon_->setIcon(icon(bad       ? QStringLiteral("x-circle-fill")
                      : warning ? QStringLiteral("exclamation-triangle-fill")
                                : QStringLiteral("info-circle-fill"),
                      bad       ? IconTone::bad
                      : warning ? IconTone::warning
                                : IconTone::accent));
  text_->setText(at->text);
  hint_->setText(at->hint);
  hint_->setVisible(!at->hint.isEmpty());
  button_->setText(at->action);
  button_->setAccessibleName(at->action);
  button_->setVisible(!at->action.isEmpty());
  setAccessibleName(at->text);
  setAccessibleDescription(at->hint);
  if (const QString tone = QString::fromStdString(std::string(name(at->tone))); property("tone") != tone) {
    setProperty("tone", tone);
    style()->unpolish(this);
    style()->polish(this);
  }
  show();
  place();
}

void Banner::place() {
  if (!below_) return;
  const int width = std::min(below_->width() - 2 * margin, widest);
  layout()->activate();
  const int height =
      layout()->hasHeightForWidth() ? layout()->totalHeightForWidth(width) : sizeHint().height();
  setGeometry((below_->width() - width) / 2, below_->height() - height - margin, width, height);
  raise();
}

// No layout places it, so it follows its own wishes, which another theme changes too.
bool Banner::event(QEvent* event) {
  const bool isTaken = QFrame::event(event);
  if (event->type() == QEvent::LayoutRequest && !isHidden()) place();
  return isTaken;
}

bool Banner::eventFilter(QObject* watched, QEvent* event) {
  const bool isMoved = watched == below_ && event->type() == QEvent::Resize;
  // A new theme or font changes how high the words are after they were placed.
  const bool isAnotherSize = watched == this && event->type() == QEvent::LayoutRequest;
  if ((isMoved || isAnotherSize) && !isHidden()) place();
  return QFrame::eventFilter(watched, event);
}

QString Banner::text() const {
  return isHidden() ? QString() : text_->text();
}

QString Banner::hint() const {
  return hint_->text();
}

}  // namespace wb

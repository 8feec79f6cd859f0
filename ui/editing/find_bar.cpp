// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/editing/find_bar.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QShortcut>
#include <QStyle>
#include <QToolButton>
#include <QVBoxLayout>

#include "editor/kernel_editor.h"
#include "ui/style/icon.h"

namespace wb {

FindBar::FindBar(QWidget* parent)
    : QWidget(parent), find_(new QLineEdit), replace_(new QLineEdit), count_(new QLabel) {
  setObjectName(QStringLiteral("findBar"));
  setAttribute(Qt::WA_StyledBackground);
  find_->setPlaceholderText(tr("Find"));
  find_->setAccessibleName(tr("Find"));
  replace_->setPlaceholderText(tr("Replace with"));
  replace_->setAccessibleName(tr("Replace with"));
  count_->setObjectName(QStringLiteral("muted"));
  count_->setMinimumWidth(90);

  auto* top = new QHBoxLayout;
  top->setSpacing(4);
  top->addWidget(find_, 1);
  letterCase_ = toggle({}, QStringLiteral("Aa"), tr("Match case  (Alt+C)"));
  press(letterCase_, "Alt+C");
  word_ = toggle({}, QStringLiteral("|ab|"), tr("Whole words  (Alt+W)"));
  press(word_, "Alt+W");
  regex_ = toggle(QStringLiteral("regex"), {}, tr("Regular expression  (Alt+R)"));
  press(regex_, "Alt+R");
  for (QToolButton* each : {letterCase_, word_, regex_}) top->addWidget(each);
  top->addWidget(count_);
  QToolButton* previous = button(QStringLiteral("arrow-up"), tr("Previous match  (Shift+F3)"));
  QToolButton* next = button(QStringLiteral("arrow-down"), tr("Next match  (F3)"));
  QToolButton* close = button(QStringLiteral("x-lg"), tr("Close  (Esc)"));
  for (QToolButton* each : {previous, next, close}) top->addWidget(each);

  replaceRow_ = new QWidget;
  auto* lower = new QHBoxLayout(replaceRow_);
  lower->setContentsMargins(0, 0, 0, 0);
  lower->addWidget(replace_, 1);
  replaceOne_ = button({}, tr("Replace this match  (Enter)"));
  replaceOne_->setText(tr("Replace"));
  replaceAll_ = button({}, tr("Replace every match in one step  (Ctrl+Alt+Enter)"));
  replaceAll_->setText(tr("Replace all"));
  press(replaceAll_, "Ctrl+Alt+Return");
  lower->addWidget(replaceOne_);
  lower->addWidget(replaceAll_);

  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(10, 6, 10, 6);
  column->setSpacing(6);
  column->addLayout(top);
  column->addWidget(replaceRow_);

  connect(find_, &QLineEdit::textChanged, this, &FindBar::recount);
  for (QToolButton* each : {letterCase_, word_, regex_})
    connect(each, &QToolButton::toggled, this, &FindBar::recount);
  connect(next, &QToolButton::clicked, this, &FindBar::findNext);
  connect(previous, &QToolButton::clicked, this, &FindBar::findPrevious);
  connect(close, &QToolButton::clicked, this, &FindBar::closeBar);
  connect(replaceOne_, &QToolButton::clicked, this, &FindBar::replaceOne);
  connect(replaceAll_, &QToolButton::clicked, this, &FindBar::replaceEverything);
  find_->installEventFilter(this);
  replace_->installEventFilter(this);
  hide();
}

// The keys are handled here, since a button's own shortcut would click it a tenth of a second later.
void FindBar::press(QToolButton* target, const char* keys) {
  auto* shortcut = new QShortcut(QKeySequence(QString::fromLatin1(keys)), this);
  shortcut->setContext(Qt::WidgetWithChildrenShortcut);
  connect(shortcut, &QShortcut::activated, target, &QToolButton::click);
}

QToolButton* FindBar::toggle(const QString& iconName, const QString& text, const QString& tip) {
  QToolButton* made = button(iconName, tip);
  made->setText(text);
  made->setCheckable(true);
  return made;
}

QToolButton* FindBar::button(const QString& iconName, const QString& tip) {
  auto* made = new QToolButton;
  if (!iconName.isEmpty()) made->setIcon(icon(iconName, IconTone::secondary));
  made->setToolTip(tip);
  made->setAccessibleName(tip.section(QStringLiteral("  ("), 0, 0));
  return made;
}

void FindBar::setEditor(KernelEditor* editor) {
  if (editor == editor_) return;
  if (editor_) disconnect(editor_, nullptr, this, nullptr);
  editor_ = editor;
  if (editor_) {
    connect(editor_, &QsciScintilla::textChanged, this, [this] {
      if (isVisible()) recount();
    });
    connect(editor_, &QObject::destroyed, this, [this] { editor_ = nullptr; });
  }
  if (isVisible()) recount();
}

void FindBar::showFind() {
  open(false);
}
void FindBar::showReplace() {
  open(true);
}

void FindBar::open(bool replace) {
  replaceRow_->setVisible(replace);
  show();
  if (editor_ && editor_->hasSelectedText() && !editor_->selectedText().contains(QLatin1Char('\n')))
    find_->setText(editor_->selectedText());
  find_->selectAll();
  find_->setFocus();
  recount();
}

void FindBar::findNext() {
  find(true);
}
void FindBar::findPrevious() {
  find(false);
}

void FindBar::find(bool forward) {
  if (!editor_ || find_->text().isEmpty()) return;
  editor_->find(find_->text(), regex_->isChecked(), letterCase_->isChecked(), word_->isChecked(), forward);
}

void FindBar::replaceOne() {
  if (!editor_ || find_->text().isEmpty()) return;
  editor_->replaceCurrent(find_->text(), replace_->text(), regex_->isChecked(), letterCase_->isChecked(),
                          word_->isChecked());
  recount();
}

void FindBar::replaceEverything() {
  if (!editor_ || find_->text().isEmpty()) return;
  const int count = editor_->replaceAll(find_->text(), replace_->text(), regex_->isChecked(),
                                        letterCase_->isChecked(), word_->isChecked());
  recount();
  count_->setText(tr("%n replaced", nullptr, count));
}

void FindBar::recount() {
  const bool wanted = editor_ && !find_->text().isEmpty();
  const int matches = wanted ? editor_->countMatches(find_->text(), regex_->isChecked(),
                                                     letterCase_->isChecked(), word_->isChecked())
                             : 0;
  count_->setText(!wanted        ? QString()
                  : matches == 0 ? tr("no matches")
                  : matches == 1 ? tr("1 match")
                                 : tr("%1 matches").arg(matches));
  find_->setProperty("invalid", wanted && matches == 0);
  find_->style()->unpolish(find_);
  find_->style()->polish(find_);
}

QString FindBar::countText() const {
  return count_->text();
}

void FindBar::closeBar() {
  hide();
  if (editor_) editor_->setFocus();
}

// Escape belongs to this bar while it has the focus, even during a run, which Escape would otherwise cancel.
bool FindBar::event(QEvent* event) {
  if (event->type() == QEvent::KeyPress && static_cast<QKeyEvent*>(event)->key() == Qt::Key_Escape) {
    closeBar();
    return true;
  }
  return QWidget::event(event);
}

bool FindBar::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() == QEvent::ShortcutOverride && static_cast<QKeyEvent*>(event)->key() == Qt::Key_Escape) {
    event->accept();
    return true;
  }
  if (event->type() == QEvent::KeyPress) {
    const auto* key = static_cast<QKeyEvent*>(event);
    if (key->key() == Qt::Key_Return || key->key() == Qt::Key_Enter) {
      if (watched == replace_)
        replaceOne();
      else
        find(!(key->modifiers() & Qt::ShiftModifier));
      return true;
    }
  }
  return QWidget::eventFilter(watched, event);
}

}  // namespace wb

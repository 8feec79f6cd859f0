// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/editing/find_bar.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QShortcut>
#include <QSignalBlocker>
#include <QStyle>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

#include "editor/kernel_editor.h"
#include "editor/scintilla.h"
#include "ui/settings/settings.h"
#include "ui/style/icon.h"

namespace wb {

FindBar::FindBar(Settings& settings, QWidget* parent)
    : QWidget(parent),
      settings_(settings),
      find_(new QLineEdit),
      replace_(new QLineEdit),
      count_(new QLabel),
      history_(settings.text("find/history").split(QLatin1Char('\n'), Qt::SkipEmptyParts)) {
  setObjectName(QStringLiteral("findBar"));
  setAttribute(Qt::WA_StyledBackground);
  find_->setPlaceholderText(tr("Find"));
  find_->setAccessibleName(tr("Find"));
  find_->setToolTip(tr("Up and Down bring back what was found before"));
  replace_->setPlaceholderText(tr("Replace with"));
  replace_->setAccessibleName(tr("Replace with"));
  count_->setObjectName(QStringLiteral("muted"));
  count_->setMinimumWidth(90);
  buildRows();
  delay_.setSingleShot(true);
  delay_.setInterval(120);
  connect(&delay_, &QTimer::timeout, this, &FindBar::search);
  connect(find_, &QLineEdit::textChanged, this, &FindBar::findAsTyped);
  connect(find_, &QLineEdit::textEdited, this, [this] { inHistory_ = -1; });
  for (QToolButton* each : {letterCase_, word_, regex_})
    connect(each, &QToolButton::toggled, this, &FindBar::findAsTyped);
  connect(replaceOne_, &QToolButton::clicked, this, &FindBar::replaceOne);
  connect(replaceAll_, &QToolButton::clicked, this, &FindBar::replaceEverything);
  find_->installEventFilter(this);
  replace_->installEventFilter(this);
  // Tab goes from what is found to what comes in its place, and only then to the buttons.
  setTabOrder(find_, replace_);
  setTabOrder(replace_, letterCase_);
  hide();
}

void FindBar::buildRows() {
  auto* top = new QHBoxLayout;
  top->setSpacing(4);
  top->addWidget(find_, 1);
  letterCase_ = toggle({}, QStringLiteral("Aa"), tr("Match case  (Alt+C)"));
  press(letterCase_, "Alt+C");
  word_ = toggle({}, QStringLiteral("|ab|"), tr("Whole words  (Alt+W)"));
  press(word_, "Alt+W");
  regex_ = toggle(QStringLiteral("regex"), {}, tr("Regular expression  (Alt+X)"));
  press(regex_, "Alt+X");
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
  connect(next, &QToolButton::clicked, this, &FindBar::findNext);
  connect(previous, &QToolButton::clicked, this, &FindBar::findPrevious);
  connect(close, &QToolButton::clicked, this, &FindBar::closeBar);
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
  if (editor_) {
    disconnect(editor_, nullptr, this, nullptr);
    markHits(*editor_, {});
  }
  editor_ = editor;
  if (editor_) {
    connect(editor_, &QsciScintilla::textChanged, this, [this] {
      if (isVisible()) delay_.start();
    });
    connect(editor_, &QsciScintilla::selectionChanged, this, [this] {
      if (isVisible()) showCount();
    });
    connect(editor_, &QObject::destroyed, this, [this] { editor_ = nullptr; });
    anchor_ = send(*editor_, QsciScintilla::SCI_GETSELECTIONSTART);
  }
  if (isVisible()) search();
}

void FindBar::showFind() {
  open(false);
}
void FindBar::showReplace() {
  open(true);
}

// A match that is selected says nothing new: an expression that found it must stay.
void FindBar::open(bool replace) {
  const bool fresh = !isVisible() || selectedHit() < 0;
  replaceRow_->setVisible(replace);
  show();
  if (editor_) {
    anchor_ = send(*editor_, QsciScintilla::SCI_GETSELECTIONSTART);
    const QString selected = editor_->selectedText();
    if (fresh && !selected.isEmpty() && !selected.contains(QLatin1Char('\n'))) {
      const QSignalBlocker quiet(find_);
      find_->setText(selected);
    }
  }
  inHistory_ = -1;
  find_->selectAll();
  find_->setFocus();
  search();
}

SearchQuery FindBar::query() const {
  return {find_->text(), regex_->isChecked(), letterCase_->isChecked(), word_->isChecked()};
}

void FindBar::search() {
  delay_.stop();
  hits_ = editor_ ? findAll(*editor_, query(), nullptr) : std::vector<SearchHit>();
  if (editor_) markHits(*editor_, hits_);
  showCount();
}

// Selects the first match from where the search began, so that a longer text narrows the match down instead
// of going on to the next one.
void FindBar::findAsTyped() {
  search();
  if (!editor_ || hits_.empty() || !isVisible()) return;
  const auto next =
      std::find_if(hits_.begin(), hits_.end(), [this](const SearchHit& hit) { return hit.from >= anchor_; });
  selectHit(*editor_, next == hits_.end() ? hits_.front() : *next);
  showCount();
}

void FindBar::findNext() {
  find(true);
}
void FindBar::findPrevious() {
  find(false);
}

void FindBar::find(bool forward) {
  if (!editor_ || find_->text().isEmpty()) return;
  const SearchQuery what = query();
  editor_->find(what.text, what.regex, what.caseSensitive, what.wholeWord, forward);
  anchor_ = send(*editor_, QsciScintilla::SCI_GETSELECTIONSTART);
  remember();
  if (delay_.isActive()) search();
  showCount();
}

void FindBar::replaceOne() {
  if (!editor_ || find_->text().isEmpty()) return;
  const SearchQuery what = query();
  editor_->replaceCurrent(what.text, replace_->text(), what.regex, what.caseSensitive, what.wholeWord);
  anchor_ = send(*editor_, QsciScintilla::SCI_GETSELECTIONSTART);
  remember();
  search();
}

void FindBar::replaceEverything() {
  if (!editor_ || find_->text().isEmpty()) return;
  const SearchQuery what = query();
  const int count =
      editor_->replaceAll(what.text, replace_->text(), what.regex, what.caseSensitive, what.wholeWord);
  remember();
  search();
  count_->setText(tr("%1 replaced").arg(count));
}

/// The index of the hit that is selected; -1 when none is.
int FindBar::selectedHit() const {
  if (!editor_) return -1;
  const long from = send(*editor_, QsciScintilla::SCI_GETSELECTIONSTART);
  const long to = send(*editor_, QsciScintilla::SCI_GETSELECTIONEND);
  const auto hit = std::lower_bound(hits_.begin(), hits_.end(), from,
                                    [](const SearchHit& each, long place) { return each.from < place; });
  return hit != hits_.end() && hit->from == from && hit->to == to ? int(hit - hits_.begin()) : -1;
}

void FindBar::showCount() {
  const bool wanted = editor_ && !find_->text().isEmpty();
  const bool wrong = wanted && regex_->isChecked() && !KernelEditor::regexError(find_->text()).isEmpty();
  const int matches = int(hits_.size()), selected = wanted ? selectedHit() : -1;
  count_->setText(!wanted         ? QString()
                  : wrong         ? tr("not an expression")
                  : matches == 0  ? tr("no matches")
                  : selected >= 0 ? tr("%1 of %2").arg(selected + 1).arg(matches)
                  : matches == 1  ? tr("1 match")
                                  : tr("%1 matches").arg(matches));
  const bool invalid = wanted && matches == 0;
  if (find_->property("invalid").toBool() == invalid) return;
  find_->setProperty("invalid", invalid);
  find_->style()->unpolish(find_);
  find_->style()->polish(find_);
}

void FindBar::remember() {
  constexpr int mostRemembered = 30;
  const QString text = find_->text();
  if (!history_.isEmpty() && history_.front() == text) return;
  history_.removeAll(text);
  history_.prepend(text);
  while (history_.size() > mostRemembered) history_.removeLast();
  inHistory_ = 0;
  settings_.setText("find/history", history_.join(QLatin1Char('\n')));
}

void FindBar::walkHistory(int by) {
  int next = inHistory_ + by;
  // The last one stands in the field already when the bar is opened again.
  if (by > 0 && next < history_.size() && history_[next] == find_->text()) ++next;
  if (next < 0 || next >= history_.size()) return;
  inHistory_ = next;
  find_->setText(history_[next]);
  find_->selectAll();
}

QString FindBar::countText() const {
  return count_->text();
}

void FindBar::hideEvent(QHideEvent* event) {
  if (editor_) markHits(*editor_, {});
  QWidget::hideEvent(event);
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
    if (watched == find_ && (key->key() == Qt::Key_Up || key->key() == Qt::Key_Down)) {
      walkHistory(key->key() == Qt::Key_Up ? 1 : -1);
      return true;
    }
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

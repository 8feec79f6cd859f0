// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/settings/shortcuts_panel.h"

#include <QAction>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeySequenceEdit>
#include <QLabel>
#include <QPushButton>
#include <QSignalBlocker>
#include <QTreeWidget>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/settings/shortcuts.h"
#include "ui/window/actions.h"

namespace wb {
namespace {

QString nameOf(const QAction& action) {
  return categoryOf(action) + QStringLiteral(": ") +
         action.text().remove(QLatin1Char('&')).remove(QStringLiteral("…"));
}

QString textOf(const QKeySequence& keys) {
  return keys.toString(QKeySequence::NativeText);
}

}  // namespace

ShortcutsPanel::ShortcutsPanel(const QList<QAction*>& actions, Settings& settings, QWidget* parent)
    : QWidget(parent),
      settings_(settings),
      list_(new QTreeWidget),
      keys_(new QKeySequenceEdit),
      message_(new QLabel),
      take_(new QPushButton(tr("Take them"))),
      clear_(new QPushButton(tr("No keys"))),
      reset_(new QPushButton(tr("Reset"))),
      resetAll_(new QPushButton(tr("Reset all"))) {
  for (QAction* action : actions)
    if (!action->objectName().isEmpty()) actions_.push_back(action);
  std::ranges::sort(actions_, {}, [](const QAction* action) { return nameOf(*action); });
  list_->setAccessibleName(tr("Commands"));
  list_->setHeaderLabels({tr("Command"), tr("Keys")});
  list_->setRootIsDecorated(false);
  list_->setUniformRowHeights(true);
  list_->setMinimumHeight(240);
  list_->header()->setStretchLastSection(false);
  list_->header()->setSectionResizeMode(0, QHeaderView::Stretch);
  list_->header()->setSectionResizeMode(1, QHeaderView::ResizeToContents);
  keys_->setAccessibleName(tr("Keys of the command"));
  keys_->setToolTip(tr("Press the keys that the command shall have"));
  message_->setObjectName(QStringLiteral("hint"));
  message_->setWordWrap(true);
  for (QPushButton* button : {take_, clear_, reset_, resetAll_}) button->setAutoDefault(false);
  auto* row = new QHBoxLayout;
  row->setSpacing(8);
  row->addWidget(keys_, 1);
  for (QPushButton* button : {clear_, reset_, resetAll_}) row->addWidget(button);
  auto* said = new QHBoxLayout;
  said->addWidget(message_, 1);
  said->addWidget(take_);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->addWidget(list_);
  column->addLayout(row);
  column->addLayout(said);
  connect(list_, &QTreeWidget::currentItemChanged, this, &ShortcutsPanel::showSelected);
  connect(keys_, &QKeySequenceEdit::keySequenceChanged, this, &ShortcutsPanel::typed);
  connect(take_, &QPushButton::clicked, this, [this] { choose(keys_->keySequence(), true); });
  connect(clear_, &QPushButton::clicked, this, [this] { choose({}, false); });
  connect(reset_, &QPushButton::clicked, this, [this] {
    if (const QAction* action = selected()) {
      const QSignalBlocker quiet(keys_);
      keys_->setKeySequence(standardShortcut(*action));
      typed(keys_->keySequence());
    }
  });
  connect(resetAll_, &QPushButton::clicked, this, &ShortcutsPanel::resetAll);
  for (const QAction* action : actions_) {
    auto* item = new QTreeWidgetItem(list_);
    item->setText(0, nameOf(*action));
    item->setData(0, Qt::UserRole, action->objectName());
  }
  fill();
  list_->setCurrentItem(list_->topLevelItem(0));
}

QAction* ShortcutsPanel::selected() const {
  const QTreeWidgetItem* item = list_->currentItem();
  const QString id = item ? item->data(0, Qt::UserRole).toString() : QString();
  const auto at = std::ranges::find(actions_, id, [](const QAction* action) { return action->objectName(); });
  return at == actions_.end() ? nullptr : *at;
}

void ShortcutsPanel::fill() {
  for (int i = 0; i < actions_.size(); ++i) {
    const QAction& action = *actions_[i];
    QTreeWidgetItem& item = *list_->topLevelItem(i);
    item.setText(1, textOf(action.shortcut()));
    QFont font = list_->font();
    font.setItalic(action.shortcut() != standardShortcut(action));
    item.setFont(1, font);
    const QList<QAction*> others = commandsWith(action.shortcut(), actions_, &action);
    item.setToolTip(1, others.isEmpty() ? QString() : tr("Also: %1").arg(nameOf(*others[0])));
  }
}

void ShortcutsPanel::showSelected() {
  const QAction* action = selected();
  for (QWidget* each :
       {static_cast<QWidget*>(keys_), static_cast<QWidget*>(clear_), static_cast<QWidget*>(reset_)})
    each->setEnabled(action != nullptr);
  const QSignalBlocker quiet(keys_);
  keys_->setKeySequence(action ? action->shortcut() : QKeySequence());
  message_->clear();
  take_->hide();
}

void ShortcutsPanel::typed(const QKeySequence& keys) {
  const QAction* action = selected();
  if (!action || keys.isEmpty()) return;
  const QList<QAction*> others = commandsWith(keys, actions_, action);
  if (others.isEmpty()) return choose(keys, false);
  message_->setText(tr("%1 belongs to %2.").arg(textOf(keys), nameOf(*others[0])));
  take_->show();
}

void ShortcutsPanel::choose(const QKeySequence& keys, bool takeAway) {
  QAction* action = selected();
  if (!action) return;
  if (takeAway)
    for (QAction* other : commandsWith(keys, actions_, action)) setShortcut(*other, {}, settings_);
  setShortcut(*action, keys, settings_);
  fill();
  showSelected();
  message_->setText(keys.isEmpty() ? tr("%1 has no keys.").arg(nameOf(*action))
                                   : tr("%1 is %2 now.").arg(textOf(keys), nameOf(*action)));
}

void ShortcutsPanel::resetAll() {
  for (QAction* action : actions_) setShortcut(*action, standardShortcut(*action), settings_);
  fill();
  showSelected();
}

int ShortcutsPanel::setFilter(const QStringList& words) {
  int shown = 0;
  for (int i = 0; i < list_->topLevelItemCount(); ++i) {
    QTreeWidgetItem& item = *list_->topLevelItem(i);
    const QString all = item.text(0) + QLatin1Char(' ') + item.text(1);
    const bool fits = std::ranges::all_of(
        words, [&](const QString& word) { return all.contains(word, Qt::CaseInsensitive); });
    item.setHidden(!fits);
    shown += fits ? 1 : 0;
  }
  return shown;
}

void ShortcutsPanel::select(const QString& id) {
  for (int i = 0; i < list_->topLevelItemCount(); ++i)
    if (list_->topLevelItem(i)->data(0, Qt::UserRole).toString() == id)
      list_->setCurrentItem(list_->topLevelItem(i));
}

QString ShortcutsPanel::message() const {
  return message_->text();
}

}  // namespace wb

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/settings/named_list.h"

#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QListWidget>
#include <QPushButton>
#include <QVBoxLayout>

#include "ui/style/icon_label.h"
#include "ui/style/text_label.h"

namespace wb {
NamedList::NamedList(const QString& about, const QString& listName, QWidget* parent)
    : QWidget(parent),
      list_(new QListWidget),
      buttons_(new QVBoxLayout),
      column_(new QVBoxLayout(this)),
      fields_(new QGridLayout),
      sign_(new IconLabel(16)),
      message_(textLabel({})),
      hint_(textLabel({}, "hint")) {
  list_->setAccessibleName(listName);
  list_->setFixedHeight(132);
  sign_->setContentsMargins(0, 0, 0, 2);
  for (QLabel* line : {message_, hint_}) line->setMinimumHeight(line->fontMetrics().height() + 2);
  buttons_->addStretch();
  auto* above = new QHBoxLayout;
  above->addWidget(list_, 1);
  above->addLayout(buttons_);
  fields_->setHorizontalSpacing(12);
  fields_->setColumnStretch(1, 1);
  auto* said = new QGridLayout;
  said->setContentsMargins(2, 4, 0, 0);
  said->setHorizontalSpacing(8);
  said->setVerticalSpacing(2);
  said->setColumnStretch(1, 1);
  said->addWidget(sign_, 0, 0, Qt::AlignTop);
  said->addWidget(message_, 0, 1);
  said->addWidget(hint_, 1, 1);
  column_->setContentsMargins(0, 0, 0, 0);
  column_->addWidget(textLabel(about, "hint"));
  column_->addLayout(above);
  column_->addLayout(fields_);
  column_->addLayout(said);
}

QPushButton* NamedList::makeButton(const QString& text, const QString& name) {
  auto* made = new QPushButton(text);
  made->setAccessibleName(name);
  made->setAutoDefault(false);
  buttons_->insertWidget(buttons_->count() - 1, made);
  return made;
}

void NamedList::addField(const QString& title, QWidget* field) {
  const int row = fields_->rowCount();
  fields_->addWidget(new QLabel(title), row, 0);
  fields_->addWidget(field, row, 1);
}

void NamedList::addField(const QString& title, QLayout* several) {
  const int row = fields_->rowCount();
  fields_->addWidget(new QLabel(title), row, 0);
  fields_->addLayout(several, row, 1);
}

void NamedList::addBelow(QWidget* widget) {
  column_->addWidget(widget);
}

void NamedList::tell(const QString& picture, IconTone tone, const QString& text, const QString& hint) {
  sign_->setIcon(icon(picture, tone));
  message_->setText(text);
  hint_->setText(hint);
}

void NamedList::tellResult(bool isGood, const QString& text, const QString& hint) {
  tell(isGood ? QStringLiteral("check-circle-fill") : QStringLiteral("x-circle-fill"),
       isGood ? IconTone::good : IconTone::bad, text, hint);
}

QString NamedList::message() const {
  return message_->text();
}

}  // namespace wb

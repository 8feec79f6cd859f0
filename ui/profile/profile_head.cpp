// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/profile/profile_head.h"

#include <QAction>
#include <QComboBox>
#include <QHBoxLayout>
#include <QToolButton>
#include <QVBoxLayout>

#include "ui/style/eliding_label.h"

namespace wb {
namespace {

QToolButton* outlined(QAction& action) {
  auto* button = new QToolButton;
  button->setDefaultAction(&action);
  button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  button->setObjectName(QStringLiteral("outlined"));
  return button;
}

}  // namespace

ProfileHead::ProfileHead(QAction& profile, QAction& assembly, QWidget* parent)
    : QWidget(parent), cases_(new QComboBox), title_(new ElidingLabel), summary_(new ElidingLabel) {
  cases_->setAccessibleName(tr("Profiled case"));
  cases_->setToolTip(tr("The case whose profile is shown"));
  cases_->setSizeAdjustPolicy(QComboBox::AdjustToContents);
  cases_->setMaximumWidth(340);
  title_->setObjectName(QStringLiteral("heading"));
  summary_->setObjectName(QStringLiteral("muted"));
  QToolButton* again = outlined(profile);
  again->setAccessibleName(tr("Profile again"));
  auto* words = new QVBoxLayout;
  words->setSpacing(1);
  words->addWidget(title_);
  words->addWidget(cases_);
  words->addWidget(summary_);
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(10, 8, 10, 8);
  row->setSpacing(10);
  row->addLayout(words, 1);
  row->addWidget(outlined(assembly));
  row->addWidget(again);
}

void ProfileHead::setCases(const QStringList& titles, int chosen) {
  const QSignalBlocker quiet(cases_);
  cases_->clear();
  cases_->addItems(titles);
  cases_->setCurrentIndex(chosen);
  cases_->setVisible(titles.size() > 1);
  title_->setVisible(titles.size() == 1);
  title_->setText(titles.value(0));
}

void ProfileHead::setSummary(const QString& summary) {
  summary_->setText(summary);
  summary_->setToolTip(summary);
}

}  // namespace wb

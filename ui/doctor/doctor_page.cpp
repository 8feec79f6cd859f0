// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/doctor/doctor_page.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>
#include <memory>

#include "core/doctor/doctor_table.h"
#include "ui/style/background.h"
#include "ui/tables/table_panel.h"

namespace wb {
DoctorPage::DoctorPage(QWidget* parent)
    : QDialog(parent),
      table_(new TablePanel(tr("This machine"))),
      conclusion_(new QLabel),
      again_(new QPushButton(tr("Look again"))),
      copy_(new QPushButton(tr("Copy as text"))) {
  setObjectName(QStringLiteral("doctor"));
  setWindowTitle(tr("What this machine can do"));
  resize(900, 560);
  conclusion_->setObjectName(QStringLiteral("title"));
  auto* close = new QPushButton(tr("Close"));
  auto* buttons = new QHBoxLayout;
  buttons->addWidget(again_);
  buttons->addWidget(copy_);
  buttons->addStretch();
  buttons->addWidget(close);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(16, 14, 16, 14);
  column->setSpacing(10);
  column->addWidget(conclusion_);
  column->addWidget(table_, 1);
  column->addLayout(buttons);
  connect(close, &QPushButton::clicked, this, &QDialog::accept);
  connect(again_, &QPushButton::clicked, this, &DoctorPage::look);
  connect(copy_, &QPushButton::clicked, this, [this] { QGuiApplication::clipboard()->setText(text_); });
  look();
}

DoctorPage::~DoctorPage() {
  stop_.request_stop();
}

void DoctorPage::look() {
  looking_ = true;
  again_->setEnabled(false);
  copy_->setEnabled(false);
  conclusion_->setText(tr("Looking at this machine…"));
  table_->setEmptyText(tr("A worker is started and asked what it finds."));
  inBackground(
      this, [stop = stop_.get_token()] { return examineMachine(stop); },
      [this](const std::vector<DoctorLine>& lines) { show(lines); });
}

void DoctorPage::show(const std::vector<DoctorLine>& lines) {
  looking_ = false;
  again_->setEnabled(true);
  copy_->setEnabled(true);
  text_.clear();
  for (const DoctorLine& line : lines) {
    text_ += QStringLiteral("%1  %2  %3\n")
                 .arg(QString::fromStdString(std::string(name(line.state))), -7)
                 .arg(QString::fromStdString(line.what), -18)
                 .arg(QString::fromStdString(line.found));
    if (!line.hint.empty()) text_ += QStringLiteral("    → %1\n").arg(QString::fromStdString(line.hint));
  }
  conclusion_->setText(QString::fromStdString(conclusion(lines)));
  text_ += conclusion_->text() + QLatin1Char('\n');
  table_->setTable(std::make_shared<const Table>(doctorTable(lines)));
}

QString DoctorPage::conclusionText() const {
  return conclusion_->text();
}

}  // namespace wb

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/profile/profile_introduction.h"

#include <QAction>
#include <QLabel>
#include <QToolButton>
#include <QVBoxLayout>

#include "ui/style/icon.h"
#include "ui/style/icon_label.h"

namespace wb {

ProfileIntroduction::ProfileIntroduction(QAction& profile, QWidget* parent)
    : QWidget(parent), gives_(new QLabel) {
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(32, 16, 32, 16);
  column->addStretch(2);
  column->addWidget(new IconLabel(44, icon(QStringLiteral("fire"), IconTone::secondary)), 0, Qt::AlignCenter);
  column->addSpacing(8);
  auto* title = new QLabel(tr("No profile yet"));
  title->setObjectName(QStringLiteral("title"));
  gives_->setObjectName(QStringLiteral("hint"));
  auto* button = new QToolButton;
  button->setObjectName(QStringLiteral("runButton"));
  button->setDefaultAction(&profile);
  button->setIcon(icon(QStringLiteral("fire"), IconTone::onAccent));
  button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  button->setAccessibleName(tr("Profile the kernel"));
  connect(&profile, &QAction::changed, button,
          [button] { button->setIcon(icon(QStringLiteral("fire"), IconTone::onAccent)); });
  gives_->setWordWrap(true);
  for (QLabel* each : {title, gives_}) {
    each->setAlignment(Qt::AlignCenter);
    column->addWidget(each);
    column->addSpacing(8);
  }
  column->addSpacing(6);
  column->addWidget(button, 0, Qt::AlignCenter);
  column->addStretch(3);
}

void ProfileIntroduction::setDevice(const std::string& device) {
  const bool cpu = device == "cpu" || device.empty();
  gives_->setText(
      cpu ? tr("On the CPU a profile shows the kernel's code beside its source: the host's for C++, "
               "SASS and PTX for CUDA, Triton's IR. Choose a GPU as the device for metrics beside the "
               "reference's, hot lines, the roofline and a timeline.")
          : tr("Why the kernel is as fast as it is: device metrics beside the reference's, hot lines in "
               "the editor, the roofline, a timeline, machine code, and advice. The case selected under "
               "Cases is profiled, else the longest."));
}

}  // namespace wb

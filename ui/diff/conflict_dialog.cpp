// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/diff/conflict_dialog.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

#include "core/figures/cells.h"
#include "ui/diff/diff_model.h"
#include "ui/diff/diff_view.h"
#include "ui/style/text_label.h"

namespace wb {

ConflictDialog::ConflictDialog(const QString& title, const QString& mine, const QString& theirs,
                               QWidget* parent)
    : QDialog(parent),
      model_(new DiffModel(mine.toStdString(), theirs.toStdString(), this)),
      view_(new DiffView(*model_)),
      count_(new QLabel),
      keep_(new QPushButton(tr("&Keep mine"))),
      take_(new QPushButton(tr("&Take theirs"))),
      merge_(new QPushButton(tr("Use the &merge"))) {
  setObjectName(QStringLiteral("conflict"));
  setWindowTitle(tr("Changed on disk"));
  resize(860, 560);
  auto* heading = new QLabel(tr("%1 was changed here and on disk").arg(title));
  heading->setObjectName(QStringLiteral("title"));
  heading->setTextFormat(Qt::PlainText);
  QLabel* hint = textLabel(tr("Each change can be taken from disk or kept as it is here: click its head, or "
                              "press Space; N and P go to the next and the previous one."),
                           "hint");
  count_->setObjectName(QStringLiteral("hint"));
  auto* cancel = new QPushButton(tr("Later"));
  for (QPushButton* button : {keep_, take_, merge_, cancel}) button->setAutoDefault(false);
  auto* buttons = new QHBoxLayout;
  buttons->setSpacing(8);
  buttons->addWidget(count_, 1);
  for (QPushButton* button : {cancel, keep_, take_, merge_}) buttons->addWidget(button);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(16, 14, 16, 14);
  column->setSpacing(10);
  column->addWidget(heading);
  column->addWidget(hint);
  column->addWidget(view_, 1);
  column->addLayout(buttons);
  connect(cancel, &QPushButton::clicked, this, &QDialog::reject);
  connect(keep_, &QPushButton::clicked, this, [this, mine] { finish(mine); });
  connect(take_, &QPushButton::clicked, this, [this, theirs] { finish(theirs); });
  connect(merge_, &QPushButton::clicked, this, [this] { finish(QString::fromStdString(model_->merged())); });
  connect(model_, &DiffModel::takenChanged, this, &ConflictDialog::update);
  update();
  view_->setFocus();
}

void ConflictDialog::update() {
  count_->setText(tr("%1 of %2 taken from disk")
                      .arg(model_->takenCount())
                      .arg(QString::fromStdString(plural(model_->hunkCount(), "change", "changes"))));
  merge_->setEnabled(model_->takenCount() > 0);
}

void ConflictDialog::finish(const QString& text) {
  emit resolved(text);
  accept();
}

}  // namespace wb

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/settings/caches_panel.h"

#include <QDesktopServices>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QUrl>
#include <QVBoxLayout>

#include "core/base/files/paths.h"
#include "core/base/quantity.h"
#include "ui/style/background.h"
#include "ui/style/text_label.h"

namespace wb {
namespace {

QString bytesText(std::int64_t bytes) {
  return QString::fromStdString(formatBytes(double(bytes)));
}

QString folderText() {
  return QString::fromStdString(cacheFolder().string());
}

}  // namespace

CachesPanel::CachesPanel(QWidget* parent)
    : QWidget(parent),
      summary_(new QLabel),
      rows_(new QGridLayout),
      empty_(new QPushButton(tr("Empty them"))) {
  QLabel* hint = textLabel(tr("What was compiled and made once. Emptied, it is made again when it is needed, "
                              "which takes the first run some more seconds."),
                           "hint");
  summary_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  summary_->setWordWrap(true);
  empty_->setAutoDefault(false);
  empty_->setAccessibleName(tr("Empty the caches"));
  auto* folder = new QPushButton(tr("Open the folder"));
  folder->setAutoDefault(false);
  connect(folder, &QPushButton::clicked, this,
          [] { QDesktopServices::openUrl(QUrl::fromLocalFile(folderText())); });
  rows_->setHorizontalSpacing(16);
  rows_->setVerticalSpacing(2);
  rows_->setColumnStretch(1, 1);
  auto* buttons = new QHBoxLayout;
  buttons->addWidget(empty_);
  buttons->addWidget(folder);
  buttons->addStretch();
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->addWidget(hint);
  column->addWidget(summary_);
  column->addLayout(rows_);
  column->addLayout(buttons);
  connect(empty_, &QPushButton::clicked, this, &CachesPanel::emptyAll);
  measure();
}

void CachesPanel::measure() {
  inBackground(
      this, [] { return caches(); }, [this](const std::vector<Cache>& there) { show(there); });
}

void CachesPanel::show(const std::vector<Cache>& there) {
  while (QLayoutItem* item = rows_->takeAt(0)) {
    delete item->widget();
    delete item;
  }
  for (int row = 0; row < int(there.size()); ++row) {
    const Cache& cache = there[std::size_t(row)];
    auto* size = new QLabel(bytesText(cache.bytes));
    size->setAlignment(Qt::AlignRight);
    auto* holds = new QLabel(QString::fromUtf8(cache.holds.data(), qsizetype(cache.holds.size())) +
                             QStringLiteral("  (") + QString::fromStdString(cache.name) + QLatin1Char(')'));
    holds->setObjectName(QStringLiteral("hint"));
    rows_->addWidget(size, row, 0);
    rows_->addWidget(holds, row, 1);
  }
  summary_->setText(tr("%1 in %2").arg(bytesText(bytesOf(there)), folderText()));
  empty_->setEnabled(!there.empty());
  emit measured();
}

void CachesPanel::emptyAll() {
  empty_->setEnabled(false);
  inBackground(
      this,
      [] {
        emptyCaches();
        return caches();
      },
      [this](const std::vector<Cache>& there) { show(there); });
}

QString CachesPanel::summary() const {
  return summary_->text();
}

}  // namespace wb

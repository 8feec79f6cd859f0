// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/new_dialog.h"

#include <QDialogButtonBox>
#include <QLabel>
#include <QListWidget>
#include <QPushButton>
#include <QSplitter>
#include <QVBoxLayout>

#include "core/base/files/paths.h"
#include "core/model/languages.h"
#include "editor/kernel_editor.h"
#include "ui/style/background.h"
#include "ui/style/icon.h"
#include "ui/style/theme.h"
#include "ui/tables/two_line_delegate.h"

namespace wb {
namespace {

constexpr int itemRole = Qt::UserRole;

QString iconOf(const GalleryItem& item) {
  const Language* language = detectLanguage(item.file, item.text);
  if (!language) return QStringLiteral("file-earmark-code");
  if (language->id == "triton") return QStringLiteral("trident");
  if (language->lexer == "python") return QStringLiteral("filetype-py");
  return language->needsGpu ? QStringLiteral("gpu-card") : QStringLiteral("file-earmark-code");
}

QString languageTitle(const GalleryItem& item) {
  const Language* language = detectLanguage(item.file, item.text);
  return language ? QString::fromUtf8(language->title.data(), qsizetype(language->title.size())) : QString();
}

}  // namespace

NewDialog::NewDialog(QWidget* parent) : QDialog(parent), list_(new QListWidget), preview_(new KernelEditor) {
  setWindowTitle(tr("New kernel"));
  resize(1140, 680);
  list_->setAccessibleName(tr("Templates and samples"));
  list_->setItemDelegate(new TwoLineDelegate(list_));
  list_->setMouseTracking(true);
  list_->setMinimumWidth(430);
  preview_->setAccessibleName(tr("Preview"));
  preview_->setReadOnly(true);
  preview_->setFrameShape(QFrame::NoFrame);
  preview_->setPalette(editorPaletteOf(themeOf(palette())));
  preview_->setFontPixelSize(12);
  auto* title = new QLabel(tr("Start from"));
  title->setObjectName(QStringLiteral("title"));
  auto* split = new QSplitter;
  split->addWidget(list_);
  split->addWidget(preview_);
  split->setStretchFactor(1, 1);
  split->setChildrenCollapsible(false);
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel);
  create_ = buttons->addButton(tr("Create"), QDialogButtonBox::AcceptRole);
  create_->setDefault(true);
  create_->setEnabled(false);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(16, 14, 16, 14);
  column->setSpacing(12);
  column->addWidget(title);
  column->addWidget(split, 1);
  column->addWidget(buttons);
  connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  connect(list_, &QListWidget::currentRowChanged, this, &NewDialog::preview);
  connect(list_, &QListWidget::itemActivated, this, [this] {
    if (chosen()) accept();
  });
  list_->setFocus();
  inBackground(
      this, [] { return readGallery(resourceFolder()); },
      [this](std::vector<GalleryItem> items) { show(std::move(items)); });
}

void NewDialog::show(std::vector<GalleryItem> items) {
  items_ = std::move(items);
  for (size_t i = 0; i < items_.size(); ++i) {
    if (i == 0 || items_[i].sample != items_[i - 1].sample) {
      auto* heading = new QListWidgetItem(items_[i].sample ? tr("SAMPLES") : tr("TEMPLATES"), list_);
      heading->setFlags(Qt::NoItemFlags);
      heading->setData(TwoLineDelegate::headingRole, true);
    }
    auto* item = new QListWidgetItem(icon(iconOf(items_[i]), IconTone::accent),
                                     QString::fromStdString(items_[i].title), list_);
    const QString summary = QString::fromStdString(items_[i].summary);
    item->setData(itemRole, int(i));
    item->setData(TwoLineDelegate::summaryRole, summary);
    item->setToolTip(QStringLiteral("%1  ·  %2\n%3")
                         .arg(QString::fromStdString(items_[i].file), languageTitle(items_[i]), summary));
  }
  if (items_.empty())
    (new QListWidgetItem(
         tr("No templates found in %1").arg(QString::fromStdString(resourceFolder().string())), list_))
        ->setFlags(Qt::NoItemFlags);
  else
    list_->setCurrentRow(1);
}

const GalleryItem* NewDialog::chosen() const {
  const QListWidgetItem* item = list_->currentItem();
  if (!item || item->data(itemRole).isNull()) return nullptr;
  return &items_[size_t(item->data(itemRole).toInt())];
}

void NewDialog::preview() {
  const GalleryItem* item = chosen();
  create_->setEnabled(item != nullptr);
  if (!item) return;
  const Language* language = detectLanguage(item->file, item->text);
  preview_->setLanguage(language
                            ? QString::fromUtf8(language->lexer.data(), qsizetype(language->lexer.size()))
                            : QStringLiteral("cpp"));
  preview_->setReadOnly(false);
  preview_->setText(QString::fromStdString(item->text));
  preview_->setReadOnly(true);
}

}  // namespace wb

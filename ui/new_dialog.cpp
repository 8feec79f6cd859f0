// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/new_dialog.h"

#include <QDialogButtonBox>
#include <QFileInfo>
#include <QLabel>
#include <QListWidget>
#include <QPainter>
#include <QPushButton>
#include <QSplitter>
#include <QStyledItemDelegate>
#include <QVBoxLayout>

#include "core/base/paths.h"
#include "core/model/languages.h"
#include "editor/kernel_editor.h"
#include "ui/background.h"
#include "ui/fonts.h"
#include "ui/icon.h"
#include "ui/theme.h"

namespace wb {
namespace {

enum Role { itemRole = Qt::UserRole, summaryRole };

/// Two lines: title and summary.
class GalleryDelegate : public QStyledItemDelegate {
 public:
  using QStyledItemDelegate::QStyledItemDelegate;

  QSize sizeHint(const QStyleOptionViewItem&, const QModelIndex& index) const override {
    return {200, index.data(itemRole).isNull() ? 30 : 50};
  }

  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
    const Theme& theme = themeOf(option.palette);
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    const QRect rect = option.rect.adjusted(2, 1, -2, -1);
    if (index.data(itemRole).isNull()) {
      painter->setFont(textFont(11, QFont::DemiBold));
      painter->setPen(theme.muted);
      painter->drawText(rect.adjusted(8, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter, index.data().toString());
      painter->restore();
      return;
    }
    if (option.state & (QStyle::State_Selected | QStyle::State_MouseOver)) {
      painter->setPen(Qt::NoPen);
      painter->setBrush(option.state & QStyle::State_Selected ? theme.selected : theme.hover);
      painter->drawRoundedRect(rect, 6, 6);
    }
    index.data(Qt::DecorationRole)
        .value<QIcon>()
        .paint(painter, QRect(rect.left() + 10, rect.top() + 7, 18, 18));
    const QRect words = rect.adjusted(38, 5, -8, -5);
    painter->setFont(textFont(13, QFont::Medium));
    painter->setPen(theme.text);
    painter->drawText(
        words, Qt::AlignLeft | Qt::AlignTop,
        painter->fontMetrics().elidedText(index.data().toString(), Qt::ElideRight, words.width()));
    painter->setFont(textFont(12));
    painter->setPen(theme.secondary);
    painter->drawText(
        words, Qt::AlignLeft | Qt::AlignBottom,
        painter->fontMetrics().elidedText(index.data(summaryRole).toString(), Qt::ElideRight, words.width()));
    painter->restore();
  }
};

}  // namespace

NewDialog::NewDialog(QWidget* parent) : QDialog(parent), list_(new QListWidget), preview_(new KernelEditor) {
  setWindowTitle(tr("New kernel"));
  resize(1080, 660);
  list_->setAccessibleName(tr("Templates and samples"));
  list_->setItemDelegate(new GalleryDelegate(list_));
  list_->setMouseTracking(true);
  list_->setMinimumWidth(380);
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
    }
    const bool gpu = QFileInfo(QString::fromStdString(items_[i].file)).suffix() == QLatin1String("cu");
    auto* item = new QListWidgetItem(
        icon(gpu ? QStringLiteral("gpu-card") : QStringLiteral("file-earmark-code"), IconTone::accent),
        QString::fromStdString(items_[i].title), list_);
    item->setData(itemRole, int(i));
    item->setData(summaryRole, QString::fromStdString(items_[i].summary));
    item->setToolTip(QString::fromStdString(items_[i].summary));
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

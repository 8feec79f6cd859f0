// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/new_dialog.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QSplitter>
#include <QVBoxLayout>
#include <algorithm>

#include "core/base/files/paths.h"
#include "core/model/languages.h"
#include "core/model/operators/operator_search.h"
#include "core/suites/suites.h"
#include "core/templates/new_kernel.h"
#include "editor/kernel_editor.h"
#include "ui/style/background.h"
#include "ui/style/icon.h"
#include "ui/style/text_label.h"
#include "ui/style/theme.h"
#include "ui/tables/two_line_delegate.h"

namespace wb {
namespace {

enum Role { operatorRole = Qt::UserRole, sampleRole };
/// So many operators are offered at once; more are found by typing more.
constexpr std::size_t mostOperators = 60;

QString qt(std::string_view text) {
  return QString::fromUtf8(text.data(), qsizetype(text.size()));
}

QString iconOf(const Language* language) {
  if (!language) return QStringLiteral("file-earmark-code");
  if (language->id == "triton") return QStringLiteral("trident");
  if (language->lexer == "python") return QStringLiteral("filetype-py");
  return language->needsGpu ? QStringLiteral("gpu-card") : QStringLiteral("file-earmark-code");
}

bool fits(const GalleryItem& item, const QString& typed) {
  const QString words = QString::fromStdString(item.title + " " + item.summary + " " + item.file);
  for (const QString& word : typed.split(QLatin1Char(' '), Qt::SkipEmptyParts))
    if (!words.contains(word, Qt::CaseInsensitive)) return false;
  return true;
}

/// "gelu", "sum.dim_IntList", "quantized::relu6".
QString nameOf(const OperatorEntry& entry) {
  constexpr std::string_view aten = "aten::";
  return qt(entry.name.starts_with(aten) ? std::string_view(entry.name).substr(aten.size()) : entry.name);
}

}  // namespace

NewDialog::NewDialog(const QString& language, QWidget* parent)
    : QDialog(parent),
      search_(new QLineEdit),
      list_(new QListWidget),
      language_(new QComboBox),
      schema_(new QLabel),
      note_(new QLabel),
      preview_(new KernelEditor) {
  setWindowTitle(tr("New kernel"));
  resize(1180, 720);
  auto* split = new QSplitter;
  split->addWidget(buildLeft());
  split->addWidget(buildRight());
  split->setStretchFactor(1, 1);
  split->setChildrenCollapsible(false);
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel);
  create_ = buttons->addButton(tr("Create"), QDialogButtonBox::AcceptRole);
  create_->setDefault(true);
  create_->setEnabled(false);
  for (QAbstractButton* button : buttons->buttons()) button->setIcon({});
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(16, 14, 16, 14);
  column->setSpacing(12);
  column->addWidget(split, 1);
  column->addWidget(buttons);
  if (const int at = language_->findData(language); at >= 0) language_->setCurrentIndex(at);
  connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  connect(search_, &QLineEdit::textChanged, this, &NewDialog::fillList);
  connect(language_, &QComboBox::currentIndexChanged, this, &NewDialog::choose);
  connect(list_, &QListWidget::currentRowChanged, this, &NewDialog::choose);
  connect(list_, &QListWidget::itemActivated, this, [this] {
    if (chosen_) accept();
  });
  search_->setFocus();
  inBackground(
      this,
      [] {
        Offered offered;
        if (Result<Catalogue> catalogue = readCatalogue())
          offered.operators = std::move(catalogue->operators);
        offered.gallery = readGallery(resourceFolder());
        if (const Result<Suite> smoke = loadSuite("smoke"))
          for (const Case& each : smoke->cases)
            if (offered.inSmoke.empty() || offered.inSmoke.back() != each.op)
              offered.inSmoke.push_back(each.op);
        return offered;
      },
      [this](Offered offered) {
        offered_ = std::move(offered);
        fillList();
      });
}

QWidget* NewDialog::buildLeft() {
  auto* left = new QWidget;
  auto* column = new QVBoxLayout(left);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(8);
  search_->setPlaceholderText(tr("Operator or sample: gelu, softmax, layer norm…"));
  search_->setAccessibleName(tr("Search operators and samples"));
  search_->setClearButtonEnabled(true);
  search_->installEventFilter(this);
  list_->setAccessibleName(tr("Operators and samples"));
  list_->setItemDelegate(new TwoLineDelegate(list_));
  list_->setMouseTracking(true);
  list_->setMinimumWidth(420);
  list_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  column->addWidget(search_);
  column->addWidget(list_, 1);
  return left;
}

QWidget* NewDialog::buildRight() {
  auto* right = new QWidget;
  auto* column = new QVBoxLayout(right);
  column->setContentsMargins(12, 0, 0, 0);
  column->setSpacing(8);
  language_->setAccessibleName(tr("Language"));
  for (const Language& each : languages()) {
    if (each.templateFile.empty()) continue;  // ATen itself
    language_->addItem(icon(iconOf(&each), IconTone::secondary), qt(each.title), qt(each.id));
    language_->setItemData(language_->count() - 1, qt(each.summary), Qt::ToolTipRole);
  }
  auto* label = new QLabel(tr("&Language"));
  label->setBuddy(language_);
  auto* row = new QHBoxLayout;
  row->addWidget(label);
  row->addWidget(language_);
  row->addStretch(1);
  schema_->setObjectName(QStringLiteral("hint"));
  schema_->setWordWrap(true);
  schema_->setTextFormat(Qt::PlainText);
  schema_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  schema_->setFocusPolicy(Qt::NoFocus);
  note_->setObjectName(QStringLiteral("hint"));
  note_->setWordWrap(true);
  note_->setTextFormat(Qt::PlainText);
  preview_->setAccessibleName(tr("Preview"));
  preview_->setReadOnly(true);
  preview_->setFrameShape(QFrame::NoFrame);
  preview_->setPalette(editorPaletteOf(themeOf(palette())));
  preview_->setFontPixelSize(12);
  column->addLayout(row);
  column->addWidget(schema_);
  column->addWidget(preview_, 1);
  column->addWidget(note_);
  return right;
}

QString NewDialog::language() const {
  return language_->currentData().toString();
}

// The arrow keys move in the list while the field has the focus.
bool NewDialog::eventFilter(QObject* watched, QEvent* event) {
  if (watched == search_ && event->type() == QEvent::KeyPress) {
    const int key = static_cast<QKeyEvent*>(event)->key();
    if (key == Qt::Key_Down || key == Qt::Key_Up || key == Qt::Key_PageDown || key == Qt::Key_PageUp) {
      QCoreApplication::sendEvent(list_, event);
      return true;
    }
  }
  return QDialog::eventFilter(watched, event);
}

void NewDialog::addHeading(const QString& text) {
  auto* heading = new QListWidgetItem(text, list_);
  heading->setFlags(Qt::NoItemFlags);
  heading->setData(TwoLineDelegate::headingRole, true);
}

void NewDialog::fillList() {
  const QSignalBlocker quiet(list_);
  list_->clear();
  const QString typed = search_->text().trimmed();
  const std::vector<std::size_t> operators =
      searchOperators(typed.toStdString(), offered_.operators, mostOperators);
  if (!operators.empty()) addHeading(typed.isEmpty() ? tr("EVERYDAY OPERATORS") : tr("OPERATORS"));
  for (const std::size_t at : operators) {
    const OperatorEntry& entry = offered_.operators[at];
    auto* item = new QListWidgetItem(icon(QStringLiteral("braces"), IconTone::accent), nameOf(entry), list_);
    item->setData(operatorRole, int(at));
    item->setData(TwoLineDelegate::summaryRole, qt(entry.schema.substr(entry.schema.find('('))));
    item->setToolTip(qt(entry.schema));
  }
  for (const bool samples : {true, false}) {
    bool isFirst = true;
    for (std::size_t i = 0; i < offered_.gallery.size(); ++i) {
      const GalleryItem& each = offered_.gallery[i];
      if (each.sample != samples || !fits(each, typed)) continue;
      if (std::exchange(isFirst, false)) addHeading(samples ? tr("WORKED SAMPLES") : tr("SHORT FORMS"));
      const Language* language = detectLanguage(each.file, each.text);
      auto* item = new QListWidgetItem(icon(iconOf(language), IconTone::accent),
                                       QString::fromStdString(each.title), list_);
      item->setData(sampleRole, int(i));
      item->setData(TwoLineDelegate::summaryRole, QString::fromStdString(each.summary));
      item->setToolTip(
          QStringLiteral("%1  ·  %2").arg(qt(each.file), language ? qt(language->title) : QString()));
    }
  }
  if (list_->count() == 0)
    (new QListWidgetItem(tr("No operator and no sample fits “%1”").arg(typed), list_))
        ->setFlags(Qt::NoItemFlags);
  else
    list_->setCurrentRow(1);
  choose();
}

void NewDialog::choose() {
  chosen_.reset();
  schema_->clear();
  const QListWidgetItem* item = list_->currentItem();
  language_->setEnabled(item && item->data(operatorRole).isValid());
  if (item && item->data(operatorRole).isValid())
    chooseOperator(offered_.operators[size_t(item->data(operatorRole).toInt())]);
  else if (item && item->data(sampleRole).isValid())
    chooseSample(offered_.gallery[size_t(item->data(sampleRole).toInt())]);
  else
    showText({});
  create_->setEnabled(chosen_.has_value());
}

void NewDialog::chooseOperator(const OperatorEntry& entry) {
  schema_->setText(qt(entry.schema));
  const Result<NewKernel> made = newKernel(entry.schema, language().toStdString());
  if (!made) return showText(qt(made.error().text + ". " + made.error().hint), true);
  const bool inSmoke = std::ranges::find(offered_.inSmoke, entry.name) != offered_.inSmoke.end();
  chosen_ = NewDocument{qt(made->file), qt(made->text),
                        entry.name.starts_with("aten::") ? QString() : qt(entry.name),
                        inSmoke ? QStringLiteral("smoke") : QStringLiteral("opinfo")};
  if (!made->complete)
    return showText(
        tr("It compiles, and is to be written: raw CUDA has no form for this operator to begin with."), true);
  showText(tr("A right answer from the start: %1. Its cases are those of %2.")
               .arg(made->form == "ATen's answer" ? tr("ATen gives it, until you write your own")
                                                  : tr("computed %1").arg(qt(made->form)),
                    chosen_->suite));
}

void NewDialog::chooseSample(const GalleryItem& item) {
  chosen_ = NewDocument{qt(item.file), qt(item.text), {}, {}};
  showText(item.needsGpu ? tr("%1 It runs on a GPU; without one it is compiled.").arg(qt(item.summary))
                         : qt(item.summary));
}

void NewDialog::changeEvent(QEvent* event) {
  QDialog::changeEvent(event);
  if (event->type() == QEvent::PaletteChange) preview_->setPalette(editorPaletteOf(themeOf(palette())));
}

void NewDialog::showText(const QString& note, bool isWarning) {
  note_->setText(note);
  setTone(*note_, isWarning ? Tone::warning : Tone::neutral);
  const QString text = chosen_ ? chosen_->text : QString();
  const Language* language =
      chosen_ ? detectLanguage(chosen_->file.toStdString(), text.toStdString()) : nullptr;
  preview_->setLanguage(language ? qt(language->lexer) : QStringLiteral("cpp"));
  preview_->setReadOnly(false);
  preview_->setText(text);
  preview_->setReadOnly(true);
}

}  // namespace wb

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/export_dialog.h"

#include <QComboBox>
#include <QDateTime>
#include <QDesktopServices>
#include <QDialogButtonBox>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QUrl>
#include <QVBoxLayout>

#include "core/figures/profile/profile_figures.h"
#include "core/report/exporters.h"
#include "ui/settings/settings.h"
#include "ui/style/background.h"
#include "ui/style/text_label.h"

namespace wb {
namespace {

// "relu-2026-11-22-140259": by the kernel and the time at which the run began, so that no export takes the
// name of an earlier one.
QString suggestedName(const Report& report) {
  QString name = QStringLiteral("report");
  if (report.kernels.size() == 1) {
    const QFileInfo kernel(QString::fromStdString(report.kernels[0]->source.path));
    if (!kernel.completeBaseName().isEmpty()) name = kernel.completeBaseName();
  }
  const QDateTime began = QDateTime::fromString(QString::fromStdString(report.startedAt), Qt::ISODate);
  const QDateTime time = began.isValid() ? began.toLocalTime() : QDateTime::currentDateTime();
  return name + time.toString(QStringLiteral("-yyyy-MM-dd-HHmmss"));
}

QString qt(std::string_view text) {
  return QString::fromUtf8(text.data(), qsizetype(text.size()));
}

bool hasTimeline(const Report& report) {
  for (const CaseKey& key : profiledCases(report)) {
    const auto& profile = report.kernels[key.kernel]->cases[key.index].profile;
    if (profile && !((*profile)->candidate.activities.empty() && (*profile)->reference.activities.empty()))
      return true;
  }
  return false;
}

// The path without a format's ending, which may have two parts: "a.trace.json" → "a".
QString withoutEnding(const QString& path) {
  if (const Exporter* exporter = exporterOf(path.toStdString());
      exporter && path.endsWith(qt(exporter->extension)))
    return path.chopped(qt(exporter->extension).size());
  const QFileInfo info(path);
  return QDir(info.path()).filePath(info.completeBaseName());
}

}  // namespace

ExportDialog::ExportDialog(std::shared_ptr<const Report> report, Settings& settings, QWidget* parent)
    : QDialog(parent),
      report_(std::move(report)),
      settings_(settings),
      format_(new QComboBox),
      file_(new QLineEdit),
      message_(new QLabel) {
  setWindowTitle(tr("Export report"));
  setMinimumWidth(560);
  for (const Exporter& exporter : exporters())
    if (exporter.id != "trace" || hasTimeline(*report_))
      format_->addItem(qt(exporter.title), qt(exporter.extension));
  format_->setAccessibleName(tr("Format"));
  file_->setAccessibleName(tr("File"));
  message_->setObjectName(QStringLiteral("hint"));
  message_->setWordWrap(true);
  message_->setTextFormat(Qt::PlainText);
  auto* browseButton = new QPushButton(tr("Browse…"));
  browseButton->setAutoDefault(false);
  browseButton->setAccessibleName(tr("Browse for the file"));
  auto* fileRow = new QHBoxLayout;
  fileRow->setSpacing(8);
  fileRow->addWidget(file_, 1);
  fileRow->addWidget(browseButton);
  auto* form = new QFormLayout;
  form->setHorizontalSpacing(14);
  form->setVerticalSpacing(10);
  form->addRow(tr("Format"), format_);
  form->addRow(tr("File"), fileRow);
  auto* buttons = new QDialogButtonBox;
  export_ = buttons->addButton(tr("Export"), QDialogButtonBox::ActionRole);
  export_->setDefault(true);
  open_ = buttons->addButton(tr("Open"), QDialogButtonBox::ActionRole);
  open_->setEnabled(false);
  buttons->addButton(QDialogButtonBox::Close);
  auto* title = new QLabel(tr("Export report"));
  title->setObjectName(QStringLiteral("title"));
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(16, 14, 16, 14);
  column->setSpacing(12);
  column->addWidget(title);
  column->addLayout(form);
  column->addWidget(message_);
  column->addStretch();
  column->addWidget(buttons);

  const QString folder = settings_.text("export/folder", QDir::homePath());
  const int last = format_->findData(settings_.text("export/format", QStringLiteral(".html")));
  format_->setCurrentIndex(std::max(0, last));
  file_->setText(QDir(folder).filePath(suggestedName(*report_)) + format_->currentData().toString());
  connect(format_, &QComboBox::currentIndexChanged, this, &ExportDialog::formatChanged);
  connect(browseButton, &QPushButton::clicked, this, &ExportDialog::browse);
  connect(export_, &QPushButton::clicked, this, &ExportDialog::write);
  connect(file_, &QLineEdit::textEdited, this, &ExportDialog::forgetAnswer);
  connect(open_, &QPushButton::clicked, this,
          [this] { QDesktopServices::openUrl(QUrl::fromLocalFile(writtenFile_)); });
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
}

void ExportDialog::formatChanged() {
  file_->setText(withoutEnding(file_->text()) + format_->currentData().toString());
  open_->setEnabled(false);
  forgetAnswer();
}

void ExportDialog::browse() {
  const QString path = QFileDialog::getSaveFileName(
      this, tr("Export report"), file_->text(),
      tr("%1 (*%2)").arg(format_->currentText(), format_->currentData().toString()), nullptr,
      QFileDialog::DontConfirmOverwrite);
  if (path.isEmpty()) return;
  file_->setText(path);
  forgetAnswer();
}

void ExportDialog::write() {
  QString path = QFileInfo(file_->text().trimmed()).absoluteFilePath();
  if (QFileInfo(path).suffix().isEmpty()) path += format_->currentData().toString();
  file_->setText(path);
  const bool mayReplace = path == confirmed_;
  export_->setEnabled(false);
  open_->setEnabled(false);
  tell(tr("Writing…"), false);
  struct Written {
    bool isThere = false;
    Result<void> result;
  };
  inBackground(
      this,
      [report = report_, path, mayReplace]() -> Written {
        if (!mayReplace && QFileInfo::exists(path)) return {true, {}};
        return {false, exportReport(*report, path.toStdString())};
      },
      [this, path](const Written& done) {
        export_->setEnabled(true);
        if (done.isThere) return askToReplace(path);
        forgetAnswer();
        if (!done.result) {
          tell(QString::fromStdString(describe(done.result.error())), true);
          emit failed(message());
          return;
        }
        writtenFile_ = path;
        settings_.setText("export/folder", QFileInfo(path).absolutePath());
        settings_.setText("export/format", format_->currentData().toString());
        open_->setEnabled(true);
        open_->setFocus();
        tell(tr("Written to %1").arg(QDir::toNativeSeparators(path)), false);
        emit written(path);
      });
}

void ExportDialog::askToReplace(const QString& path) {
  confirmed_ = path;
  export_->setText(tr("Replace"));
  tell(tr("%1 is there already. Press Replace to overwrite it, or choose another name.")
           .arg(QFileInfo(path).fileName()),
       true);
  emit replaceAsked();
}

void ExportDialog::forgetAnswer() {
  confirmed_.clear();
  export_->setText(tr("Export"));
}

QString ExportDialog::message() const {
  return message_->text();
}

void ExportDialog::tell(const QString& text, bool bad) {
  message_->setText(text);
  setTone(*message_, bad ? Tone::bad : Tone::neutral);
}

}  // namespace wb

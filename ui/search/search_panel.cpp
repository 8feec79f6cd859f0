// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/search/search_panel.h"

#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QTableView>
#include <QToolButton>
#include <QVBoxLayout>

#include "editor/kernel_editor.h"
#include "ui/editing/document.h"
#include "ui/editing/editor_area.h"
#include "ui/editing/files.h"
#include "ui/style/icon.h"
#include "ui/tables/table_model.h"
#include "ui/tables/table_panel.h"

namespace wb {
namespace {

std::shared_ptr<const Table> tableOf(const std::vector<FoundPlace>& found, const QString& folder,
                                     const QString& empty) {
  auto table = std::make_shared<Table>();
  table->id = "found";
  table->title = "Find in files";
  table->columns = {Column{"place", "Place", {}, ColumnKind::place},
                    Column{"line", "Line", {}, ColumnKind::code}};
  table->empty = empty.toStdString();
  const QDir root(folder);
  for (std::size_t i = 0; i < found.size(); ++i) {
    const FoundPlace& place = found[i];
    Table::Row row;
    row.id = std::to_string(i);
    row.place = {place.path.toStdString(), place.line, place.column};
    Cell where;
    where.text = QStringLiteral("%1:%2").arg(root.relativeFilePath(place.path)).arg(place.line).toStdString();
    where.sort = double(i);
    where.detail = place.path.toStdString();
    Cell text;
    text.text = place.text.left(400).toStdString();
    row.cells = {std::move(where), std::move(text)};
    table->rows.push_back(std::move(row));
  }
  return table;
}

}  // namespace

SearchPanel::SearchPanel(EditorArea& area, Files& files, QWidget* parent)
    : QWidget(parent),
      area_(area),
      files_(files),
      text_(new QLineEdit),
      folder_(new QLineEdit),
      status_(new QLabel),
      table_(new TablePanel(tr("Places that were found"))) {
  setObjectName(QStringLiteral("searchPanel"));
  buildRow();
  table_->setDense(true);
  table_->setEmptyText(tr("Type a text and press Enter to find it in all files of the folder."));
  delay_.setSingleShot(true);
  delay_.setInterval(100);
  connect(&delay_, &QTimer::timeout, this, &SearchPanel::showFound);
  connect(&search_, &FileSearch::progressed, this, [this] {
    if (!delay_.isActive()) delay_.start();
  });
  connect(&search_, &FileSearch::finished, this, [this] {
    delay_.stop();
    showFound();
  });
  connect(table_, &TablePanel::activated, this, [this](const QString& id) {
    const Place place = table_->model().placeOf(id.toStdString());
    if (place.line > 0) files_.open(QString::fromStdString(place.file), place.line, place.column);
  });
}

void SearchPanel::buildRow() {
  text_->setPlaceholderText(tr("Find in all files"));
  text_->setAccessibleName(tr("Text to find in files"));
  folder_->setAccessibleName(tr("Folder to search"));
  folder_->setPlaceholderText(tr("Folder"));
  status_->setObjectName(QStringLiteral("muted"));
  text_->setMinimumWidth(150);
  folder_->setMinimumWidth(90);
  auto* row = new QHBoxLayout;
  row->setContentsMargins(10, 6, 10, 0);
  row->setSpacing(4);
  row->addWidget(text_, 2);
  letterCase_ = button({}, QStringLiteral("Aa"), tr("Match case"), true);
  word_ = button({}, QStringLiteral("|ab|"), tr("Whole words"), true);
  regex_ = button(QStringLiteral("regex"), {}, tr("Regular expression"), true);
  for (QToolButton* each : {letterCase_, word_, regex_}) row->addWidget(each);
  row->addSpacing(6);
  row->addWidget(folder_, 3);
  QToolButton* choose = button(QStringLiteral("folder2-open"), {}, tr("Choose the folder"), false);
  row->addWidget(choose);
  go_ = button({}, tr("Find"), tr("Find in all files  (Enter)"), false);
  row->addWidget(go_);
  row->addWidget(status_);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(4);
  column->addLayout(row);
  column->addWidget(table_, 1);
  connect(choose, &QToolButton::clicked, this, &SearchPanel::chooseFolder);
  connect(go_, &QToolButton::clicked, this, [this] { search_.isRunning() ? search_.cancel() : start(); });
  for (QLineEdit* field : {text_, folder_}) field->installEventFilter(this);
}

QToolButton* SearchPanel::button(const QString& iconName, const QString& text, const QString& tip,
                                 bool checkable) {
  auto* made = new QToolButton;
  if (!iconName.isEmpty()) made->setIcon(icon(iconName, IconTone::secondary));
  made->setText(text);
  made->setToolTip(tip);
  made->setAccessibleName(tip.section(QStringLiteral("  ("), 0, 0));
  made->setCheckable(checkable);
  return made;
}

void SearchPanel::begin() {
  if (Document* document = area_.current()) {
    const QString selected = document->editor().selectedText();
    if (!selected.isEmpty() && !selected.contains(QLatin1Char('\n'))) text_->setText(selected);
    if (!document->path().isEmpty() && folder_->text().isEmpty())
      folder_->setText(QFileInfo(document->path()).absolutePath());
  }
  if (folder_->text().isEmpty()) folder_->setText(QDir::homePath());
  text_->selectAll();
  text_->setFocus();
}

void SearchPanel::chooseFolder() {
  const QString folder = QFileDialog::getExistingDirectory(this, tr("Find in folder"), folder_->text());
  if (!folder.isEmpty()) folder_->setText(folder);
}

void SearchPanel::start() {
  if (text_->text().isEmpty()) return;
  FileSearchRequest request;
  request.query = {text_->text(), regex_->isChecked(), letterCase_->isChecked(), word_->isChecked()};
  if (regex_->isChecked() && !KernelEditor::regexError(text_->text()).isEmpty()) {
    status_->setText(tr("not an expression"));
    return;
  }
  request.folder = QDir(folder_->text()).absolutePath();
  if (!QFileInfo(request.folder).isDir()) {
    status_->setText(tr("there is no such folder"));
    return;
  }
  for (const Document* document : area_.documents())
    if (!document->path().isEmpty()) request.open.insert(document->path(), document->text());
  search_.start(std::move(request));
  showStatus();
}

void SearchPanel::showFound() {
  table_->setTable(tableOf(search_.found(), QDir(folder_->text()).absolutePath(),
                           search_.isRunning() ? tr("Searching …") : tr("Nothing was found.")));
  showStatus();
}

void SearchPanel::showStatus() {
  const int places = int(search_.found().size());
  go_->setText(search_.isRunning() ? tr("Stop") : tr("Find"));
  status_->setText(places >= FileSearch::mostPlaces ? tr("the first %1 places").arg(places)
                   : places == 1                    ? tr("1 place in %1 files").arg(search_.filesRead())
                                 : tr("%1 places in %2 files").arg(places).arg(search_.filesRead()));
}

QString SearchPanel::statusText() const {
  return status_->text();
}

bool SearchPanel::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() == QEvent::ShortcutOverride && search_.isRunning() &&
      static_cast<QKeyEvent*>(event)->key() == Qt::Key_Escape) {
    event->accept();
    return true;
  }
  if (event->type() != QEvent::KeyPress) return QWidget::eventFilter(watched, event);
  const int key = static_cast<QKeyEvent*>(event)->key();
  if (key == Qt::Key_Return || key == Qt::Key_Enter) {
    start();
    return true;
  }
  if (key == Qt::Key_Escape && search_.isRunning()) {
    search_.cancel();
    return true;
  }
  if (key == Qt::Key_Down && watched == text_) {
    table_->view().setFocus();
    return true;
  }
  return QWidget::eventFilter(watched, event);
}

}  // namespace wb

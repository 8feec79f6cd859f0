// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/folder/folder_panel.h"

#include <QClipboard>
#include <QDesktopServices>
#include <QDir>
#include <QFile>
#include <QFileDialog>
#include <QFileInfo>
#include <QFileSystemModel>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QMenu>
#include <QToolButton>
#include <QTreeView>
#include <QUrl>
#include <QVBoxLayout>

#include "ui/editing/document.h"
#include "ui/editing/editor_area.h"
#include "ui/editing/files.h"
#include "ui/style/icon.h"

namespace wb {
namespace {

class FileIcons : public QAbstractFileIconProvider {
 public:
  QIcon icon(IconType type) const override {
    return wb::icon(type == Folder ? QStringLiteral("folder2-open") : QStringLiteral("file-earmark-text"),
                    IconTone::secondary);
  }
  QIcon icon(const QFileInfo& info) const override {
    if (info.isDir()) return icon(Folder);
    const QString suffix = info.suffix();
    if (suffix == QLatin1String("py")) return wb::icon(QStringLiteral("filetype-py"), IconTone::good);
    if (suffix == QLatin1String("cu") || suffix == QLatin1String("cuh"))
      return wb::icon(QStringLiteral("gpu-card"), IconTone::good);
    if (suffix == QLatin1String("cpp") || suffix == QLatin1String("h") || suffix == QLatin1String("hpp"))
      return wb::icon(QStringLiteral("file-earmark-code"), IconTone::good);
    return icon(File);
  }
};

QToolButton* tool(const char* iconName, const QString& tip) {
  auto* made = new QToolButton;
  made->setIcon(icon(QString::fromLatin1(iconName), IconTone::secondary));
  made->setToolTip(tip);
  made->setAccessibleName(tip);
  return made;
}

}  // namespace

FolderPanel::FolderPanel(EditorArea& area, Files& files, QWidget* parent)
    : QWidget(parent),
      area_(area),
      files_(files),
      icons_(new FileIcons),
      model_(new QFileSystemModel(this)),
      view_(new QTreeView),
      name_(new QLabel) {
  setObjectName(QStringLiteral("folderPanel"));
  connect(this, &QObject::destroyed, model_, [icons = icons_] { delete icons; });
  model_->setIconProvider(icons_);
  model_->setReadOnly(false);
  model_->setFilter(QDir::AllDirs | QDir::Files | QDir::NoDotAndDotDot);
  view_->setModel(model_);
  view_->setAccessibleName(tr("Files of the folder"));
  view_->setHeaderHidden(true);
  view_->setEditTriggers(QAbstractItemView::EditKeyPressed);
  view_->setContextMenuPolicy(Qt::CustomContextMenu);
  view_->setFrameShape(QFrame::NoFrame);
  view_->setExpandsOnDoubleClick(true);
  for (int column = 1; column < model_->columnCount(); ++column) view_->hideColumn(column);
  view_->installEventFilter(this);
  QToolButton* add = tool("file-earmark-plus", tr("New file here"));
  QToolButton* choose = tool("folder2-open", tr("Choose another folder"));
  auto* row = new QHBoxLayout;
  row->setContentsMargins(12, 6, 6, 4);
  row->addWidget(name_, 1);
  row->addWidget(add);
  row->addWidget(choose);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addLayout(row);
  column->addWidget(view_, 1);
  setFocusProxy(view_);
  connect(add, &QToolButton::clicked, this, &FolderPanel::addFile);
  connect(choose, &QToolButton::clicked, this, &FolderPanel::chooseFolder);
  connect(view_, &QTreeView::doubleClicked, this, &FolderPanel::openCurrent);
  connect(view_, &QWidget::customContextMenuRequested, this, &FolderPanel::showMenu);
  connect(model_, &QFileSystemModel::fileRenamed, this, &FolderPanel::renamed);
  connect(&area_, &EditorArea::currentDocumentChanged, this, &FolderPanel::follow);
}

void FolderPanel::begin() {
  showCurrent();
  view_->setFocus();
}

void FolderPanel::showCurrent() {
  const Document* document = area_.current();
  const QString path = document ? document->path() : QString();
  if (!path.isEmpty() && (folder().isEmpty() || !path.startsWith(folder() + QLatin1Char('/'))))
    setFolder(QFileInfo(path).absolutePath());
  if (folder().isEmpty()) setFolder(QDir::homePath());
  follow();
}

void FolderPanel::setFolder(const QString& folder) {
  view_->setRootIndex(model_->setRootPath(QDir(folder).absolutePath()));
  const QString name = QFileInfo(this->folder()).fileName();
  name_->setText(name.isEmpty() ? this->folder() : name);
  name_->setToolTip(QDir::toNativeSeparators(this->folder()));
}

QString FolderPanel::folder() const {
  // A model that has no root yet says ".".
  return model_->rootPath() == QLatin1String(".") ? QString() : model_->rootPath();
}

// Selects the current document's file, if it is in the tree.
void FolderPanel::follow() {
  const Document* document = area_.current();
  if (!document || folder().isEmpty() || !document->path().startsWith(folder() + QLatin1Char('/'))) return;
  const QModelIndex index = model_->index(document->path());
  view_->setCurrentIndex(index);
  view_->scrollTo(index);
}

QString FolderPanel::currentPath() const {
  return view_->currentIndex().isValid() ? model_->filePath(view_->currentIndex()) : folder();
}

void FolderPanel::openCurrent() {
  const QFileInfo info(currentPath());
  if (info.isFile()) files_.open(info.absoluteFilePath());
}

// The open document goes with its file.
void FolderPanel::renamed(const QString& folder, const QString& before, const QString& after) {
  Document* document = area_.withPath(folder + QLatin1Char('/') + before);
  if (!document) return;
  const bool modified = document->isModified();
  document->setSaved(folder + QLatin1Char('/') + after);
  if (modified) document->markModified();
}

// Makes an empty file with a name that nobody has and lets the user type another one.
void FolderPanel::addFile() {
  const QFileInfo current(currentPath());
  const QDir folder(current.isDir() ? current.absoluteFilePath() : current.absolutePath());
  QString path;
  for (int number = 1; path.isEmpty() || QFileInfo::exists(path); ++number)
    path = folder.filePath(QStringLiteral("kernel-%1.cpp").arg(number));
  QFile file(path);
  if (!file.open(QIODevice::WriteOnly | QIODevice::NewOnly)) {
    files_.questions().tell({Stage::job, "a file cannot be made in " + folder.path().toStdString(),
                             file.errorString().toStdString()});
    return;
  }
  file.close();
  const QModelIndex index = model_->index(path);
  view_->setCurrentIndex(index);
  view_->scrollTo(index);
  view_->edit(index);
}

void FolderPanel::chooseFolder() {
  const QString chosen = QFileDialog::getExistingDirectory(this, tr("Show folder"), folder());
  if (!chosen.isEmpty()) setFolder(chosen);
}

void FolderPanel::showMenu(const QPoint& place) {
  const QString path = currentPath();
  auto* menu = new QMenu(this);
  menu->setAttribute(Qt::WA_DeleteOnClose);
  menu->addAction(tr("Open"), this, &FolderPanel::openCurrent)->setEnabled(QFileInfo(path).isFile());
  menu->addAction(tr("Rename"), this, [this] { view_->edit(view_->currentIndex()); });
  menu->addAction(tr("New file here"), this, &FolderPanel::addFile);
  menu->addSeparator();
  menu->addAction(tr("Copy the path"), this, [path] { QGuiApplication::clipboard()->setText(path); });
  menu->addAction(tr("Show in the file manager"), this,
                  [path] { QDesktopServices::openUrl(QUrl::fromLocalFile(QFileInfo(path).absolutePath())); });
  menu->popup(view_->viewport()->mapToGlobal(place));
}

bool FolderPanel::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() == QEvent::ShortcutOverride && static_cast<QKeyEvent*>(event)->key() == Qt::Key_F2) {
    event->accept();  // here it renames the file, not the name at the caret
    return true;
  }
  if (event->type() == QEvent::KeyPress) {
    const auto* key = static_cast<QKeyEvent*>(event);
    if ((key->key() == Qt::Key_Return || key->key() == Qt::Key_Enter) && QFileInfo(currentPath()).isFile()) {
      openCurrent();
      return true;
    }
    if (key->key() == Qt::Key_Menu || (key->key() == Qt::Key_F10 && key->modifiers() == Qt::ShiftModifier)) {
      showMenu(view_->visualRect(view_->currentIndex()).center());
      return true;
    }
  }
  return QWidget::eventFilter(watched, event);
}

}  // namespace wb

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractFileIconProvider>
#include <QWidget>

class QFileSystemModel;
class QLabel;
class QTreeView;

namespace wb {

class EditorArea;
class Files;

/// The files of a folder as a tree, at first the folder of the current document. Enter opens a file, F2
/// renames it, and a menu has the rest.
class FolderPanel : public QWidget {
  Q_OBJECT
 public:
  FolderPanel(EditorArea& area, Files& files, QWidget* parent = nullptr);
  /// Shows the folder of the current document, with the document's file selected.
  void showCurrent();
  /// Does that and takes the keys.
  void begin();
  void setFolder(const QString& folder);
  [[nodiscard]] QString folder() const;
  [[nodiscard]] QTreeView& view() const { return *view_; }
  [[nodiscard]] QFileSystemModel& model() const { return *model_; }

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void follow();
  void openCurrent();
  void renamed(const QString& folder, const QString& before, const QString& after);
  void addFile();
  void chooseFolder();
  void showMenu(const QPoint& place);
  [[nodiscard]] QString currentPath() const;

  EditorArea& area_;
  Files& files_;
  QAbstractFileIconProvider* icons_;
  QFileSystemModel* model_;
  QTreeView* view_;
  QLabel* name_;
};

}  // namespace wb

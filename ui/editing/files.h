// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFileSystemWatcher>
#include <QHash>
#include <QObject>
#include <functional>

#include "core/base/result.h"
#include "ui/window/questions.h"

namespace wb {

class Document;
enum class OnDisk;
struct TextFile;
class EditorArea;
class Settings;
struct JournalEntry;

/// Opens, saves and closes documents. Files are read and written in the background; when something goes
/// wrong, the user is told it and what to do about it.
class Files : public QObject {
  Q_OBJECT
 public:
  using Done = std::function<void(bool ok)>;
  Files(EditorArea& tabs, Settings& settings, Questions questions, QObject* parent = nullptr);

  Document* create(const QString& title, const QString& text, bool modified = false);
  Document* createUntitled(const QString& extension = QStringLiteral(".cpp"), const QString& text = {});
  /// Shows the tab that has the file, else reads it. With `line` 0 the caret stays where it is.
  void open(const QString& path, int line = 0, int column = 0, Done done = {});
  /// Opens files one after the other; the last one is in front.
  void openAll(const QStringList& paths);
  void openWithDialog();
  void save(Document* document, Done done = {});
  void saveAs(Document* document, Done done = {});
  void saveAll();
  void close(Document* document, Done done = {});
  /// Asks about each document that is not saved; `false` when the user cancelled.
  void closeAll(Done done);
  /// Asks which text of a document that was changed here and on disk goes on; `done(false)` when the user
  /// puts it off.
  void resolve(Document* document, Done done = {});
  /// Opens a text from the journal that is newer than its file.
  Document* restore(const JournalEntry& entry);
  [[nodiscard]] Questions& questions() { return questions_; }

 signals:
  /// Document::onDisk has changed.
  void onDiskChanged(wb::Document* document);
  /// The document was written to its file.
  void saved(wb::Document* document);

 private:
  void write(Document* document, const QString& path, Done done);
  void watch();
  void changedOnDisk(const QString& path);
  void foundOnDisk(const QString& path, bool isFile, const Result<TextFile>& read);
  void setOnDisk(Document* document, OnDisk state);

  EditorArea& tabs_;
  Settings& settings_;
  Questions questions_;
  QFileSystemWatcher watcher_;
  /// The text that was last read or written for each path, which tells the window's own writes from others.
  QHash<QString, QString> known_;
  /// What is on disk of the documents that were changed there and here, by path.
  QHash<QString, QString> theirs_;
  int untitled_ = 0;
};

}  // namespace wb

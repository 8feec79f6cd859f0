// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/editing/files.h"

#include <QFileInfo>
#include <QRegularExpression>
#include <QTimer>

#include "core/base/files/file.h"
#include "editor/kernel_editor.h"
#include "ui/editing/document.h"
#include "ui/editing/editor_area.h"
#include "ui/editing/journal.h"
#include "ui/settings/settings.h"
#include "ui/style/background.h"

namespace wb {
namespace {

std::filesystem::path native(const QString& path) {
  return path.toStdString();
}

void tellDone(const Files::Done& done, bool ok) {
  if (done) done(ok);
}

}  // namespace

Files::Files(EditorArea& tabs, Settings& settings, Questions questions, QObject* parent)
    : QObject(parent), tabs_(tabs), settings_(settings), questions_(std::move(questions)) {
  connect(&tabs_, &EditorArea::documentsChanged, this, &Files::watch);
  connect(&watcher_, &QFileSystemWatcher::fileChanged, this, &Files::changedOnDisk);
}

Document* Files::create(const QString& title, const QString& text, bool modified) {
  auto* document = new Document({}, title, text);
  if (modified) document->markModified();
  tabs_.add(document);
  return document;
}

Document* Files::createUntitled(const QString& extension, const QString& text) {
  return create(QStringLiteral("untitled-%1%2").arg(++untitled_).arg(extension), text);
}

Document* Files::restore(const JournalEntry& entry) {
  auto* document = new Document(entry.path, entry.title, entry.text);
  document->setId(entry.id);
  if (entry.modified) document->markModified();
  tabs_.add(document);
  document->editor().goTo(entry.line, entry.column);
  if (!entry.path.isEmpty())
    inBackground(
        document, [path = entry.path] { return readTextFile(native(path)); },
        [document](const Result<TextFile>& file) {
          if (file) document->setEncoding(file->encoding);
        });
  // New names must not repeat restored ones.
  static const QRegularExpression number(QStringLiteral("^untitled-([0-9]+)"));
  if (const auto match = number.match(entry.title); match.hasMatch())
    untitled_ = std::max(untitled_, match.captured(1).toInt());
  return document;
}

void Files::open(const QString& given, int line, int column, Done done) {
  const QString path = QFileInfo(given).absoluteFilePath();
  const auto show = [this, line, column](Document* document) {
    tabs_.setCurrent(document);
    if (line > 0) document->editor().goTo(line, std::max(1, column));
    document->setFocus();
  };
  if (Document* there = tabs_.withPath(path)) {
    show(there);
    return tellDone(done, true);
  }
  inBackground(
      this, [path] { return readTextFile(native(path)); },
      [this, path, show, done](const Result<TextFile>& file) {
        if (!file) {
          questions_.tell(file.error());
          return tellDone(done, false);
        }
        Document* document = tabs_.withPath(path);  // it may have been opened twice in a row
        if (!document) {
          known_[path] = file->text;
          document = new Document(path, {}, file->text);
          document->setEncoding(file->encoding);
          tabs_.add(document);
          settings_.addRecentFile(path);
        }
        show(document);
        tellDone(done, true);
      });
}

void Files::openAll(const QStringList& paths) {
  if (paths.isEmpty()) return;
  open(paths.first(), 0, 0, [this, rest = paths.mid(1)](bool) { openAll(rest); });
}

void Files::openWithDialog() {
  openAll(questions_.filesToOpen());
}

void Files::save(Document* document, Done done) {
  if (document->path().isEmpty()) return saveAs(document, std::move(done));
  write(document, document->path(), std::move(done));
}

void Files::saveAs(Document* document, Done done) {
  const QString path =
      questions_.fileToSaveAs(document->path().isEmpty() ? document->title() : document->path());
  if (path.isEmpty()) return tellDone(done, false);
  write(document, QFileInfo(path).absoluteFilePath(), std::move(done));
}

void Files::saveAll() {
  for (Document* document : tabs_.documents())
    if (document->isModified()) save(document);
}

void Files::write(Document* document, const QString& path, Done done) {
  const QString text = document->text();
  std::optional<QByteArray> bytes = encodeText({text, document->encoding()});
  if (!bytes) {
    // Only the user can say whether other programs may get another encoding.
    if (!questions_.saveAsUtf8(document->title(), encodingName(document->encoding())))
      return tellDone(done, false);
    document->setEncoding(Encoding::utf8);
    bytes = text.toUtf8();
  }
  known_[path] = text;
  QPointer<Document> guard(document);
  inBackground(
      this,
      [path, bytes = *bytes] {
        return writeFileAtomically(native(path), {bytes.constData(), std::size_t(bytes.size())});
      },
      [this, guard, path, text, done](const Result<void>& written) {
        if (!written) questions_.tell(written.error());
        if (!written || !guard) return tellDone(done, written.has_value());
        guard->setSaved(path);
        if (guard->text() != text) guard->markModified();  // the user typed while it was being written
        settings_.addRecentFile(path);
        watch();
        tellDone(done, true);
      });
}

void Files::close(Document* document, Done done) {
  if (!document->isModified()) {
    tabs_.remove(document);
    return tellDone(done, true);
  }
  tabs_.setCurrent(document);
  switch (questions_.saveChanges(document->title())) {
    case SaveAnswer::cancel:
      return tellDone(done, false);
    case SaveAnswer::discard:
      tabs_.remove(document);
      return tellDone(done, true);
    case SaveAnswer::save:
      break;
  }
  QPointer<Document> guard(document);
  save(document, [this, guard, done](bool ok) {
    if (ok && guard) tabs_.remove(guard);
    tellDone(done, ok);
  });
}

// Asks about one document after the other and removes nothing before the last answer, so that Cancel leaves
// everything as it is.
void Files::closeAll(Done done) {
  for (Document* document : tabs_.documents()) {
    if (!document->isModified() || document->property("discarded").toBool()) continue;
    tabs_.setCurrent(document);
    const SaveAnswer answer = questions_.saveChanges(document->title());
    if (answer == SaveAnswer::discard) {
      document->setProperty("discarded", true);
      continue;
    }
    const auto giveUp = [this, done] {
      for (Document* other : tabs_.documents()) other->setProperty("discarded", false);
      tellDone(done, false);
    };
    if (answer == SaveAnswer::cancel) return giveUp();
    return save(document, [this, done, giveUp](bool ok) { ok ? closeAll(done) : giveUp(); });
  }
  tellDone(done, true);
}

void Files::watch() {
  QStringList wanted;
  for (const Document* document : tabs_.documents())
    if (!document->path().isEmpty()) wanted.push_back(document->path());
  QStringList stale;
  for (const QString& path : watcher_.files())
    if (!wanted.contains(path)) stale.push_back(path);
  if (!stale.isEmpty()) watcher_.removePaths(stale);
  for (const QString& path : wanted)
    if (!watcher_.files().contains(path)) watcher_.addPath(path);
}

void Files::changedOnDisk(const QString& path) {
  // Other editors save by renaming: the watch is lost with the old file, and the new one may come a moment
  // later.
  QTimer::singleShot(100, this, [this, path] {
    watch();
    inBackground(
        this, [path] { return readTextFile(native(path)); },
        [this, path](const Result<TextFile>& read) {
          Document* document = tabs_.withPath(path);
          if (!document || !read) return;  // the file is gone for now; the text stays and can be saved again
          const QString& text = read->text;
          if (text == known_.value(path) || text == document->text()) return;
          known_[path] = text;
          if (document->isModified() && !questions_.reloadChanged(document->title())) return;
          document->setEncoding(read->encoding);
          document->replaceText(text);
        });
  });
}

}  // namespace wb

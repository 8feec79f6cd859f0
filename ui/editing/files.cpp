// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/editing/files.h"

#include <QFileInfo>
#include <QRegularExpression>
#include <QTimer>
#include <optional>

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
  connect(&watcher_, &QFileSystemWatcher::directoryChanged, this, [this](const QString& folder) {
    for (const Document* document : tabs_.documents())
      if (document->onDisk() == OnDisk::gone && QFileInfo(document->path()).path() == folder &&
          QFileInfo::exists(document->path()))
        changedOnDisk(document->path());
  });
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
  auto* document = new Document(entry.path, entry.title, QString::fromStdString(entry.text));
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
  QPointer<Document> guard(document);
  if (path == document->path() && document->onDisk() == OnDisk::changed)
    return resolve(document, [this, guard, path, done](bool ok) {
      if (ok && guard) return write(guard, path, done);
      tellDone(done, false);
    });
  const QString text = document->text();
  std::optional<QByteArray> bytes = encodeText({text, document->encoding()});
  if (!bytes) {
    // Only the user can say whether other programs may get another encoding.
    if (!questions_.saveAsUtf8(document->title(), encodingName(document->encoding())))
      return tellDone(done, false);
    document->setEncoding(Encoding::utf8);
    bytes = text.toUtf8();
  }
  // What another program wrote in the last moment is not overwritten unseen. A file that was chosen in a
  // dialog is, since the dialog has asked.
  const bool mayOverwrite = path != document->path() || !known_.contains(path);
  struct Written {
    Result<void> result;
    std::optional<TextFile> theirs;
  };
  inBackground(
      this,
      [path, text, bytes = *bytes, expected = known_.value(path), mayOverwrite]() -> Written {
        if (!mayOverwrite)
          if (auto there = readTextFile(native(path));
              there && there->text != expected && there->text != text)
            return {{}, *std::move(there)};
        return {writeFileAtomically(native(path), {bytes.constData(), std::size_t(bytes.size())}),
                std::nullopt};
      },
      [this, guard, path, text, done](const Written& written) {
        if (written.theirs && guard) {
          theirs_[path] = written.theirs->text;
          setOnDisk(guard, OnDisk::changed);
          return write(guard, path, done);
        }
        if (!written.result) questions_.tell(written.result.error());
        if (!written.result || !guard) return tellDone(done, written.result.has_value());
        known_[path] = text;
        guard->setSaved(path);
        setOnDisk(guard, OnDisk::same);
        if (guard->text() != text) guard->markModified();  // the user typed while it was being written
        settings_.addRecentFile(path);
        watch();
        emit saved(guard);
        tellDone(done, true);
      });
}

void Files::resolve(Document* document, Done done) {
  const QString path = document->path(), theirs = theirs_.value(path);
  QPointer<Document> guard(document);
  questions_.resolve({document->title(), document->text(), theirs},
                     [this, guard, path, theirs, done](const std::optional<QString>& chosen) {
                       if (!guard || !chosen) return tellDone(done, false);
                       known_[path] = theirs;
                       theirs_.remove(path);
                       if (*chosen != guard->text()) guard->replaceText(*chosen);
                       if (*chosen != theirs) guard->markModified();
                       setOnDisk(guard, OnDisk::same);
                       tellDone(done, true);
                     });
}

void Files::setOnDisk(Document* document, OnDisk state) {
  if (document->onDisk() == state) return;
  document->setOnDisk(state);
  emit onDiskChanged(document);
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

// The folders of files that are gone are watched, so that they are seen when they come back.
void Files::watch() {
  QStringList files, folders;
  for (const Document* document : tabs_.documents()) {
    if (document->path().isEmpty()) continue;
    files.push_back(document->path());
    if (document->onDisk() == OnDisk::gone) folders.push_back(QFileInfo(document->path()).path());
  }
  const auto adjust = [this](const QStringList& watched, const QStringList& wanted) {
    for (const QString& path : watched)
      if (!wanted.contains(path)) watcher_.removePath(path);
    for (const QString& path : wanted)
      if (!watched.contains(path) && QFileInfo::exists(path)) watcher_.addPath(path);
  };
  // What is not open any more is not held against the disk, and its text would only take memory.
  for (auto* texts : {&known_, &theirs_})
    texts->removeIf([&files](const auto& text) { return !files.contains(text.key()); });
  adjust(watcher_.files(), files);
  adjust(watcher_.directories(), folders);
}

void Files::changedOnDisk(const QString& path) {
  // Other editors save by renaming: the watch is lost with the old file, and the new one may come a moment
  // later.
  QTimer::singleShot(100, this, [this, path] {
    watch();
    struct Found {
      bool isFile = false;
      Result<TextFile> read;
    };
    inBackground(
        this,
        [path] {
          return Found{QFileInfo(path).isFile(), readTextFile(native(path))};
        },
        [this, path](const Found& found) { foundOnDisk(path, found.isFile, found.read); });
  });
}

void Files::foundOnDisk(const QString& path, bool isFile, const Result<TextFile>& read) {
  Document* document = tabs_.withPath(path);
  if (!document) return;
  if (!isFile) {
    // The text is nowhere but here now, so it counts as unsaved.
    document->markModified();
    setOnDisk(document, OnDisk::gone);
    return watch();
  }
  if (!read) return;  // what cannot be read cannot be compared; saving says what is wrong
  const bool wasGone = document->onDisk() == OnDisk::gone;
  const QString& text = read->text;
  if (text == document->text()) {
    known_[path] = text;
    theirs_.remove(path);
    if (wasGone) document->setSaved(path);
    setOnDisk(document, OnDisk::same);
  } else if (text == known_.value(path)) {
    setOnDisk(document, OnDisk::same);  // it came back as it was
  } else if (document->isModified()) {
    theirs_[path] = text;
    setOnDisk(document, OnDisk::changed);
  } else {
    known_[path] = text;
    document->setEncoding(read->encoding);
    document->replaceText(text);
  }
  watch();
}

}  // namespace wb

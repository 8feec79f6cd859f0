// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/search/file_search.h"

#include <QCoreApplication>
#include <QDir>
#include <QDirIterator>
#include <QElapsedTimer>
#include <QFile>
#include <QFileInfo>
#include <QPointer>
#include <QThreadPool>

#include "ui/editing/text_file.h"

namespace wb {
namespace {

constexpr qint64 mostBytes = qint64{2} << 20;
constexpr int batchMilliseconds = 50;

bool isLeftOut(const QFileInfo& folder) {
  const QString name = folder.fileName();
  return name.startsWith(QLatin1Char('.')) || folder.isSymLink() || name == QLatin1String("__pycache__") ||
         name == QLatin1String("node_modules") || name.startsWith(QLatin1String("build")) ||
         name.startsWith(QLatin1String("venv"));
}

/// The text of a file; empty for what is no text, and for what is too large to be a source.
QString textOf(const QFileInfo& info) {
  if (info.size() > mostBytes) return {};
  QFile file(info.filePath());
  if (!file.open(QIODevice::ReadOnly)) return {};
  const std::optional<TextFile> text = decodeText(file.readAll());
  return text ? text->text : QString();
}

void findIn(const QString& text, const QString& path, const QRegularExpression& expression, std::size_t most,
            std::vector<FoundPlace>& places) {
  int line = 1;
  qsizetype lineStart = 0;
  for (auto i = expression.globalMatch(text); i.hasNext() && places.size() < most;) {
    const QRegularExpressionMatch match = i.next();
    if (match.capturedLength() == 0) continue;
    for (qsizetype end = text.indexOf(QLatin1Char('\n'), lineStart); end >= 0 && end < match.capturedStart();
         end = text.indexOf(QLatin1Char('\n'), lineStart)) {
      ++line;
      lineStart = end + 1;
    }
    qsizetype lineEnd = text.indexOf(QLatin1Char('\n'), lineStart);
    if (lineEnd < 0) lineEnd = text.size();
    const auto column = QStringView(text).mid(lineStart, match.capturedStart() - lineStart).toUtf8().size();
    places.push_back({path, line, int(column) + 1, text.mid(lineStart, lineEnd - lineStart).trimmed()});
  }
}

}  // namespace

FileSearch::FileSearch(QObject* parent) : QObject(parent) {}

FileSearch::~FileSearch() {
  if (stop_) *stop_ = true;
}

void FileSearch::search(const FileSearchRequest& request, const std::atomic<bool>& stop,
                        const std::function<void(Batch)>& give) {
  const QRegularExpression expression = compileQuery(request.query);
  Batch batch;
  std::size_t left = mostPlaces;
  QElapsedTimer sinceLast;
  sinceLast.start();
  const auto handOver = [&] {
    left -= std::min(left, batch.places.size());
    give({std::exchange(batch.places, {}), batch.filesRead, false});
    sinceLast.restart();
  };
  QStringList folders{request.folder};
  while (!folders.isEmpty() && !stop && left > batch.places.size()) {
    QFileInfoList entries =
        QDir(folders.takeFirst()).entryInfoList(QDir::Files | QDir::Dirs | QDir::NoDotAndDotDot, QDir::Name);
    QStringList below;
    for (const QFileInfo& entry : entries) {
      if (stop || left <= batch.places.size()) break;
      if (entry.isDir()) {
        if (!isLeftOut(entry)) below << entry.filePath();
        continue;
      }
      const QString path = entry.absoluteFilePath();
      const auto open = request.open.constFind(path);
      findIn(open != request.open.constEnd() ? *open : textOf(entry), path, expression, left, batch.places);
      ++batch.filesRead;
      if (sinceLast.elapsed() >= batchMilliseconds) handOver();
    }
    folders = below + folders;
  }
  batch.last = true;
  give(std::move(batch));
}

void FileSearch::start(FileSearchRequest request) {
  cancel();
  found_.clear();
  filesRead_ = 0;
  running_ = true;
  auto stop = std::make_shared<std::atomic<bool>>(false);
  stop_ = stop;
  QPointer<FileSearch> guard(this);
  QThreadPool::globalInstance()->start([guard, stop, request = std::move(request)] {
    search(request, *stop, [&](Batch batch) {
      QMetaObject::invokeMethod(
          QCoreApplication::instance(),
          [guard, stop, batch = std::move(batch)]() mutable {
            if (guard && !*stop) guard->take(std::move(batch));
          },
          Qt::QueuedConnection);
    });
  });
}

void FileSearch::cancel() {
  if (stop_) *stop_ = true;
  if (std::exchange(running_, false)) emit finished();
}

void FileSearch::take(Batch batch) {
  filesRead_ = batch.filesRead;
  found_.insert(found_.end(), std::make_move_iterator(batch.places.begin()),
                std::make_move_iterator(batch.places.end()));
  if (batch.last) running_ = false;
  emit progressed();
  if (batch.last) emit finished();
}

}  // namespace wb

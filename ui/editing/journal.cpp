// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/editing/journal.h"

#include <QCoreApplication>
#include <QDir>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLockFile>
#include <QUuid>

#include "core/base/files/file.h"

namespace wb {
namespace {

const char* const lockName = "lock";

std::string encode(const JournalEntry& entry) {
  const QJsonObject object{{QStringLiteral("id"), entry.id},       {QStringLiteral("path"), entry.path},
                           {QStringLiteral("title"), entry.title}, {QStringLiteral("text"), entry.text},
                           {QStringLiteral("line"), entry.line},   {QStringLiteral("column"), entry.column}};
  return QJsonDocument(object).toJson(QJsonDocument::Compact).toStdString();
}

// False for a file that is not a whole entry, since the process was killed while it was writing it.
bool decode(const std::string& text, JournalEntry& entry) {
  const QJsonObject object = QJsonDocument::fromJson(QByteArray::fromStdString(text)).object();
  if (!object.contains(QStringLiteral("id")) || !object.contains(QStringLiteral("text"))) return false;
  entry.id = object[QStringLiteral("id")].toString();
  entry.path = object[QStringLiteral("path")].toString();
  entry.title = object[QStringLiteral("title")].toString();
  entry.text = object[QStringLiteral("text")].toString();
  entry.line = object[QStringLiteral("line")].toInt(1);
  entry.column = object[QStringLiteral("column")].toInt(1);
  return !entry.id.isEmpty();
}

QString qt(const std::filesystem::path& path) {
  return QString::fromStdString(path.string());
}

}  // namespace

Journal::Journal(std::filesystem::path folder)
    : folder_(std::move(folder)),
      own_(folder_ / QUuid::createUuid().toString(QUuid::WithoutBraces).toStdString()) {
  thread_.setMaxThreadCount(1);
}

Journal::~Journal() {
  flush();
  if (!lock_) return;
  lock_->unlock();
  std::error_code ignored;
  std::filesystem::remove(own_, ignored);  // this works only when nothing is left in it
}

// Makes and locks the folder. It is made with the first entry, since most sessions never need it. Called on
// thread_ only.
bool Journal::lock() {
  if (lock_) return true;
  if (!QDir().mkpath(qt(own_))) return false;
  lock_ = std::make_unique<QLockFile>(qt(own_ / lockName));
  lock_->setStaleLockTime(0);  // the lock is stale exactly when its process is gone
  return lock_->tryLock(0);
}

std::filesystem::path Journal::fileOf(const QString& id) const {
  return own_ / (id.toStdString() + ".json");
}

std::vector<JournalEntry> Journal::recover() {
  std::vector<JournalEntry> found;
  const QDir all(qt(folder_));
  for (const QString& name : all.entryList(QDir::Dirs | QDir::NoDotAndDotDot, QDir::Time | QDir::Reversed)) {
    const std::filesystem::path folder = folder_ / name.toStdString();
    if (folder == own_) continue;
    QLockFile theirs(qt(folder / lockName));
    theirs.setStaleLockTime(0);
    if (!theirs.tryLock(0)) continue;  // its process is alive
    bool all_taken = true;
    for (const QString& file :
         QDir(qt(folder)).entryList({QStringLiteral("*.json")}, QDir::Files, QDir::Name)) {
      const Result<std::string> text = readFile(folder / file.toStdString());
      JournalEntry entry;
      if (!text || !decode(*text, entry)) continue;
      // The entry goes into this process's own folder first, so that a kill in between leaves two copies and
      // not none.
      write(entry);
      found.push_back(std::move(entry));
    }
    flush();
    for (const JournalEntry& entry : found)
      if (!std::filesystem::exists(fileOf(entry.id))) all_taken = false;
    theirs.unlock();
    std::error_code ignored;
    if (all_taken) std::filesystem::remove_all(folder, ignored);
  }
  return found;
}

void Journal::write(JournalEntry entry) {
  thread_.start([this, entry = std::move(entry)] {
    if (lock()) (void)writeFileAtomically(fileOf(entry.id), encode(entry));
  });
}

void Journal::forget(const QString& id) {
  thread_.start([this, id] {
    std::error_code ignored;
    std::filesystem::remove(fileOf(id), ignored);
  });
}

void Journal::flush() {
  thread_.waitForDone();
}

}  // namespace wb

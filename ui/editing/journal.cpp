// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/editing/journal.h"

#include <QDateTime>
#include <QDir>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLockFile>
#include <QUuid>
#include <algorithm>

#include "core/base/files/file.h"

namespace wb {
namespace {

const char* const lockName = "lock";
const char* const stateName = "state.json";

QString key(const char* name) {
  return QString::fromLatin1(name);
}

std::string encode(const QJsonObject& object) {
  return QJsonDocument(object).toJson(QJsonDocument::Compact).toStdString();
}

QJsonObject objectOf(const JournalEntry& entry) {
  return {{key("id"), entry.id},
          {key("path"), entry.path},
          {key("title"), entry.title},
          {key("text"), QString::fromStdString(entry.text)},
          {key("line"), entry.line},
          {key("column"), entry.column},
          {key("modified"), entry.modified}};
}

QJsonObject objectOf(const JournalState& state) {
  QJsonArray tabs;
  for (const JournalTab& tab : state.tabs)
    tabs.append(QJsonObject{{key("id"), tab.id},
                            {key("path"), tab.path},
                            {key("line"), tab.line},
                            {key("column"), tab.column},
                            {key("environment"), tab.environment},
                            {key("side"), int(tab.side)},
                            {key("front"), tab.isInFront}});
  QJsonObject object{{key("tabs"), tabs},
                     {key("current"), state.current},
                     {key("report"), state.report},
                     {key("baselines"), QJsonArray::fromStringList(state.baselines)},
                     {key("closed"), state.closed}};
  if (const auto& assembly = state.assembly)
    object[key("assembly")] = QJsonObject{{key("shown"), assembly->isShown},
                                          {key("form"), QJsonArray::fromStringList(assembly->form)},
                                          {key("counter"), assembly->counter},
                                          {key("comparison"), assembly->comparison},
                                          {key("filters"), QJsonArray::fromStringList(assembly->filters)}};
  return object;
}

QStringList wordsOf(const QJsonValue& value) {
  QStringList words;
  for (const QJsonValue& each : value.toArray()) words << each.toString();
  return words;
}

QJsonObject decode(const std::string& text) {
  return QJsonDocument::fromJson(QByteArray::fromStdString(text)).object();
}

// Nothing for a file that is not a whole entry.
std::optional<JournalEntry> entryOf(const QJsonObject& object) {
  if (!object.contains(key("text")) || object[key("id")].toString().isEmpty()) return std::nullopt;
  return JournalEntry{object[key("id")].toString(),        object[key("path")].toString(),
                      object[key("title")].toString(),     object[key("text")].toString().toStdString(),
                      object[key("line")].toInt(1),        object[key("column")].toInt(1),
                      object[key("modified")].toBool(true)};
}

JournalState stateOf(const QJsonObject& object) {
  JournalState state;
  for (const QJsonValue& each : object[key("tabs")].toArray()) {
    const QJsonObject tab = each.toObject();
    state.tabs.push_back({tab[key("id")].toString(), tab[key("path")].toString(), tab[key("line")].toInt(1),
                          tab[key("column")].toInt(1), tab[key("environment")].toString(),
                          TabSide(std::clamp(tab[key("side")].toInt(), 0, 2)), tab[key("front")].toBool()});
  }
  if (object.contains(key("assembly"))) {
    const QJsonObject assembly = object[key("assembly")].toObject();
    state.assembly = {assembly[key("shown")].toBool(), wordsOf(assembly[key("form")]),
                      assembly[key("counter")].toString(), assembly[key("comparison")].toString(),
                      wordsOf(assembly[key("filters")])};
  }
  state.current = object[key("current")].toInt();
  state.report = object[key("report")].toString();
  state.baselines = wordsOf(object[key("baselines")]);
  state.closed = object[key("closed")].toBool();
  return state;
}

QString qt(const std::filesystem::path& path) {
  return QString::fromStdString(path.string());
}

}  // namespace

// What a process that is gone left in its folder.
struct Journal::Found {
  std::vector<JournalEntry> entries;
  std::optional<JournalState> state;
  /// When the state was written.
  QDateTime time;
};

Journal::Journal(std::filesystem::path folder, OnFailure onFailure)
    : folder_(std::move(folder)),
      own_(folder_ / QUuid::createUuid().toString(QUuid::WithoutBraces).toStdString()),
      onFailure_(std::move(onFailure)) {
  thread_.setMaxThreadCount(1);
  thread_.setExpiryTimeout(-1);
}

Journal::~Journal() {
  flush();
  if (!lock_) return;
  lock_->unlock();
  std::error_code ignored;
  std::filesystem::remove(own_, ignored);  // this works only when nothing is left in it
}

// Makes and locks the folder. Called on thread_ and by recover() only, which come one after the other.
bool Journal::lock() {
  if (lock_) return true;
  if (!QDir().mkpath(qt(own_))) return false;
  auto made = std::make_unique<QLockFile>(qt(own_ / lockName));
  made->setStaleLockTime(0);  // the lock is stale exactly when its process is gone
  if (!made->tryLock(0)) return false;
  lock_ = std::move(made);
  return true;
}

std::filesystem::path Journal::fileOf(const QString& id) const {
  return own_ / (id.toStdString() + ".entry");
}

Journal::Found Journal::readFolder(const std::filesystem::path& folder) const {
  Found found;
  for (const QString& file : QDir(qt(folder)).entryList({key("*.entry")}, QDir::Files, QDir::Name))
    if (const Result<std::string> text = readFile(folder / file.toStdString()))
      if (std::optional<JournalEntry> entry = entryOf(decode(*text)))
        found.entries.push_back(*std::move(entry));
  if (const Result<std::string> text = readFile(folder / stateName)) {
    found.state = stateOf(decode(*text));
    found.time = QFileInfo(qt(folder / stateName)).lastModified();
  }
  return found;
}

Recovered Journal::recover() {
  Recovered recovered;
  QDateTime newest;
  const QDir all(qt(folder_));
  for (const QString& name : all.entryList(QDir::Dirs | QDir::NoDotAndDotDot, QDir::Time | QDir::Reversed)) {
    const std::filesystem::path folder = folder_ / name.toStdString();
    if (folder == own_) continue;
    QLockFile theirs(qt(folder / lockName));
    theirs.setStaleLockTime(0);
    if (!theirs.tryLock(0)) continue;  // its process is alive
    Found found = readFolder(folder);
    if (!found.entries.empty() || found.state)
      recovered.killed = recovered.killed || !found.state || !found.state->closed;
    // Everything goes into this process's own folder first, so that a kill in between leaves two copies and
    // not none.
    for (const JournalEntry& entry : found.entries) write(entry);
    if (found.state && (!recovered.state || found.time >= newest)) {
      newest = found.time;
      recovered.state = found.state;
      writeState(*found.state);
    }
    flush();
    bool isTaken = true;
    for (const JournalEntry& entry : found.entries)
      isTaken = isTaken && std::filesystem::exists(fileOf(entry.id));
    std::move(found.entries.begin(), found.entries.end(), std::back_inserter(recovered.entries));
    theirs.unlock();
    std::error_code ignored;
    if (isTaken) std::filesystem::remove_all(folder, ignored);
  }
  return recovered;
}

void Journal::write(JournalEntry entry) {
  const std::lock_guard guard(mutex_);
  const QString id = entry.id;
  pending_[id] = std::move(entry);
  schedule();
}

void Journal::forget(const QString& id) {
  const std::lock_guard guard(mutex_);
  pending_[id] = std::nullopt;
  schedule();
}

void Journal::writeState(JournalState state) {
  const std::lock_guard guard(mutex_);
  pendingState_ = std::move(state);
  schedule();
}

void Journal::schedule() {
  if (std::exchange(scheduled_, true)) return;
  thread_.start([this] { writePending(); });
}

void Journal::writePending() {
  QHash<QString, std::optional<JournalEntry>> entries;
  std::optional<JournalState> state;
  {
    const std::lock_guard guard(mutex_);
    scheduled_ = false;
    entries = std::exchange(pending_, {});
    state = std::exchange(pendingState_, std::nullopt);
  }
  if (!lock()) {
    report(Error{Stage::setup, "the folder " + own_.string() + " cannot be made or locked", {}, {}});
    return;
  }
  for (auto it = entries.cbegin(); it != entries.cend(); ++it) {
    std::error_code ignored;
    if (it.value())
      report(writeFileAtomically(fileOf(it.key()), encode(objectOf(*it.value()))));
    else
      std::filesystem::remove(fileOf(it.key()), ignored);
  }
  if (state) report(writeFileAtomically(own_ / stateName, encode(objectOf(*state))));
}

void Journal::report(const Result<void>& written) {
  if (!written && !failed_ && onFailure_) onFailure_(written.error());
  failed_ = !written;
}

void Journal::flush() {
  thread_.waitForDone();
}

}  // namespace wb

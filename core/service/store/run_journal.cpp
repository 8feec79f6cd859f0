// SPDX-License-Identifier: Apache-2.0
#include "core/service/store/run_journal.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <nlohmann/json.hpp>
#include <system_error>
#include <utility>

#include "core/model/json/json_codec.h"
#include "core/service/store/packed_text.h"

namespace wb {
namespace {

namespace fs = std::filesystem;

/// "WbJo", which says that the file is one of ours.
constexpr std::int64_t applicationId = 0x57624a6f;
/// About what a run takes beside its texts.
constexpr std::int64_t bytesOfRow = 512;
/// How many runs are forgotten in one transaction: others wait meanwhile.
constexpr int mostForgottenAtOnce = 500;

constexpr const char* tables = R"(
CREATE TABLE runs (
  number INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  client TEXT NOT NULL,
  key TEXT NOT NULL,
  priority INTEGER NOT NULL,
  device TEXT NOT NULL,
  title TEXT NOT NULL,
  state TEXT NOT NULL,
  reason TEXT NOT NULL,
  submitted REAL NOT NULL,
  started REAL NOT NULL,
  ended REAL NOT NULL,
  deadline REAL NOT NULL,
  restarts INTEGER NOT NULL,
  interruptions INTEGER NOT NULL,
  has_note INTEGER NOT NULL,
  bytes INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX runs_by_key ON runs (client, key) WHERE key <> '';
CREATE INDEX unfinished_runs ON runs (number) WHERE ended = 0;
CREATE INDEX ended_runs ON runs (ended) WHERE ended > 0;
CREATE TABLE texts (
  run INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE,
  kind TEXT NOT NULL,
  packed BLOB NOT NULL,
  PRIMARY KEY (run, kind)
) STRICT;
)";

/// How many runs are in each state, and the sum of the milliseconds at which they were handed in. It is kept
/// by whoever has the journal open, in memory, and follows every change of `runs`, also one that is rolled
/// back.
constexpr const char* tallies = R"(
CREATE TEMP TABLE tallies (state TEXT PRIMARY KEY, count INTEGER NOT NULL, submitted INTEGER NOT NULL) STRICT;
INSERT INTO tallies SELECT state, count(*), sum(CAST(submitted * 1000 AS INTEGER)) FROM runs GROUP BY state;
CREATE TEMP TRIGGER run_came AFTER INSERT ON runs BEGIN
  INSERT INTO tallies VALUES (new.state, 1, CAST(new.submitted * 1000 AS INTEGER))
    ON CONFLICT (state) DO UPDATE SET count = count + 1, submitted = submitted + excluded.submitted;
END;
CREATE TEMP TRIGGER run_went AFTER DELETE ON runs BEGIN
  UPDATE tallies SET count = count - 1, submitted = submitted - CAST(old.submitted * 1000 AS INTEGER)
    WHERE state = old.state;
END;
CREATE TEMP TRIGGER run_changed AFTER UPDATE OF state ON runs BEGIN
  UPDATE tallies SET count = count - 1, submitted = submitted - CAST(old.submitted * 1000 AS INTEGER)
    WHERE state = old.state;
  INSERT INTO tallies VALUES (new.state, 1, CAST(new.submitted * 1000 AS INTEGER))
    ON CONFLICT (state) DO UPDATE SET count = count + 1, submitted = submitted + excluded.submitted;
END;
)";

constexpr std::string_view columns =
    "number, id, client, key, priority, device, title, state, reason, submitted, started, ended, deadline, "
    "restarts, interruptions, has_note";

RunState stateOf(const std::string& word) {
  for (const RunState state :
       {RunState::queued, RunState::running, RunState::finished, RunState::cancelled, RunState::expired})
    if (name(state) == word) return state;
  return RunState::failed;
}

JournalRun runOf(const SqlRow& row) {
  JournalRun run;
  int column = 0;
  run.number = static_cast<std::uint64_t>(row.integer(column++));
  run.status.id = row.text(column++);
  run.status.client = row.text(column++);
  run.idempotencyKey = row.text(column++);
  run.status.priority = static_cast<int>(row.integer(column++));
  run.status.device = row.text(column++);
  run.status.title = row.text(column++);
  run.status.state = stateOf(row.text(column++));
  run.status.reason = row.text(column++);
  run.status.submittedAt = row.number(column++);
  run.status.startedAt = row.number(column++);
  run.status.endedAt = row.number(column++);
  run.status.deadlineAt = row.number(column++);
  run.status.restarts = static_cast<int>(row.integer(column++));
  run.interruptions = static_cast<int>(row.integer(column++));
  run.hasNote = row.integer(column++) != 0;
  return run;
}

std::int64_t number(const JournalRun& run) {
  return static_cast<std::int64_t>(run.number);
}
std::int64_t size(const std::string& text) {
  return static_cast<std::int64_t>(text.size());
}

Result<void> putText(Database& database, std::int64_t run, std::string_view kind, const std::string& packed) {
  return database.run("INSERT OR REPLACE INTO texts (run, kind, packed) VALUES (?, ?, ?)",
                      {run, kind, Blob{packed}});
}

/// Renames a damaged journal and the log beside it; gives the new name.
Result<std::string> putAside(const fs::path& file) {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(now).count();
  std::string name;
  for (int attempt = 0; name.empty() || fs::exists(file.parent_path() / name); ++attempt)
    name = fmt::format("journal-damaged-{}{}.sqlite", seconds, attempt ? fmt::format("-{}", attempt) : "");
  std::error_code failure;
  for (const char* ending : {"-wal", "-shm", ""}) {
    const fs::path from = file.string() + ending;
    if (fs::exists(from)) fs::rename(from, (file.parent_path() / name).string() + ending, failure);
    if (failure)
      return Error{Stage::setup, fmt::format("The damaged journal {} cannot be renamed: {}.", file.string(),
                                             failure.message())};
  }
  return name;
}

Error named(Error error, const fs::path& file) {
  error.stage = Stage::setup;
  error.text = fmt::format("{}: {}", file.string(), error.text);
  return error;
}

Result<std::int64_t> integer(Database& database, std::string_view statement) {
  std::int64_t value = 0;
  WB_DO(database.run(statement, {}, [&](const SqlRow& row) { value = row.integer(0); }));
  return value;
}

Result<void> makeTables(Database& database) {
  WB_DO(
      database.execute("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON; "
                       "PRAGMA temp_store = MEMORY; PRAGMA journal_size_limit = 67108864"));
  WB_TRY(const std::int64_t found, integer(database, "PRAGMA user_version"));
  if (found == RunJournal::version) return {};
  Transaction transaction(database);
  WB_DO(transaction.begun());
  WB_DO(database.execute(fmt::format("{} PRAGMA application_id = {}; PRAGMA user_version = {};", tables,
                                     applicationId, RunJournal::version)));
  return transaction.commit();
}

/// Whether the file is a journal that this version may open.
Result<void> checkKind(Database& database) {
  WB_TRY(const std::int64_t found, integer(database, "PRAGMA user_version"));
  WB_TRY(const std::int64_t application, integer(database, "PRAGMA application_id"));
  WB_TRY(const std::int64_t parts, integer(database, "SELECT count(*) FROM sqlite_schema"));
  if (parts > 0 && application != applicationId)
    return Error{Stage::setup, "This is no journal of a service of Warpbench.", "give another folder"};
  if (found > RunJournal::version)
    return Error{Stage::setup, "This journal belongs to a newer version of Warpbench.",
                 "use that version, or give another folder"};
  return {};
}

Result<std::string> checkRows(Database& database) {
  std::string verdict;
  WB_DO(database.run("PRAGMA quick_check(runs)", {},
                     [&](const SqlRow& row) { verdict = verdict.empty() ? row.text(0) : verdict; }));
  return verdict;
}

}  // namespace

Result<Database> RunJournal::openDatabase(const fs::path& file, bool& isDamaged) {
  // SQLite would make it readable for others; what it makes beside it gets the same rights.
  WB_DO(OpenFile::open(file, true));
  WB_TRY(Database database, Database::open(file));
  database.setCheckpointOnClose(false);
  const auto checked = [&]() -> Result<void> {
    WB_DO(checkKind(database));
    WB_DO(makeTables(database));
    WB_TRY(const std::string verdict, checkRows(database));
    isDamaged = verdict != "ok";
    return isDamaged ? Result<void>(Error{Stage::setup, verdict}) : database.execute(tallies);
  }();
  isDamaged = isDamaged || database.isDamaged();
  if (!checked) return named(checked.error(), file);
  database.setCheckpointOnClose(true);
  return database;
}

Result<RunJournal::Opened> RunJournal::open(const fs::path& folder) {
  WB_TRY(FolderLock lock, FolderLock::take(folder));
  const fs::path file = folder / "journal.sqlite";
  bool isDamaged = false;
  std::string remark;
  Result<Database> database = openDatabase(file, isDamaged);
  if (!database && isDamaged) {
    WB_TRY(const std::string name, putAside(file));
    remark = fmt::format("The journal was damaged. It was renamed to {}, and a new one was begun.", name);
    isDamaged = false;
    database = openDatabase(file, isDamaged);
  }
  if (!database) return database.error();
  // The file lives as long as the database is open (https://sqlite.org/wal.html).
  Result<OpenFile> log = OpenFile::open(file.string() + "-wal");
  if (!log) return log.error();
  std::unique_ptr<RunJournal> journal(new RunJournal(std::move(lock), *std::move(database), *std::move(log)));
  WB_TRY(journal->bytes_, integer(journal->database_, "SELECT coalesce(sum(bytes), 0) FROM runs"));
  return Opened{std::move(journal), std::move(remark)};
}

Result<void> RunJournal::accept(const JournalRun& run, const Job& job, const std::string& note) {
  const std::string jobText = packed(dump(toJson(job)));
  const std::string noteText = note.empty() ? std::string() : packed(note);
  const RunStatus& status = run.status;
  const std::int64_t bytes = size(jobText) + size(noteText) + size(run.requestHash) + bytesOfRow;
  std::unique_lock lock(mutex_);
  Transaction transaction(database_);
  WB_DO(transaction.begun());
  WB_DO(database_.run(
      fmt::format("INSERT INTO runs ({}, bytes) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                  columns),
      {number(run), status.id, status.client, run.idempotencyKey, std::int64_t{status.priority},
       status.device, status.title, name(status.state), status.reason, status.submittedAt, status.startedAt,
       status.endedAt, status.deadlineAt, std::int64_t{status.restarts}, std::int64_t{run.interruptions},
       std::int64_t{note.empty() ? 0 : 1}, bytes}));
  WB_DO(putText(database_, number(run), "job", jobText));
  if (!note.empty()) WB_DO(putText(database_, number(run), "note", noteText));
  // A text and no column, so that older versions read the journal, too.
  if (!run.requestHash.empty()) WB_DO(putText(database_, number(run), "request", run.requestHash));
  WB_DO(transaction.commit());
  bytes_ += bytes;
  lock.unlock();
  // SQLite's own "synchronous = FULL" would do the same after each commit, while everybody else waits.
  if (::fdatasync(log_.descriptor()) == 0) return {};
  const std::string cause = std::generic_category().message(errno);
  lock.lock();
  // The run was not accepted, so the next service must not find it.
  (void)database_.run("DELETE FROM runs WHERE number = ?", {number(run)});
  bytes_ -= bytes;
  return Error{Stage::job, fmt::format("The service's journal cannot be written: {}.", cause)};
}

Result<void> RunJournal::change(const JournalRun& run) {
  const RunStatus& status = run.status;
  return database_.run(
      "UPDATE runs SET device = ?, state = ?, reason = ?, started = ?, ended = ?, restarts = ?, "
      "interruptions "
      "= ? WHERE number = ?",
      {status.device, name(status.state), status.reason, status.startedAt, status.endedAt,
       std::int64_t{status.restarts}, std::int64_t{run.interruptions}, number(run)});
}

Result<void> RunJournal::start(const JournalRun& run) {
  const std::lock_guard lock(mutex_);
  return change(run);
}

Result<void> RunJournal::putBack(const JournalRun& run) {
  const std::lock_guard lock(mutex_);
  return change(run);
}

Result<void> RunJournal::end(const JournalRun& run, const Report* report) {
  const std::string text = report ? packed(dump(toJson(*report))) : std::string();
  const std::lock_guard lock(mutex_);
  Transaction transaction(database_);
  WB_DO(transaction.begun());
  std::int64_t before = 0, after = 0;
  const auto sum = [&](std::int64_t& bytes) {
    return database_.run("SELECT coalesce(sum(length(packed)), 0) FROM texts WHERE run = ?", {number(run)},
                         [&](const SqlRow& row) { bytes = row.integer(0); });
  };
  WB_DO(sum(before));
  WB_DO(change(run));
  WB_DO(database_.run("DELETE FROM texts WHERE run = ? AND kind = 'job'", {number(run)}));
  if (report) WB_DO(putText(database_, number(run), "report", text));
  WB_DO(sum(after));
  WB_DO(database_.run("UPDATE runs SET bytes = ? WHERE number = ?", {after + bytesOfRow, number(run)}));
  WB_DO(transaction.commit());
  bytes_ += after - before;
  return {};
}

Result<std::vector<JournalRun>> RunJournal::unfinished() {
  const std::lock_guard lock(mutex_);
  std::vector<JournalRun> runs;
  WB_DO(database_.run(fmt::format("SELECT {} FROM runs WHERE ended = 0 ORDER BY number", columns), {},
                      [&](const SqlRow& row) { runs.push_back(runOf(row)); }));
  return runs;
}

std::optional<RunStatus> RunJournal::find(const std::string& id) {
  std::optional<RunStatus> found;
  bool hasNote = false;
  {
    const std::lock_guard lock(mutex_);
    (void)database_.run(fmt::format("SELECT {} FROM runs WHERE id = ?", columns), {id},
                        [&](const SqlRow& row) {
                          const JournalRun run = runOf(row);
                          found = run.status;
                          hasNote = run.hasNote;
                        });
  }
  if (found && hasNote) found->note = note(id);
  return found;
}

Result<std::string> RunJournal::text(std::string_view kind, const std::string& id) {
  std::optional<std::string> bytes;
  {
    const std::lock_guard lock(mutex_);
    WB_DO(
        database_.run("SELECT packed FROM texts WHERE kind = ? AND run = (SELECT number FROM runs WHERE id "
                      "= ?)",
                      {kind, id}, [&](const SqlRow& row) { bytes = row.text(0); }));
  }
  if (!bytes) return Error{Stage::job, "Nothing is kept of this run."};
  return unpacked(*bytes);
}

std::string RunJournal::note(const std::string& id) {
  return text("note", id).value_or("");
}

Result<std::optional<RunJournal::KeyedRun>> RunJournal::runOfKey(const std::string& client,
                                                                 const std::string& key) {
  const std::lock_guard lock(mutex_);
  std::optional<KeyedRun> found;
  WB_DO(database_.run(
      "SELECT id, coalesce((SELECT packed FROM texts WHERE run = number AND kind = 'request'), '') FROM runs "
      "WHERE client = ? AND key = ? AND key <> ''",
      {client, key}, [&](const SqlRow& row) {
        found = KeyedRun{row.text(0), row.text(1)};
      }));
  return found;
}

std::vector<RunStatus> RunJournal::ended(std::size_t most) {
  const std::lock_guard lock(mutex_);
  std::vector<RunStatus> found;
  (void)database_.run(
      fmt::format("SELECT {} FROM runs WHERE ended > 0 ORDER BY ended DESC, number DESC LIMIT ?", columns),
      {static_cast<std::int64_t>(std::min<std::size_t>(most, 1'000'000))},
      [&](const SqlRow& row) { found.push_back(runOf(row).status); });
  return found;
}

Result<Job> RunJournal::job(const std::string& id) {
  WB_TRY(const std::string content, text("job", id));
  WB_TRY(const nlohmann::json json, parseJson(content));
  return jobFromJson(json);
}

std::shared_ptr<const Report> RunJournal::report(const std::string& id) {
  const Result<std::string> content = text("report", id);
  if (!content) return nullptr;
  const Result<nlohmann::json> json = parseJson(*content);
  if (!json) return nullptr;
  Result<Report> report = reportFromJson(*json);
  return report ? std::make_shared<const Report>(*std::move(report)) : nullptr;
}

std::uint64_t RunJournal::lastNumber() {
  const std::lock_guard lock(mutex_);
  const Result<std::int64_t> last = integer(database_, "SELECT coalesce(max(number), 0) FROM runs");
  return static_cast<std::uint64_t>(last.value_or(0));
}

std::vector<std::string> RunJournal::forget(double endedBefore, std::int64_t mostBytes) {
  const std::lock_guard lock(mutex_);
  std::vector<std::string> forgotten;
  std::vector<std::int64_t> numbers;
  std::int64_t left = bytes_;
  const auto choose = [&](const SqlRow& row) {
    if (row.number(3) > endedBefore && left <= mostBytes) return;
    numbers.push_back(row.integer(0));
    forgotten.push_back(row.text(1));
    left -= row.integer(2);
  };
  (void)database_.run("SELECT number, id, bytes, ended FROM runs WHERE ended > 0 ORDER BY ended LIMIT ?",
                      {std::int64_t{mostForgottenAtOnce}}, choose);
  if (numbers.empty()) return {};
  const auto done = [&]() -> Result<void> {
    Transaction transaction(database_);
    WB_DO(transaction.begun());
    for (const std::int64_t number : numbers)
      WB_DO(database_.run("DELETE FROM runs WHERE number = ?", {number}));
    return transaction.commit();
  }();
  if (!done) return {};
  bytes_ = left;
  return forgotten;
}

KeptRuns RunJournal::kept(double now) {
  constexpr double perSecond = 1000;
  KeptRuns kept;
  double submitted = 0;
  {
    const std::lock_guard lock(mutex_);
    (void)database_.run("SELECT state, count, submitted FROM tallies WHERE count > 0", {},
                        [&](const SqlRow& row) {
                          kept.byState[stateOf(row.text(0))] = static_cast<std::uint64_t>(row.integer(1));
                          submitted += row.number(2) / perSecond;
                        });
  }
  if (const auto count = static_cast<double>(kept.count()); count > 0) kept.meanAge = now - submitted / count;
  return kept;
}

std::int64_t RunJournal::bytes() {
  const std::lock_guard lock(mutex_);
  return bytes_;
}

}  // namespace wb

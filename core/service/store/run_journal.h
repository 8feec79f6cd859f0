// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/model/job.h"
#include "core/model/report.h"
#include "core/service/service.h"
#include "core/service/store/database.h"
#include "core/service/store/folder_lock.h"
#include "core/service/store/open_file.h"

namespace wb {

/// A run as the journal has it.
struct JournalRun {
  /// Grows with every submission.
  std::uint64_t number = 0;
  /// Without its note and `ahead`.
  RunStatus status;
  /// "" means none.
  std::string idempotencyKey;
  /// Submission::requestHash; only accept() looks at it.
  std::string requestHash{};
  /// How many times the service ended while it ran.
  int interruptions = 0;
  bool hasNote = false;
};

/// What is written down: every run that was accepted, its job until it has ended, and its report afterwards.
/// It is a SQLite database (`journal.sqlite`) in a folder that one service at a time has. All functions may
/// be called from any thread.
class RunJournal {
 public:
  /// The version of the tables.
  static constexpr int version = 1;

  struct Opened {
    std::unique_ptr<RunJournal> journal;
    /// What the operator should know, such as that a damaged journal was put aside; "" nothing.
    std::string remark;
  };
  /// Opens the journal of a folder, and makes both where they are missing. A damaged one is renamed and a new
  /// one begun. Errors, which name the folder: it cannot be written, it belongs to a newer version, another
  /// service has it.
  static Result<Opened> open(const std::filesystem::path& folder);

  /// Writes down a run that is accepted; it is on disk when this returns without an error.
  Result<void> accept(const JournalRun& run, const Job& job, const std::string& note);
  // A power failure may take back the latest of these, and nothing worse: the run is done again.
  Result<void> start(const JournalRun& run);
  /// It waits again; its restarts and interruptions are as in `run`.
  Result<void> putBack(const JournalRun& run);
  /// It is over, and its job is no longer needed. Without a report none is kept of it.
  Result<void> end(const JournalRun& run, const Report* report);

  /// The runs that are not over, in the order of submission.
  Result<std::vector<JournalRun>> unfinished();
  [[nodiscard]] std::optional<RunStatus> find(const std::string& id);
  [[nodiscard]] std::string note(const std::string& id);
  struct KeyedRun {
    std::string id;
    /// "" where none was written down, as by older versions.
    std::string requestHash;
  };
  /// The run that a client has submitted with a key.
  Result<std::optional<KeyedRun>> runOfKey(const std::string& client, const std::string& key);
  /// Runs that are over, the newest first.
  [[nodiscard]] std::vector<RunStatus> ended(std::size_t most);
  Result<Job> job(const std::string& id);
  /// Null where none is kept.
  [[nodiscard]] std::shared_ptr<const Report> report(const std::string& id);
  /// The highest number of a run so far.
  [[nodiscard]] std::uint64_t lastNumber();

  /// Forgets runs that ended before a time (seconds since 1970), and then the oldest until what is kept takes
  /// at most `mostBytes`; gives the ids.
  std::vector<std::string> forget(double endedBefore, std::int64_t mostBytes);
  /// How many runs there are at a time (seconds since 1970). It costs the same however many there are.
  [[nodiscard]] KeptRuns kept(double now);
  /// About what all runs take, with their jobs, notes and reports as they are packed.
  [[nodiscard]] std::int64_t bytes();

 private:
  RunJournal(FolderLock lock, Database database, OpenFile log)
      : lock_(std::move(lock)), log_(std::move(log)), database_(std::move(database)) {}
  static Result<Database> openDatabase(const std::filesystem::path& file, bool& isDamaged);
  Result<void> change(const JournalRun& run);
  Result<std::string> text(std::string_view kind, const std::string& id);

  FolderLock lock_;
  /// What was written since the last checkpoint; syncing it makes that safe.
  OpenFile log_;
  /// Guards the members below.
  std::mutex mutex_;
  Database database_;
  std::int64_t bytes_ = 0;
};

}  // namespace wb

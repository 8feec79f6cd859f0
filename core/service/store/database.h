// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sqlite3.h>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/base/result.h"

namespace wb {

/// Bytes, which are stored as they are.
struct Blob {
  std::string_view bytes;
};
/// A value for a question mark of a statement.
using SqlValue = std::variant<std::int64_t, double, std::string_view, Blob>;

/// One row of an answer, while it is read. Columns count from 0.
class SqlRow {
 public:
  explicit SqlRow(sqlite3_stmt* statement) : statement_(statement) {}
  [[nodiscard]] std::int64_t integer(int column) const;
  [[nodiscard]] double number(int column) const;
  /// Text or bytes.
  [[nodiscard]] std::string text(int column) const;

 private:
  sqlite3_stmt* statement_;
};

/// A SQLite database in a file. One thread at a time may use it. Errors say what is wrong in words, without
/// the path of the file, since a client may see them.
class Database {
 public:
  /// Opens the file, and makes it where it is missing. Nothing is read before the first statement.
  static Result<Database> open(const std::filesystem::path& file);

  /// One or more statements without values.
  Result<void> execute(const std::string& statements);
  /// One statement; `take` gets each row of its answer.
  Result<void> run(std::string_view statement, const std::vector<SqlValue>& values = {},
                   const std::function<void(const SqlRow&)>& take = {});
  /// How many rows the last statement has changed.
  [[nodiscard]] std::int64_t changes() const;
  /// Whether the last error said that the file is damaged, or no database at all.
  [[nodiscard]] bool isDamaged() const { return isDamaged_; }
  /// Whether closing may write: what a damaged file's log holds must stay as it is.
  void setCheckpointOnClose(bool on);

 private:
  struct Closer {
    void operator()(sqlite3* connection) const { sqlite3_close_v2(connection); }
  };
  explicit Database(sqlite3* connection) : connection_(connection) {}
  Error error(int code);

  std::unique_ptr<sqlite3, Closer> connection_;
  bool isDamaged_ = false;
};

/// Statements that take effect together at commit(), or not at all.
class Transaction {
 public:
  explicit Transaction(Database& database)
      : database_(database), begun_(database.execute("BEGIN IMMEDIATE")) {}
  ~Transaction();
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;

  /// Whether it could begin.
  [[nodiscard]] const Result<void>& begun() const { return begun_; }
  Result<void> commit();

 private:
  Database& database_;
  Result<void> begun_;
  bool isDone_ = false;
};

}  // namespace wb

// SPDX-License-Identifier: Apache-2.0
#include "core/service/store/database.h"

#include <fmt/format.h>

namespace wb {
namespace {

int bind(sqlite3_stmt* statement, int place, const SqlValue& value) {
  // The values outlive the statement, so SQLite need not copy them.
  if (const auto* integer = std::get_if<std::int64_t>(&value))
    return sqlite3_bind_int64(statement, place, *integer);
  if (const auto* number = std::get_if<double>(&value)) return sqlite3_bind_double(statement, place, *number);
  if (const auto* text = std::get_if<std::string_view>(&value))
    return sqlite3_bind_text64(statement, place, text->empty() ? "" : text->data(), text->size(),
                               SQLITE_STATIC, SQLITE_UTF8);
  const std::string_view bytes = std::get<Blob>(value).bytes;
  return sqlite3_bind_blob64(statement, place, bytes.empty() ? "" : bytes.data(), bytes.size(),
                             SQLITE_STATIC);
}

}  // namespace

std::int64_t SqlRow::integer(int column) const {
  return sqlite3_column_int64(statement_, column);
}
double SqlRow::number(int column) const {
  return sqlite3_column_double(statement_, column);
}
std::string SqlRow::text(int column) const {
  const auto* bytes = static_cast<const char*>(sqlite3_column_blob(statement_, column));
  return bytes == nullptr
             ? std::string()
             : std::string(bytes, static_cast<std::size_t>(sqlite3_column_bytes(statement_, column)));
}

Result<Database> Database::open(const std::filesystem::path& file) {
  sqlite3* connection = nullptr;
  constexpr int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX;
  const int code = sqlite3_open_v2(file.c_str(), &connection, flags, nullptr);
  Database database(connection);
  if (code != SQLITE_OK) return database.error(code);
  sqlite3_extended_result_codes(connection, 1);
  return database;
}

void Database::setCheckpointOnClose(bool on) {
  sqlite3_db_config(connection_.get(), SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, on ? 0 : 1, nullptr);
}

Error Database::error(int code) {
  const int kind = code & 0xff;
  isDamaged_ = kind == SQLITE_CORRUPT || kind == SQLITE_NOTADB;
  if (kind == SQLITE_FULL)
    return {Stage::job, "The disk on which the service keeps its journal is full.", "make room on it"};
  if (isDamaged_) return {Stage::job, "The service's journal is damaged.", "start the service again"};
  const char* words = connection_ ? sqlite3_errmsg(connection_.get()) : sqlite3_errstr(code);
  return {Stage::job, fmt::format("The service's journal cannot be read or written: {}.", words)};
}

Result<void> Database::execute(const std::string& statements) {
  const int code = sqlite3_exec(connection_.get(), statements.c_str(), nullptr, nullptr, nullptr);
  if (code != SQLITE_OK) return error(code);
  return {};
}

Result<void> Database::run(std::string_view statement, const std::vector<SqlValue>& values,
                           const std::function<void(const SqlRow&)>& take) {
  sqlite3_stmt* prepared = nullptr;
  int code = sqlite3_prepare_v2(connection_.get(), statement.data(), static_cast<int>(statement.size()),
                                &prepared, nullptr);
  const std::unique_ptr<sqlite3_stmt, int (*)(sqlite3_stmt*)> owner(prepared, sqlite3_finalize);
  int place = 0;
  for (const SqlValue& value : values)
    if (code == SQLITE_OK) code = bind(prepared, ++place, value);
  if (code != SQLITE_OK) return error(code);
  while ((code = sqlite3_step(prepared)) == SQLITE_ROW)
    if (take) take(SqlRow(prepared));
  if (code != SQLITE_DONE) return error(code);
  return {};
}

std::int64_t Database::changes() const {
  return sqlite3_changes64(connection_.get());
}

Transaction::~Transaction() {
  // SQLite may have rolled it back by itself, as where the disk is full; then this has nothing to do.
  if (begun_ && !isDone_) (void)database_.execute("ROLLBACK");
}

Result<void> Transaction::commit() {
  WB_DO(database_.execute("COMMIT"));
  isDone_ = true;
  return {};
}

}  // namespace wb

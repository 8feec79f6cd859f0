// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/clangd/language_server.h"

#include <QCoreApplication>
#include <QDeadlineTimer>
#include <QJsonArray>
#include <QJsonDocument>
#include <algorithm>

namespace wb {
namespace {

constexpr qsizetype mostBytes = qsizetype{64} << 20;

qint64 now() {
  return QDeadlineTimer::current().deadline();
}

}  // namespace

LanguageServer::LanguageServer(QStringList command, QObject* parent)
    : QObject(parent), command_(std::move(command)) {
  process_.setStandardErrorFile(QProcess::nullDevice());
  connect(&process_, &QProcess::started, this, &LanguageServer::greet);
  connect(&process_, &QProcess::readyReadStandardOutput, this, &LanguageServer::read);
  connect(&process_, &QProcess::finished, this, [this] { fail(); });
  connect(&process_, &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
    if (error == QProcess::FailedToStart) fail();
  });
  clock_.setSingleShot(true);
  connect(&clock_, &QTimer::timeout, this, &LanguageServer::checkDeadlines);
}

LanguageServer::~LanguageServer() {
  process_.disconnect(this);
  if (process_.state() == QProcess::NotRunning) return;
  process_.kill();
  process_.waitForFinished(2000);
}

void LanguageServer::start() {
  failed_ = false;
  process_.start(command_.value(0), command_.mid(1));
}

void LanguageServer::greet() {
  const QJsonObject texts{{QStringLiteral("publishDiagnostics"), QJsonObject()},
                          {QStringLiteral("hover"), QJsonObject{{QStringLiteral("contentFormat"),
                                                                 QJsonArray{QStringLiteral("plaintext")}}}}};
  const QJsonObject capabilities{// Columns count bytes, as the editor does.
                                 {QStringLiteral("offsetEncoding"), QJsonArray{QStringLiteral("utf-8")}},
                                 {QStringLiteral("textDocument"), texts}};
  ready_ = true;  // for this one request
  request(QStringLiteral("initialize"),
          {{QStringLiteral("processId"), QCoreApplication::applicationPid()},
           {QStringLiteral("rootUri"), QJsonValue::Null},
           {QStringLiteral("capabilities"), capabilities}},
          [this](const QJsonValue& result) {
            if (result.isUndefined()) return;
            ready_ = true;
            notify(QStringLiteral("initialized"), {});
            emit ready();
          });
  ready_ = false;
}

void LanguageServer::request(const QString& method, const QJsonObject& params, Answer answer) {
  if (!ready_) return answer(QJsonValue(QJsonValue::Undefined));
  const int id = ++next_;
  asked_.insert(id, {std::move(answer), now() + patience_});
  if (!clock_.isActive() || clock_.remainingTime() > patience_) clock_.start(patience_);
  write({{QStringLiteral("id"), id}, {QStringLiteral("method"), method}, {QStringLiteral("params"), params}});
}

void LanguageServer::notify(const QString& method, const QJsonObject& params) {
  if (ready_) write({{QStringLiteral("method"), method}, {QStringLiteral("params"), params}});
}

void LanguageServer::write(const QJsonObject& message) {
  QJsonObject whole = message;
  whole[QStringLiteral("jsonrpc")] = QStringLiteral("2.0");
  const QByteArray body = QJsonDocument(whole).toJson(QJsonDocument::Compact);
  process_.write("Content-Length: " + QByteArray::number(body.size()) + "\r\n\r\n" + body);
}

void LanguageServer::read() {
  input_ += process_.readAllStandardOutput();
  while (!failed_) {
    const qsizetype end = input_.indexOf("\r\n\r\n");
    if (end < 0) {
      if (input_.size() > 4096) process_.kill();  // this is no header
      return;
    }
    qsizetype length = -1;
    for (const QByteArray& line : input_.left(end).split('\n'))
      if (line.toLower().startsWith("content-length:")) length = line.mid(15).trimmed().toLongLong();
    if (length < 0 || length > mostBytes) return process_.kill();
    if (input_.size() < end + 4 + length) return;
    const QJsonDocument document = QJsonDocument::fromJson(input_.mid(end + 4, length));
    input_.remove(0, end + 4 + length);
    if (!document.isObject()) return process_.kill();
    take(document.object());
  }
}

void LanguageServer::take(const QJsonObject& message) {
  const QString method = message[QStringLiteral("method")].toString();
  const QJsonValue id = message[QStringLiteral("id")];
  if (method.isEmpty()) {
    const auto asked = asked_.find(id.toInt());
    if (asked == asked_.end()) return;
    const Answer answer = asked->answer;
    asked_.erase(asked);
    // An error is an answer too: there is nothing at that place.
    const bool wrong = message.contains(QStringLiteral("error"));
    return answer(wrong ? QJsonValue(QJsonValue::Null) : message[QStringLiteral("result")]);
  }
  if (!id.isUndefined())  // the server asks: nothing that it may ask for is offered
    return write({{QStringLiteral("id"), id}, {QStringLiteral("result"), QJsonValue::Null}});
  emit notified(method, message[QStringLiteral("params")].toObject());
}

// The clock stands while nothing is asked.
void LanguageServer::checkDeadlines() {
  if (asked_.isEmpty()) return;
  const auto soonest = std::min_element(
      asked_.cbegin(), asked_.cend(), [](const Asked& a, const Asked& b) { return a.deadline < b.deadline; });
  const qint64 left = soonest->deadline - now();
  if (left <= 0) return process_.kill();  // the end of the process says the rest
  clock_.start(int(left));
}

// The process has ended, or never began: what was asked gets no answer.
void LanguageServer::fail() {
  if (failed_) return;
  failed_ = true;
  ready_ = false;
  clock_.stop();
  input_.clear();
  for (const Asked& asked : std::exchange(asked_, {})) asked.answer(QJsonValue(QJsonValue::Undefined));
  if (restarts_ == mostRestarts || process_.error() == QProcess::FailedToStart) {
    emit gaveUp();
    return;
  }
  ++restarts_;
  // The process object must have left its signal before it starts again.
  QMetaObject::invokeMethod(this, &LanguageServer::start, Qt::QueuedConnection);
}

}  // namespace wb

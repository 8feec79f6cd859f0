// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QHash>
#include <QJsonObject>
#include <QJsonValue>
#include <QObject>
#include <QProcess>
#include <QStringList>
#include <QTimer>
#include <functional>

namespace wb {

/// A language server as a child process: messages of JSON over its standard input and output. It is started
/// again when it crashes, answers nonsense, or leaves a request without an answer for too long, three times
/// at most; whoever uses it says again at each start what is open. Nothing here waits.
class LanguageServer : public QObject {
  Q_OBJECT
 public:
  static constexpr int mostRestarts = 3;
  /// `result` is undefined when there was no answer.
  using Answer = std::function<void(const QJsonValue& result)>;

  explicit LanguageServer(QStringList command, QObject* parent = nullptr);
  /// Ends the process.
  ~LanguageServer() override;
  LanguageServer(const LanguageServer&) = delete;
  LanguageServer& operator=(const LanguageServer&) = delete;

  void start();
  [[nodiscard]] bool isReady() const { return ready_; }
  /// How often it was started again.
  [[nodiscard]] int restarts() const { return restarts_; }
  [[nodiscard]] qint64 processId() const { return process_.processId(); }
  /// How long an answer may take; clangd parses torch's headers in half a minute on a busy machine.
  void setPatience(int milliseconds) { patience_ = milliseconds; }
  /// Does nothing, and answers so, while the server is not ready.
  void request(const QString& method, const QJsonObject& params, Answer answer);
  void notify(const QString& method, const QJsonObject& params);

 signals:
  /// The server has answered the greeting: now it can be told what is open.
  void ready();
  void notified(const QString& method, const QJsonObject& params);
  /// It failed once more than it may be restarted, or it cannot be started.
  void gaveUp();

 private:
  struct Asked {
    Answer answer;
    qint64 deadline = 0;
  };
  void greet();
  void read();
  void take(const QJsonObject& message);
  void write(const QJsonObject& message);
  void checkDeadlines();
  void fail();

  QStringList command_;
  QProcess process_;
  QByteArray input_;
  QHash<int, Asked> asked_;
  QTimer clock_;
  int next_ = 0, restarts_ = 0, patience_ = 60000;
  bool ready_ = false, failed_ = false;
};

}  // namespace wb

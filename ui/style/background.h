// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QCoreApplication>
#include <QPointer>
#include <QThreadPool>
#include <utility>

namespace wb {

/// Threads for what waits for other machines, so that nothing else has to wait for them.
inline QThreadPool& networkThreads() {
  struct Threads : QThreadPool {
    Threads() { setMaxThreadCount(16); }
  };
  static Threads threads;
  return threads;
}

/// Runs `work` in the thread pool and then `done(result)` on the receiver's thread, unless the receiver is
/// gone. It is for everything that reads or writes files or starts processes, since the UI thread never
/// waits.
template <class Work, class Done>
void inBackground(QObject* receiver, Work work, Done done,
                  QThreadPool& threads = *QThreadPool::globalInstance()) {
  QPointer<QObject> guard(receiver);
  threads.start([guard, work = std::move(work), done = std::move(done)]() mutable {
    auto result = work();
    QMetaObject::invokeMethod(
        QCoreApplication::instance(),
        [guard, result = std::move(result), done = std::move(done)]() mutable {
          if (guard) done(std::move(result));
        },
        Qt::QueuedConnection);
  });
}

}  // namespace wb

// SPDX-License-Identifier: Apache-2.0
#include "core/runner/inbox.h"

#include <sys/eventfd.h>
#include <unistd.h>

#include <utility>

namespace wb {

Inbox::Inbox() : descriptor_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {}
Inbox::~Inbox() {
  ::close(descriptor_);
}

void Inbox::wake() const {
  const std::uint64_t one = 1;
  [[maybe_unused]] const ssize_t written = ::write(descriptor_, &one, sizeof one);
}

Runner::RunId Inbox::submit(Job job, Runner::Listener listener, std::shared_ptr<const Report> before) {
  const std::lock_guard lock(mutex_);
  const Runner::RunId id = ++lastId_;
  mail_.submitted.push_back({id, std::move(job), std::move(listener), std::move(before)});
  ++unfinished_;
  wake();
  return id;
}

void Inbox::cancel(Runner::RunId run) {
  const std::lock_guard lock(mutex_);
  mail_.cancelled.push_back(run);
  wake();
}

void Inbox::start(bool python) {
  const std::lock_guard lock(mutex_);
  mail_.start = true;
  mail_.python = mail_.python || python;
  wake();
}

void Inbox::stop() {
  const std::lock_guard lock(mutex_);
  mail_.stop = true;
  wake();
}

void Inbox::waitForAll() {
  std::unique_lock lock(mutex_);
  allFinished_.wait(lock, [&] { return unfinished_ == 0; });
}

void Inbox::onStatus(Runner::StatusListener listener) {
  const std::lock_guard lock(mutex_);
  statusListener_ = std::move(listener);
  mail_.listens = true;
  wake();
}

Inbox::Mail Inbox::take() {
  std::uint64_t count = 0;
  [[maybe_unused]] const ssize_t got = ::read(descriptor_, &count, sizeof count);
  const std::lock_guard lock(mutex_);
  Mail mail = std::exchange(mail_, {});
  mail_.stop = mail.stop;  // a stop stays requested
  return mail;
}

void Inbox::finished() {
  const std::lock_guard lock(mutex_);
  if (--unfinished_ == 0) allFinished_.notify_all();
}

void Inbox::tell(const WorkerStatus& status) {
  Runner::StatusListener listener;
  {
    const std::lock_guard lock(mutex_);
    listener = statusListener_;
  }
  if (listener) listener(status);
}

}  // namespace wb

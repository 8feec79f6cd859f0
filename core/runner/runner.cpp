// SPDX-License-Identifier: Apache-2.0
#include "core/runner/runner.h"

#include <csignal>
#include <thread>
#include <utility>

#include "core/runner/inbox.h"
#include "core/runner/runner_loop.h"

namespace wb {

class Runner::Impl {
 public:
  Impl(std::vector<WorkerPlace> places, const RunnerOptions& options)
      : places_(std::move(places)), thread_([this, options] {
          // When a worker goes away while it is being written to, that is an event, and must not end this
          // program.
          sigset_t pipe;
          sigemptyset(&pipe);
          sigaddset(&pipe, SIGPIPE);
          pthread_sigmask(SIG_BLOCK, &pipe, nullptr);
          RunnerLoop(places_, options, inbox).run();
        }) {}
  ~Impl() {
    inbox.stop();
    thread_.join();
  }
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;

  Inbox inbox;

 private:
  std::vector<WorkerPlace> places_;
  std::thread thread_;
};

std::string_view name(WorkerStatus::State state) {
  switch (state) {
    case WorkerStatus::State::stopped:
      return "stopped";
    case WorkerStatus::State::starting:
      return "starting";
    case WorkerStatus::State::ready:
      return "ready";
    case WorkerStatus::State::busy:
      return "busy";
    case WorkerStatus::State::failed:
      return "failed";
  }
  return "unknown";
}

namespace {
std::vector<WorkerPlace> onePlace(std::unique_ptr<Launcher> launcher, std::string device) {
  std::vector<WorkerPlace> places;
  places.push_back({std::move(launcher), std::move(device)});
  return places;
}
}  // namespace

Runner::Runner(std::vector<WorkerPlace> places, RunnerOptions options)
    : impl_(std::make_unique<Impl>(std::move(places), options)) {}
Runner::Runner(std::unique_ptr<Launcher> launcher, std::string device, RunnerOptions options)
    : Runner(onePlace(std::move(launcher), std::move(device)), options) {}
Runner::~Runner() = default;

void Runner::onStatus(StatusListener listener) {
  impl_->inbox.onStatus(std::move(listener));
}
void Runner::start(bool python) {
  impl_->inbox.start(python);
}
Runner::RunId Runner::submit(Job job, Listener listener, std::shared_ptr<const Report> before) {
  return impl_->inbox.submit(std::move(job), std::move(listener), std::move(before));
}
void Runner::cancel(RunId run) {
  impl_->inbox.cancel(run);
}
void Runner::wait() {
  impl_->inbox.waitForAll();
}

}  // namespace wb

// SPDX-License-Identifier: Apache-2.0
#include "app/worker/session.h"

#include <fmt/format.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <thread>
#include <utility>
#include <variant>

#include "app/worker/engine_library.h"
#include "app/worker/log_pump.h"
#include "app/worker/torch_finder.h"
#include "core/base/process/process_start.h"
#include "core/base/process/process_tree.h"
#include "core/base/quantity.h"
#include "core/base/sandbox/sandbox.h"
#include "core/model/json/event_bounds.h"
#include "core/protocol/channel.h"

namespace wb {
namespace {

constexpr std::chrono::seconds heartbeatPeriod{1};
constexpr std::chrono::milliseconds untilItSpeaks{-1};
constexpr std::chrono::seconds longestFarewell{10};
/// So long a worker that has nothing to do keeps guests for kernels that may come again.
constexpr std::chrono::milliseconds guestsKept{30'000};
/// So long it waits for another job before it does what would make that wait.
constexpr std::chrono::milliseconds untilIdle{200};
constexpr int cannotWork = 3, deviceLost = 86;

struct Order {
  /// A job; what to compile for another machine; or what this one compiles with.
  std::variant<RunJob, CompileAhead, AskBuilds> what;
  std::uint32_t run = 0;
};

/// Inside walls nothing above this process can be seen; but whoever raised them ends with the runner, and
/// ends all inside.
bool insideWalls() {
  return !startVariable(wallsVariable).empty();
}

/// What the runner says. It is read on a thread of its own, so that a cancel arrives while user code loops,
/// and the process ends with its runner.
class Inbox {
 public:
  explicit Inbox(int descriptor) : reader_(descriptor) {
    std::thread([this] { listen(); }).detach();  // it runs until the process ends
  }
  /// What was built elsewhere goes there from now on.
  void giveTo(Engine& engine) {
    const std::lock_guard lock(mutex_);
    engine_ = &engine;
  }

  /// The answer to Hello; nullopt when none came in time.
  std::optional<Welcome> welcome(std::optional<std::chrono::seconds> limit) {
    std::unique_lock lock(mutex_);
    const auto heard = [&] { return welcome_.has_value() || bye_; };
    if (limit)
      said_.wait_for(lock, *limit, heard);
    else
      said_.wait(lock, heard);
    return welcome_;
  }

  /// Waits until there is a job, or the end, and no longer than this. False: neither came.
  bool isOrderedWithin(std::chrono::milliseconds limit) {
    std::unique_lock lock(mutex_);
    return said_.wait_for(lock, limit, [&] { return bye_ || !orders_.empty(); });
  }
  /// Waits for the next job; nullopt at the end.
  std::optional<Order> next() {
    std::unique_lock lock(mutex_);
    said_.wait(lock, [&] { return bye_ || !orders_.empty(); });
    if (bye_) return std::nullopt;
    Order order = std::move(orders_.front());
    orders_.pop_front();
    current_ = order.run;
    works_ = true;
    stop_ = std::stop_source();
    return order;
  }
  std::stop_token stop() {
    const std::lock_guard lock(mutex_);
    return stop_.get_token();
  }
  /// The last order is done.
  void rest() {
    const std::lock_guard lock(mutex_);
    works_ = false;
  }
  /// Waits until there is work, or some is being done.
  void awaitWork() {
    std::unique_lock lock(mutex_);
    said_.wait(lock, [&] { return hasWork(); });
  }

 private:
  [[nodiscard]] bool hasWork() const { return works_ || !orders_.empty(); }
  [[nodiscard]] bool rests() {
    const std::lock_guard lock(mutex_);
    return !hasWork();
  }

  void listen() {
    while (true) {
      Result<std::optional<Received>> received =
          reader_.receive(rests() ? untilItSpeaks : longestRunnerSilence);
      // The work may have ended meanwhile. A runner that was stopped, as by Ctrl-Z, will go on where it was.
      if (received && !*received && reader_.timedOut() &&
          (rests() || stoppedAbove(::getppid()) || insideWalls()))
        continue;
      // End at once and without clean-up: user code may be running, and nobody waits for an answer any more.
      if (!received || !*received) _exit(received && !reader_.timedOut() ? 0 : runnerWasSilent);
      const std::lock_guard lock(mutex_);
      take(**std::move(received));
      said_.notify_all();
    }
  }

  void take(Received received) {
    if (auto* job = std::get_if<RunJob>(&received.message)) {
      orders_.push_back({std::move(*job), received.run});
    } else if (auto* ahead = std::get_if<CompileAhead>(&received.message)) {
      orders_.push_back({std::move(*ahead), received.run});
    } else if (std::holds_alternative<AskBuilds>(received.message)) {
      orders_.push_back({AskBuilds{}, received.run});
    } else if (auto* built = std::get_if<Built>(&received.message)) {
      // A kernel may have found this channel; what it has not found is the seal's key.
      if (engine_ != nullptr && welcome_ && welcome_->seal &&
          built->proof == proofOf(*built, *welcome_->seal))
        engine_->give(std::move(built->file), std::move(built->from));
    } else if (std::holds_alternative<Cancel>(received.message)) {
      if (received.run == 0 || received.run == current_) stop_.request_stop();
      std::erase_if(orders_, [&](const Order& order) { return order.run == received.run; });
    } else if (std::holds_alternative<Bye>(received.message)) {
      bye_ = true;
      stop_.request_stop();
    } else if (auto* welcome = std::get_if<Welcome>(&received.message)) {
      welcome_ = std::move(*welcome);
    }
  }

  MessageReader reader_;
  std::mutex mutex_;
  std::condition_variable said_;
  std::optional<Welcome> welcome_;
  Engine* engine_ = nullptr;
  std::deque<Order> orders_;
  std::uint32_t current_ = 0;
  std::stop_source stop_;
  bool bye_ = false, works_ = false;
};

/// A worker at rest has no heartbeat, so that a window in which nothing happens sleeps.
void startHeartbeat(MessageWriter& writer, Inbox& inbox) {
  std::thread([&writer, &inbox] {
    for (std::uint64_t beat = 0;; ++beat) {
      inbox.awaitWork();
      if (!writer.send(Heartbeat{beat})) _exit(0);  // the runner is gone
      std::this_thread::sleep_for(heartbeatPeriod);
    }
  }).detach();
}

int refuse(MessageWriter& writer, Inbox& inbox, const WorkerOptions& options, const Error& error) {
  Hello hello;
  hello.build = WB_VERSION;
  hello.target.device = options.device;
  hello.failure = error.text;
  hello.hint = error.hint;
  if (writer.send(hello)) inbox.welcome(longestFarewell);
  return cannotWork;
}

Result<std::unique_ptr<Engine>> findAndOpen(const WorkerOptions& options, const StartedAhead& started) {
  if (!options.failure.empty())
    return Error{Stage::setup, options.failure,
                 "run packaging/setup build, or set WARPBENCH_PYTHON to a Python that has torch 2.11"};
  WB_TRY(const TorchFolder torch, findTorchFolder(options.torch));
  return openEngine(torch, options.device, started);
}

/// Does what it was told to; false when this process must be replaced afterwards.
bool work(Engine& engine, const Order& order, Inbox& inbox, MessageWriter& writer, LogPump& pump) {
  if (std::holds_alternative<AskBuilds>(order.what)) {
    (void)writer.send(Builds{engine.buildFacts()});
    return true;
  }
  const std::stop_token stop = inbox.stop();
  const auto* const ahead = std::get_if<CompileAhead>(&order.what);
  const Job& job = ahead != nullptr ? ahead->job : std::get<RunJob>(order.what).job;
  const auto send = [&writer, run = order.run](const Event& event) {
    Happened happened{event};
    boundTexts(happened.event);
    if (const Result<void> sent = writer.send(happened, run); sent) return;
    // It was too large to send, or the runner is gone; in the latter case the reader ends this process.
    (void)writer.send(Happened{withoutBulk(happened.event)}, run);
  };
  pump.begin(job.limits.logBytes, send);
  std::optional<Event> last;
  const auto emit = [&](const Event& event) {
    // What a case printed is sent before its result, and everything before the end.
    if (std::holds_alternative<StepDone>(event)) pump.drain();
    if (std::holds_alternative<Finished>(event))
      last = event;
    else
      send(event);
  };
  if (ahead == nullptr)
    engine.run(job, emit, stop);
  else
    engine.compileAhead(
        job, ahead->architecture, emit,
        [&](BuiltFile file) {
          if (const std::size_t size = file.content.size(); size > largestBuiltFile)
            return send(
                Log{"compiler", fmt::format("what was built is {} large, and at most {} are sent to other "
                                            "machines: it is compiled again there",
                                            formatBytes(static_cast<double>(size)),
                                            formatBytes(static_cast<double>(largestBuiltFile)))});
          (void)writer.send(Built{std::move(file), {}, 0}, order.run);
        },
        stop);
  pump.end();
  if (last) send(*last);
  return !engine.poisoned() && !engine.spoiled();
}

}  // namespace

int serve(const WorkerOptions& options, const Descriptors& descriptors, const StartedAhead& started) {
  // These are never destroyed, since detached threads use them until the process ends.
  auto& writer = *new MessageWriter(descriptors.output);
  auto& inbox = *new Inbox(descriptors.input);
  auto& pump = *new LogPump(descriptors);
  Result<std::unique_ptr<Engine>> opened = findAndOpen(options, started);
  if (!opened) return refuse(writer, inbox, options, opened.error());
  Engine& engine = *opened->release();
  inbox.giveTo(engine);

  Hello hello;
  hello.build = WB_VERSION;
  hello.target = engine.target();
  if (!writer.send(hello)) return 0;
  const std::optional<Welcome> welcome = inbox.welcome(std::nullopt);
  if (!welcome || !welcome->accepted) return cannotWork;
  if (welcome->seal) writer.sealWith(*welcome->seal);
  startHeartbeat(writer, inbox);
  engine.warm([&](const Log& log) { (void)writer.send(Happened{log}); });
  if (options.judges) engine.expectStrict();

  while (true) {
    if (!inbox.isOrderedWithin(untilIdle)) engine.useIdleTime();
    if (!inbox.isOrderedWithin(guestsKept)) engine.endKeptGuests();
    std::optional<Order> order = inbox.next();
    if (!order) break;
    if (work(engine, *order, inbox, writer, pump)) {
      inbox.rest();
      engine.keepGuests();
      continue;
    }
    (void)writer.send(Bye{engine.spoiled() && !engine.poisoned()});
    return engine.poisoned() ? deviceLost : 0;
  }
  (void)writer.send(Bye{});
  return 0;
}

}  // namespace wb

// SPDX-License-Identifier: Apache-2.0
#include "core/runner/remote/near_end.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/base/files/file.h"
#include "core/base/process/keeper.h"
#include "core/base/quantity.h"
#include "core/protocol/message.h"
#include "core/runner/remote/far_end.h"
#include "core/runner/remote/far_order.h"
#include "core/runner/remote/files/carried_files.h"
#include "core/runner/remote/files/neighbours.h"
#include "core/runner/remote/link.h"
#include "core/runner/remote/near_link.h"
#include "core/runner/remote/ssh/bundle.h"
#include "core/runner/remote/streams.h"

namespace wb {
namespace {

using Clock = std::chrono::steady_clock;
using State = Elsewhere::State;
using std::chrono::milliseconds;

constexpr std::size_t mostWaiting = std::size_t{16} << 20;
constexpr milliseconds beatPeriod{1000}, firstPause{200}, longestPause{3000};
// From a kill to the word that it was done.
constexpr std::chrono::seconds longestFarewell{10};
constexpr milliseconds longestKill{1500};
constexpr int cannotWork = 3, wasLost = 75;

std::string drawnName() {
  std::random_device drawn;
  std::string name;
  for (int i = 0; i < 4; ++i) name += fmt::format("{:08x}", drawn());
  return name;
}

FarOrder orderOf(const NearOrder& order) {
  FarOrder far{drawnName(), true, order.wish, "", order.target.python, graceOf(order.target)};
  if (order.target.kind == TargetKind::slurm) far.cluster = format(seenThere(order.target));
  return far;
}

Clock::duration toDuration(double seconds) {
  return std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
}

class NearEnd {
 public:
  explicit NearEnd(const NearOrder& order)
      : far_(order.target, orderOf(order)), link_(far_.end()), host_(far_.host()) {
    ::prctl(PR_SET_PDEATHSIG, SIGQUIT);
    sigset_t signals;
    sigemptyset(&signals);
    for (const int signal : {SIGTERM, SIGQUIT, SIGUSR1}) sigaddset(&signals, signal);
    ::sigprocmask(SIG_BLOCK, &signals, nullptr);
    signals_ = ::signalfd(-1, &signals, SFD_NONBLOCK | SFD_CLOEXEC);
    std::signal(SIGPIPE, SIG_IGN);
    for (int i = 0; i < 3; ++i) setNonBlocking(i);
  }

  [[noreturn]] void serve() {
    const Result<Bundle> bundle = ownBundle();
    if (!bundle) refuse(bundle.error());
    hash_ = bundle->hash;
    begin(*bundle);
    while (true) {
      converse();
      comeBack();
    }
  }

 private:
  /// Makes the first connection, and copies the bundle where it is missing.
  void begin(const Bundle& bundle) {
    bool wasCopied = false, wasRetried = false;
    while (true) {
      open();
      if (awaitGreeting()) return;
      const int code = far_.close();
      if (code == missingBundle && !std::exchange(wasCopied, true))
        copy(bundle);
      else if (far_.mayPass(code) && !std::exchange(wasRetried, true))
        far_.forgetShared();  // the shared connection may be a dead one
      else
        refuse(far_.failure(code));
    }
  }

  void open() {
    if (const auto opened = far_.open(hash_); !opened) refuse(opened.error());
  }

  /// False where ssh ended before the far end spoke, or it did not speak in time.
  bool awaitGreeting() {
    const Clock::time_point before = Clock::now() + longestLinkStart;
    while (Clock::now() < before) {
      wait();
      const bool goes = turn();
      if (link_.isGreeted()) return true;
      if (!goes) return false;
    }
    far_.drop();
    return false;
  }

  /// Goes on until the connection is lost.
  void converse() {
    while (true) {
      wait();
      if (!turn() || far_.isSilent()) return;
    }
  }

  /// Makes new connections until one reaches the worker, or it must be taken for lost.
  void comeBack() {
    if (!lost_) lost_ = Clock::now();
    const double grace = far_.order().graceSeconds;
    far_.drop();
    far_.close();
    far_.forgetShared();
    far_.order().isNew = false;
    isAway_ = true;
    say(State::away, fmt::format("the connection to {} is lost; the worker goes on there for {}", host_,
                                 formatSeconds(grace)));
    milliseconds pause = firstPause;
    while (true) {
      open();
      if (awaitGreeting()) break;
      const int code = far_.close();
      if (code == farEndNoSession)
        leave(fmt::format("the connection to {} was lost, and the worker there has ended", host_));
      if (Clock::now() - *lost_ > toDuration(grace))
        leave(fmt::format("the connection to {} was lost and did not come back within {}: {}", host_,
                          formatSeconds(grace), far_.failure(code).text));
      const Clock::time_point next = Clock::now() + pause;
      while (Clock::now() < next) {
        wait(std::chrono::ceil<milliseconds>(next - Clock::now()));
        turn();
      }
      pause = std::min(pause * 2, longestPause);
    }
    lost_.reset();
    sayBack();
  }

  /// Said before anything that had to wait.
  void sayBack() {
    if (std::exchange(isAway_, false)) say(State::back, fmt::format("{} is in reach again", host_));
  }

  void wait(milliseconds limit = beatPeriod) {
    std::vector<pollfd> all{{signals_, POLLIN, 0}};
    if (inputOpen_ && link_.unconfirmed() < mostWaiting) all.push_back({0, POLLIN, 0});
    if (!output_.empty()) all.push_back({1, POLLOUT, 0});
    if (!errors_.empty()) all.push_back({2, POLLOUT, 0});
    far_.appendTo(all, output_.size() < mostWaiting);
    ::poll(all.data(), all.size(), static_cast<int>(std::min(limit, beatPeriod).count()));
  }

  /// Carries what there is to carry. False where the connection is at its end.
  bool turn() {
    readSignals();
    readInput();
    const Clock::time_point now = Clock::now();
    if (now >= nextBeat_) {
      nextBeat_ = now + beatPeriod;
      if (link_.isGreeted()) link_.say(LinkWord::beat);
      if (isAway_) say(State::away, "");
    }
    const bool goes = carry();
    writeOut(1, output_);
    writeOut(2, errors_);
    if (killBefore_ && now >= *killBefore_) endUnheard();
    return goes;
  }

  bool carry() {
    const bool goes = far_.hear();
    while (true) {
      Result<std::optional<LinkFrame>> frame = link_.next();
      if (!frame) refuse(frame.error());
      if (!*frame) break;
      take(**std::move(frame));
    }
    if (goes) far_.write();
    return goes;
  }

  void take(LinkFrame frame) {
    sayBack();
    switch (frame.word) {
      case LinkWord::output:
        return takeOutput(frame.text);
      case LinkWord::errors:
        errors_ += paths_.here(std::move(frame.text), false);
        return;
      case LinkWord::folder:
        folder_ = frame.text;
        return;
      case LinkWord::log:
        return keepLog(frame.text);
      case LinkWord::refused: {
        const std::size_t line = frame.text.find('\n');
        far_.write();
        refuse({Stage::setup, fmt::format("{}, on {}", frame.text.substr(0, line), host_),
                line == std::string::npos ? "" : frame.text.substr(line + 1)});
      }
      case LinkWord::ended: {
        const std::size_t blank = frame.text.find(' ');
        far_.write();                       // so that the other end knows that this was heard
        end(std::atoi(frame.text.c_str()),  // NOLINT(cert-err34-c)
            blank == std::string::npos ? 0 : std::atoi(frame.text.c_str() + blank));  // NOLINT(cert-err34-c)
      }
      default:
        return;
    }
  }

  /// Passes whole messages on, so that words of its own may stand between them; what only this end may say
  /// does not come from the worker.
  void takeOutput(const std::string& bytes) {
    worker_.feed(bytes);
    while (true) {
      const Result<std::optional<Frame>> frame = worker_.next();
      if (!frame) {
        output_ +=
            frame.error().text;  // which is no message either: the runner ends what breaks the protocol
        return;
      }
      if (!*frame) return;
      if (isElsewhere(**frame)) continue;
      Frame told = explainedThere(**frame);
      told.payload = paths_.here(std::move(told.payload), true);
      output_ += encode(told);
    }
  }

  /// The sanitizer's log there becomes the one that the runner reads here.
  void keepLog(const std::string& text) {
    const std::filesystem::path& file = far_.order().wish.sanitizerLog;
    if (const auto kept = writeFileAtomically(file, paths_.here(text, false)); !kept)
      errors_ += describe(kept.error()) + "\n";
  }

  /// What to do about a worker that cannot work is another thing on another machine.
  [[nodiscard]] Frame explainedThere(const Frame& frame) {
    if (isGreeted_) return frame;
    const auto message = fromFrame(frame);
    const Hello* hello = message && *message ? std::get_if<Hello>(&**message) : nullptr;
    isGreeted_ = hello != nullptr;
    if (hello == nullptr || hello->failure.empty()) return frame;
    Hello told = *hello;
    told.failure = fmt::format("{}, on {}", hello->failure, host_);
    told.hint = fmt::format("see `warpbench target test {}`", host_);
    return toFrame(told, frame.run);
  }

  void say(State state, const std::string& words) { output_ += encode(toFrame(Elsewhere{state, words})); }

  void readSignals() {
    signalfd_siginfo info{};
    while (::read(signals_, &info, sizeof info) == sizeof info) {
      const int signal = static_cast<int>(info.ssi_signo);
      if (signal != SIGQUIT) {
        link_.say(LinkWord::signal, std::to_string(signal));
        continue;
      }
      link_.say(LinkWord::signal, std::to_string(SIGKILL));
      if (!link_.isGreeted()) endUnheard();
      if (!killBefore_) killBefore_ = Clock::now() + longestKill;
    }
  }

  void readInput() {
    while (inputOpen_ && link_.unconfirmed() < mostWaiting) {
      std::optional<std::string> bytes = readSome(0);
      if (bytes && bytes->empty()) return;
      if (bytes) {
        takeInput(*bytes);
      } else {
        inputOpen_ = false;
        link_.say(LinkWord::close);
      }
    }
  }

  void takeInput(const std::string& bytes) {
    runner_.feed(bytes);
    while (true) {
      const Result<std::optional<Frame>> frame = runner_.next();
      if (!frame) refuse(frame.error());
      if (!*frame) return;
      link_.say(LinkWord::input, encode(withFiles(**frame)));
    }
  }

  /// What a job's kernels take in goes before it, once, and the job says where it is there.
  Frame withFiles(const Frame& frame) {
    const auto message = fromFrame(frame);
    const RunJob* run = message && *message ? std::get_if<RunJob>(&**message) : nullptr;
    if (run == nullptr || folder_.empty()) return frame;
    const auto files = neighboursOf(run->job);
    if (!files) {
      errors_ += describe(files.error()) + "\n";
      return frame;
    }
    if (files->empty()) return frame;
    const std::string hash = hashOf(*files);
    if (sent_.insert(hash).second) link_.say(LinkWord::files, packedFiles(*files));
    paths_ = PathsThere(folder_ + "/" + hash);
    return toFrame(RunJob{paths_.there(run->job)}, frame.run);
  }

  static void writeOut(int descriptor, std::string& bytes) {
    const auto written = writeSome(descriptor, bytes);
    bytes.erase(0, written.value_or(bytes.size()));
  }

  /// Writes what is left, for as long as somebody reads it.
  void flush() {
    const Clock::time_point before = Clock::now() + longestFarewell;
    while ((!output_.empty() || !errors_.empty()) && Clock::now() < before) {
      std::array<pollfd, 2> all{{{1, POLLOUT, 0}, {2, POLLOUT, 0}}};
      if (output_.empty()) all[0].fd = -1;
      if (errors_.empty()) all[1].fd = -1;
      ::poll(all.data(), all.size(), static_cast<int>(beatPeriod.count()));
      writeOut(1, output_);
      writeOut(2, errors_);
    }
  }

  /// Copies the bundle over the connection that is there.
  void copy(const Bundle& bundle) {
    Clock::time_point nextWord;
    const Result<void> copied = far_.copy(bundle, [&](std::size_t, std::size_t all) {
      readSignals();
      if (Clock::now() >= nextWord) {
        nextWord = Clock::now() + beatPeriod;
        say(State::waiting, fmt::format("copying Warpbench's programs to {}, once, {}", host_,
                                        formatBytes(static_cast<double>(all))));
      }
      writeOut(1, output_);
    });
    if (!copied) refuse(copied.error());
  }

  /// Says in the worker's place why there is none.
  [[noreturn]] void refuse(const Error& error) {
    Hello hello;
    hello.build = WB_VERSION;
    hello.target.device = far_.order().wish.device;
    hello.failure = error.text;
    hello.hint = error.hint;
    output_ += encode(toFrame(hello));
    flush();
    pollfd answer{0, POLLIN, 0};
    ::poll(&answer, 1, static_cast<int>(milliseconds(longestFarewell).count()));
    ::_exit(cannotWork);
  }

  /// The worker cannot be reached any more.
  [[noreturn]] void leave(const std::string& why) {
    say(State::gone, why);
    flush();
    ::_exit(wasLost);
  }

  /// Ends as the worker has ended.
  [[noreturn]] void end(int exitCode, int signal) {
    flush();
    // The far end goes once it knows that its last word was heard, and ssh with it.
    far_.leave();
    endAs(exitCode << 8 | signal);
  }

  /// Ends as a killed worker does, before the other side has said that it is gone. What is not heard there
  /// now is told there later, by a process of its own, so that nobody here waits and no GPU is held there.
  [[noreturn]] void endUnheard() {
    far_.drop();
    far_.close();
    if (link_.wasAnswered()) {
      const pid_t later = ::fork();
      if (later == 0) sayLater();
      // Whatever is still in this process's group is killed when it ends, so both see to it that it left.
      if (later > 0) ::setpgid(later, later);
    }
    end(0, SIGKILL);
  }

  /// Says what is left to be said once the other side is in reach again; it is lost when the worker must have
  /// ended there by itself.
  [[noreturn]] void sayLater() {
    ::setpgid(0, 0);
    const int nothing = ::open("/dev/null", O_RDWR | O_CLOEXEC);
    for (int i = 0; i < 3; ++i) ::dup2(nothing, i);
    inputOpen_ = false;
    killBefore_.reset();
    while (true) {
      comeBack();
      converse();
    }
  }

  NearLink far_;
  LinkEnd& link_;
  const std::string host_;
  /// The bundle's.
  std::string hash_;
  FrameDecoder worker_, runner_;
  /// Where files of kernels are kept there, the sets of them that it has, and the paths of the last job.
  std::string folder_;
  std::set<std::string> sent_;
  PathsThere paths_;
  int signals_ = -1;
  bool inputOpen_ = true, isAway_ = false;
  /// The worker has greeted.
  bool isGreeted_ = false;
  /// What goes to the runner.
  std::string output_, errors_;
  Clock::time_point nextBeat_;
  /// Since when there is no connection.
  std::optional<Clock::time_point> lost_;
  std::optional<Clock::time_point> killBefore_;
};

}  // namespace

void serveNearEnd(const NearOrder& order) {
  NearEnd(order).serve();
}

}  // namespace wb

// SPDX-License-Identifier: Apache-2.0
#include "core/runner/remote/near/near_end.h"

#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstddef>
#include <cstdlib>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "core/base/files/file.h"
#include "core/base/process/keeper.h"
#include "core/base/quantity.h"
#include "core/runner/remote/far_end.h"
#include "core/runner/remote/far_order.h"
#include "core/runner/remote/link.h"
#include "core/runner/remote/near/near_link.h"
#include "core/runner/remote/near/passing.h"
#include "core/runner/remote/near/runner_side.h"
#include "core/runner/remote/ssh/bundle.h"

namespace wb {
namespace {

using Clock = std::chrono::steady_clock;
using State = Elsewhere::State;
using std::chrono::milliseconds;

constexpr std::size_t mostWaiting = std::size_t{16} << 20;
constexpr milliseconds beatPeriod{1000}, firstPause{200}, longestPause{3000};
// From a kill to the word that it was done.
constexpr milliseconds longestKill{1500};
// From the word that there is no worker to the runner's answer.
constexpr milliseconds longestAnswer{10'000};
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

/// Joins three: the link to the worker there, the side to the runner here, and what passes between them. Its
/// own is the life of the connection: it is made, lost and made anew, and ends with the worker.
class NearEnd {
 public:
  explicit NearEnd(const NearOrder& order)
      : far_(order.target, orderOf(order)), link_(far_.end()), host_(far_.host()), passing_(host_) {}

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

  /// Tells the runner where the worker is.
  void say(State state, const std::string& words) { runner_.put(passing_.own(Elsewhere{state, words})); }

  /// Said before anything that had to wait.
  void sayBack() {
    if (std::exchange(isAway_, false)) say(State::back, fmt::format("{} is in reach again", host_));
  }

  void wait(milliseconds limit = beatPeriod) {
    std::vector<pollfd> all;
    runner_.appendTo(all, link_.unconfirmed() < mostWaiting);
    far_.appendTo(all, runner_.hasRoom());
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
    runner_.write();
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
        return runner_.put(passing_.here(frame.text));
      case LinkWord::errors:
        return runner_.putErrors(passing_.textHere(std::move(frame.text)));
      case LinkWord::folder:
        return passing_.keepFilesIn(frame.text);
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

  /// The sanitizer's log there becomes the one that the runner reads here.
  void keepLog(const std::string& text) {
    const std::filesystem::path& file = far_.order().wish.sanitizerLog;
    if (const auto kept = writeFileAtomically(file, passing_.textHere(text)); !kept)
      runner_.putErrors(describe(kept.error()) + "\n");
  }

  void readSignals() {
    for (const int signal : runner_.takeSignals()) {
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
    while (runner_.isInputOpen() && link_.unconfirmed() < mostWaiting) {
      const std::optional<std::string> bytes = runner_.read();
      if (!bytes) return link_.say(LinkWord::close);
      if (bytes->empty()) return;
      std::string errors;
      Result<std::vector<LinkFrame>> words = passing_.there(*bytes, errors);
      runner_.putErrors(errors);
      if (!words) refuse(words.error());
      for (LinkFrame& each : *words) link_.say(each.word, std::move(each.text));
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
      runner_.write();
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
    runner_.put(passing_.own(hello));
    runner_.flush();
    pollfd answer{0, POLLIN, 0};
    ::poll(&answer, 1, static_cast<int>(longestAnswer.count()));
    ::_exit(cannotWork);
  }

  /// The worker cannot be reached any more.
  [[noreturn]] void leave(const std::string& why) {
    say(State::gone, why);
    runner_.flush();
    ::_exit(wasLost);
  }

  /// Ends as the worker has ended.
  [[noreturn]] void end(int exitCode, int signal) {
    runner_.flush();
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
    runner_.leave();
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
  Passing passing_;
  RunnerSide runner_;
  bool isAway_ = false;
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

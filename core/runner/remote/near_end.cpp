// SPDX-License-Identifier: Apache-2.0
#include "core/runner/remote/near_end.h"

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
#include <optional>
#include <random>
#include <utility>

#include "core/base/process/keeper.h"
#include "core/base/quantity.h"
#include "core/protocol/message.h"
#include "core/runner/remote/far_end.h"
#include "core/runner/remote/far_order.h"
#include "core/runner/remote/link.h"
#include "core/runner/remote/ssh/bundle.h"
#include "core/runner/remote/ssh/ssh_call.h"
#include "core/runner/remote/ssh/ssh_command.h"
#include "core/runner/remote/streams.h"

namespace wb {
namespace {

using Clock = std::chrono::steady_clock;
using State = Elsewhere::State;
using std::chrono::milliseconds;

constexpr double standardGrace = 60;
constexpr std::size_t mostWaiting = std::size_t{16} << 20, mostSaid = std::size_t{8} << 10;
constexpr milliseconds beatPeriod{1000}, firstPause{200}, longestPause{3000};
// From the start of ssh to the first word of the other end, and from a kill to the word that it was done.
constexpr std::chrono::seconds longestStart{25}, longestFarewell{10};
constexpr milliseconds longestKill{1500}, longestGoing{500};
constexpr int cannotWork = 3, wasLost = 75, sshFailed = 255;

std::string drawnName() {
  std::random_device drawn;
  std::string name;
  for (int i = 0; i < 4; ++i) name += fmt::format("{:08x}", drawn());
  return name;
}

Clock::duration toDuration(double seconds) {
  return std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
}

class NearEnd {
 public:
  explicit NearEnd(const NearOrder& order)
      : target_(order.target), host_(titleOf(order.target)), sockets_(sshSockets()) {
    far_.session = drawnName();
    far_.wish = order.wish;
    far_.python = target_.python;
    far_.graceSeconds = graceOf(target_);
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
    begin(*bundle);
    while (true) {
      converse();
      comeBack(bundle->hash);
    }
  }

 private:
  /// Makes the first connection, and copies the bundle where it is missing.
  void begin(const Bundle& bundle) {
    bool wasCopied = false, wasRetried = false;
    while (true) {
      connect(bundle.hash);
      if (awaitGreeting()) return;
      const int code = endOfSsh();
      const bool mayPass = code == 0 || (code == sshFailed && sshFailure(host_, said_).mayPass);
      if (code == missingBundle && !std::exchange(wasCopied, true))
        copy(bundle);
      else if (mayPass && !std::exchange(wasRetried, true))
        sockets_.clear();  // the shared connection may be a dead one
      else
        refuse(failure(code));
    }
  }

  Error failure(int code) {
    if (!link_.banner().empty()) said_ = link_.banner() + "\n" + said_;
    if (code == 0)
      return {Stage::setup,
              fmt::format("{} did not start a worker: it said nothing for {}", host_,
                          formatSeconds(std::chrono::duration<double>(longestStart).count())),
              "try ssh in a terminal: a login that asks something cannot be used"};
    return code == sshFailed ? explained(sshFailure(host_, said_)) : unpackError(host_, code, said_);
  }

  void connect(const std::string& hash) {
    said_.clear();
    sshSpeaks_ = true;
    Result<Child> ssh = Child::start({.argv = sshCommand(target_, sockets_)});
    if (!ssh)
      refuse({Stage::setup, ssh.error().text, "install OpenSSH's client (openssh-client) on this machine"});
    ssh_.emplace(*std::move(ssh));
    for (const int descriptor : {ssh_->input(), ssh_->output(), ssh_->errors()}) setNonBlocking(descriptor);
    toSsh_ = startScript(target_, hash, "--far") + "\n" + text(far_) + "\n";
    link_.connect();
    heard_ = Clock::now();
  }

  /// False where ssh ended before the far end spoke, or it did not speak in time.
  bool awaitGreeting() {
    const Clock::time_point before = Clock::now() + longestStart;
    while (Clock::now() < before) {
      wait();
      const bool goes = turn();
      if (link_.isGreeted()) return true;
      if (!goes) return false;
    }
    ssh_->kill(SIGKILL);
    return false;
  }

  /// How ssh ended; 0 where it was ended here.
  int endOfSsh() {
    const auto [ended, how] = ssh_->wait(milliseconds{2000});
    while (const auto more = readSome(ssh_->errors())) {
      if (more->empty()) break;
      keepSaid(*more);
    }
    ssh_.reset();
    link_.disconnect();
    return ended && how.signal == 0 ? how.exitCode : 0;
  }

  /// Goes on until the connection is lost.
  void converse() {
    while (true) {
      wait();
      if (!turn() || Clock::now() - heard_ > toDuration(linkSilenceSeconds)) return;
    }
  }

  /// Makes new connections until one reaches the worker, or it must be taken for lost.
  void comeBack(const std::string& hash) {
    const Clock::time_point lost = Clock::now();
    ssh_->kill(SIGKILL);
    endOfSsh();
    // What had carried the connection is not trusted with the next one.
    sockets_.clear();
    far_.isNew = false;
    isAway_ = true;
    say(State::away, fmt::format("the connection to {} is lost; the worker goes on there for {}", host_,
                                 formatSeconds(far_.graceSeconds)));
    milliseconds pause = firstPause;
    while (true) {
      connect(hash);
      if (awaitGreeting()) break;
      const int code = endOfSsh();
      if (code == farEndNoSession)
        leave(fmt::format("the connection to {} was lost, and the worker there has ended", host_));
      if (Clock::now() - lost > toDuration(far_.graceSeconds))
        leave(fmt::format("the connection to {} was lost and did not come back within {}: {}", host_,
                          formatSeconds(far_.graceSeconds), failure(code).text));
      const Clock::time_point next = Clock::now() + pause;
      while (Clock::now() < next) {
        wait(std::chrono::ceil<milliseconds>(next - Clock::now()));
        turn();
      }
      pause = std::min(pause * 2, longestPause);
    }
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
    if (ssh_) {
      all.push_back({ssh_->pidfd(), POLLIN, 0});
      if (output_.size() < mostWaiting) all.push_back({ssh_->output(), POLLIN, 0});
      if (sshSpeaks_) all.push_back({ssh_->errors(), POLLIN, 0});
      if (!toSsh_.empty() || !link_.unwritten().empty()) all.push_back({ssh_->input(), POLLOUT, 0});
    }
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
    const bool goes = ssh_ && carry();
    writeOut(1, output_);
    writeOut(2, errors_);
    if (killBefore_ && now >= *killBefore_) end(0, SIGKILL);
    return goes;
  }

  bool carry() {
    const bool ended = ssh_->wait(milliseconds{0}).first;
    if (auto more = readSome(ssh_->errors()); more && !more->empty())
      keepSaid(*more);
    else if (!more)
      sshSpeaks_ = false;
    std::optional<std::string> bytes;
    do {
      bytes = readSome(ssh_->output());
      if (bytes && !bytes->empty()) {
        heard_ = Clock::now();
        link_.feed(*bytes);
      }
    } while (ended && bytes && !bytes->empty());
    while (true) {
      Result<std::optional<LinkFrame>> frame = link_.next();
      if (!frame) refuse(frame.error());
      if (!*frame) break;
      take(**std::move(frame));
    }
    if (ended || !bytes) return false;
    return write();
  }

  bool write() {
    const auto ordered = writeSome(ssh_->input(), toSsh_);
    if (!ordered) return true;  // how ssh ended says why
    toSsh_.erase(0, *ordered);
    if (!toSsh_.empty()) return true;
    if (const auto written = writeSome(ssh_->input(), link_.unwritten())) link_.wrote(*written);
    return true;
  }

  void take(LinkFrame frame) {
    sayBack();
    switch (frame.word) {
      case LinkWord::output:
        return takeOutput(frame.text);
      case LinkWord::errors:
        errors_ += frame.text;
        return;
      case LinkWord::refused: {
        const std::size_t line = frame.text.find('\n');
        write();
        refuse({Stage::setup, fmt::format("{}, on {}", frame.text.substr(0, line), host_),
                line == std::string::npos ? "" : frame.text.substr(line + 1)});
      }
      case LinkWord::ended: {
        const std::size_t blank = frame.text.find(' ');
        write();                            // so that the other end knows that this was heard
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
      if (!isElsewhere(**frame)) output_ += encode(explainedThere(**frame));
    }
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
      if (!link_.isGreeted()) end(0, SIGKILL);
      link_.say(LinkWord::signal, std::to_string(SIGKILL));
      if (!killBefore_) killBefore_ = Clock::now() + longestKill;
    }
  }

  void readInput() {
    while (inputOpen_ && link_.unconfirmed() < mostWaiting) {
      std::optional<std::string> bytes = readSome(0);
      if (bytes && bytes->empty()) return;
      if (bytes) {
        link_.say(LinkWord::input, *std::move(bytes));
      } else {
        inputOpen_ = false;
        link_.say(LinkWord::close);
      }
    }
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

  void keepSaid(const std::string& more) {
    said_ += more;
    if (said_.size() > mostSaid) said_.erase(0, said_.size() - mostSaid);
  }

  /// Copies the bundle over the connection that is there.
  void copy(const Bundle& bundle) {
    Clock::time_point nextWord;
    const Result<void> copied = copyBundle(target_, sockets_, bundle, [&](std::size_t, std::size_t all) {
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
    ssh_.reset();
    Hello hello;
    hello.build = WB_VERSION;
    hello.target.device = far_.wish.device;
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
    if (ssh_) {
      ssh_->closeInput();
      ssh_->wait(longestGoing);
    }
    ssh_.reset();
    endAs(exitCode << 8 | signal);
  }

  RunTarget target_;
  const std::string host_;
  std::filesystem::path sockets_;
  FarOrder far_;
  LinkEnd link_;
  std::optional<Child> ssh_;
  FrameDecoder worker_;
  int signals_ = -1;
  bool inputOpen_ = true, sshSpeaks_ = true, isAway_ = false;
  /// The worker has greeted.
  bool isGreeted_ = false;
  /// What ssh is given before the link begins; what goes to the runner; what ssh last said.
  std::string toSsh_, output_, errors_, said_;
  Clock::time_point heard_, nextBeat_;
  std::optional<Clock::time_point> killBefore_;
};

}  // namespace

double graceOf(const RunTarget& target) {
  const std::string text(optionOf(target, "grace"));
  if (text.empty()) return standardGrace;
  return std::strtod(text.c_str(), nullptr);
}

std::vector<std::string> nearArguments(const RunTarget& target, const WorkerWish& wish) {
  std::vector<std::string> arguments{"--near", format(target), wish.device};
  if (wish.python) arguments.emplace_back("--in-python");
  if (wish.walls) arguments.push_back(fmt::format("--walls={}", wish.walls->run));
  return arguments;
}

Result<NearOrder> nearOrderFrom(const std::vector<std::string>& arguments) {
  if (arguments.size() < 3) return Error{Stage::setup, "a target and a device are wanted"};
  NearOrder order;
  WB_TRY(order.target, parseTarget(arguments[1]));
  order.wish.device = arguments[2];
  for (const std::string& option : arguments) {
    constexpr std::string_view walls = "--walls=";
    if (option == "--in-python") order.wish.python = true;
    if (option.starts_with(walls))
      order.wish.walls =
          WallWish{static_cast<std::uint32_t>(std::strtoul(option.c_str() + walls.size(), nullptr, 10)), {}};
  }
  return order;
}

void serveNearEnd(const NearOrder& order) {
  NearEnd(order).serve();
}

}  // namespace wb

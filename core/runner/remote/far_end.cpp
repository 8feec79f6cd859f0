// SPDX-License-Identifier: Apache-2.0
#include "core/runner/remote/far_end.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <optional>
#include <system_error>
#include <utility>
#include <vector>

#include "core/base/files/file.h"
#include "core/base/files/paths.h"
#include "core/base/process/process.h"
#include "core/runner/remote/far_order.h"
#include "core/runner/remote/files/carried_files.h"
#include "core/runner/remote/link.h"
#include "core/runner/remote/streams.h"

namespace wb {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr std::size_t longestOrder = std::size_t{64} << 10;
// So much may wait for a connection; then the worker waits too.
constexpr std::size_t mostWaiting = std::size_t{16} << 20;
constexpr milliseconds beatPeriod{1000};
constexpr std::size_t longestWord = std::size_t{16} << 10;
constexpr std::size_t longestLog = std::size_t{64} << 20;

Clock::duration toDuration(double seconds) {
  return std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
}

/// The address of a session. It is no file: nothing is left of it when its process ends, and it needs no
/// disk.
std::pair<sockaddr_un, socklen_t> addressOf(const std::string& session) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  const std::string name = "warpbench-" + session;
  std::memcpy(address.sun_path + 1, name.data(), name.size());
  return {address, static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + name.size())};
}

bool isOurUser(int socket) {
  ucred who{};
  socklen_t size = sizeof who;
  return ::getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &who, &size) == 0 && who.uid == ::getuid();
}

/// Room for two descriptors beside a message.
union Envelope {
  cmsghdr header;
  std::array<char, CMSG_SPACE(2 * sizeof(int))> bytes;
};

msghdr messageWith(iovec& content, Envelope& envelope) {
  msghdr message{};
  message.msg_iov = &content;
  message.msg_iovlen = 1;
  message.msg_control = envelope.bytes.data();
  message.msg_controllen = envelope.bytes.size();
  return message;
}

bool sendDescriptors(int socket, std::array<int, 2> descriptors) {
  char byte = 0;
  iovec content{&byte, 1};
  Envelope envelope{};
  msghdr message = messageWith(content, envelope);
  cmsghdr* part = CMSG_FIRSTHDR(&message);
  part->cmsg_level = SOL_SOCKET;
  part->cmsg_type = SCM_RIGHTS;
  part->cmsg_len = CMSG_LEN(sizeof descriptors);
  std::memcpy(CMSG_DATA(part), descriptors.data(), sizeof descriptors);
  return ::sendmsg(socket, &message, MSG_NOSIGNAL) == 1;
}

std::optional<std::array<int, 2>> receiveDescriptors(int socket) {
  char byte = 0;
  iovec content{&byte, 1};
  Envelope envelope{};
  msghdr message = messageWith(content, envelope);
  if (::recvmsg(socket, &message, MSG_CMSG_CLOEXEC) != 1) return std::nullopt;
  const cmsghdr* part = CMSG_FIRSTHDR(&message);
  if (part == nullptr || part->cmsg_type != SCM_RIGHTS ||
      part->cmsg_len != CMSG_LEN(sizeof(std::array<int, 2>)))
    return std::nullopt;
  std::array<int, 2> descriptors{};
  std::memcpy(descriptors.data(), CMSG_DATA(part), sizeof descriptors);
  return descriptors;
}

/// A worker and the link to whoever wanted it, in a process that outlives the link's connections.
class Session {
 public:
  Session(Child child, int listening, double graceSeconds)
      : child_(std::move(child)),
        listening_(listening),
        grace_(toDuration(graceSeconds)),
        alone_(Clock::now()) {
    for (const int descriptor : {child_.input(), child_.output(), child_.errors()})
      setNonBlocking(descriptor);
  }

  /// Where files of kernels are kept, and where the worker's sanitizer writes; "" nowhere.
  void keep(const std::filesystem::path& files, const std::filesystem::path& sanitizerLog) {
    files_ = files;
    sanitizerLog_ = sanitizerLog;
    if (!files_.empty()) link_.say(LinkWord::folder, files_.string());
  }

  /// `waiting` is closed when the connection is given up, which ends the process that made it.
  void connect(int in, int out, int waiting) {
    disconnect();
    connection_ = {in, out, waiting};
    setNonBlocking(in);
    setNonBlocking(out);
    link_.connect();
    heard_ = Clock::now();
  }

  /// Serves until the worker has ended and the near end knows, or has been away for too long.
  void serve() {
    while (true) {
      wait();
      const Clock::time_point now = Clock::now();
      acceptConnection();
      if (connection_) hear(now);
      if (!hasEnded_) hearWorker();
      if (now >= nextBeat_) {
        nextBeat_ = now + beatPeriod;
        if (connection_) link_.say(LinkWord::beat);
      }
      writeAll();
      if (connection_ && now - heard_ > toDuration(linkSilenceSeconds)) disconnect();
      if (hasEnded_ && link_.unconfirmed() == 0) return;
      if (!connection_ && (!link_.wasAnswered() || now - alone_ > grace_)) return;
    }
  }

 private:
  struct Connection {
    int in = -1, out = -1, waiting = -1;
  };

  void disconnect() {
    if (!connection_) return;
    for (const int descriptor : {connection_->in, connection_->out, connection_->waiting})
      ::close(descriptor);
    connection_.reset();
    link_.disconnect();
    alone_ = Clock::now();
  }

  void wait() {
    std::vector<pollfd> all{{listening_, POLLIN, 0}};
    if (connection_) {
      all.push_back({connection_->in, POLLIN, 0});
      if (!link_.unwritten().empty()) all.push_back({connection_->out, POLLOUT, 0});
    }
    if (!hasEnded_) {
      all.push_back({child_.pidfd(), POLLIN, 0});
      if (mayHear()) {
        if (outputOpen_) all.push_back({child_.output(), POLLIN, 0});
        if (errorsOpen_) all.push_back({child_.errors(), POLLIN, 0});
      }
      if (!input_.empty() && child_.input() >= 0) all.push_back({child_.input(), POLLOUT, 0});
    }
    ::poll(all.data(), all.size(), static_cast<int>(beatPeriod.count()));
  }

  void acceptConnection() {
    const int socket = ::accept4(listening_, nullptr, nullptr, SOCK_CLOEXEC);
    if (socket < 0) return;
    const auto given = isOurUser(socket) ? receiveDescriptors(socket) : std::nullopt;
    if (given)
      connect((*given)[0], (*given)[1], socket);
    else
      ::close(socket);
  }

  void hear(Clock::time_point now) {
    const std::optional<std::string> bytes = readSome(connection_->in);
    if (bytes && !bytes->empty()) {
      heard_ = now;
      link_.feed(*bytes);
    }
    while (true) {
      Result<std::optional<LinkFrame>> frame = link_.next();
      if (!frame) return disconnect();
      if (!*frame) break;
      take(**std::move(frame));
    }
    if (!bytes) disconnect();
  }

  void take(LinkFrame frame) {
    if (frame.word == LinkWord::input) {
      input_ += frame.text;
    } else if (frame.word == LinkWord::files) {
      store(frame.text);
    } else if (frame.word == LinkWord::close) {
      inputEnds_ = true;
    } else if (frame.word == LinkWord::signal) {
      const int signal = std::atoi(frame.text.c_str());  // NOLINT(cert-err34-c): no number is no signal
      if (signal == SIGUSR1)
        child_.killOrphans();
      else if (signal > 0)
        child_.kill(signal);
    }
  }

  /// Where they cannot be kept, the compiler's errors about missing files follow this.
  void store(const std::string& text) {
    const auto files = unpackedFiles(text);
    const auto stored = files ? storeFiles(*files, files_) : Result<void>(files.error());
    if (!stored)
      link_.say(LinkWord::errors,
                fmt::format("the files beside a kernel are missing there: {}\n", describe(stored.error())));
  }

  void sayLog() {
    if (sanitizerLog_.empty()) return;
    link_.say(LinkWord::log, readFile(sanitizerLog_, longestLog).value_or(""));
    std::error_code ignored;
    std::filesystem::remove(sanitizerLog_, ignored);
  }

  [[nodiscard]] bool mayHear() const { return link_.unconfirmed() < mostWaiting; }

  /// Reads what the worker has written, once or until there is no more.
  void pump(int descriptor, bool& isOpen, LinkWord word, bool all) {
    while (isOpen) {
      std::optional<std::string> bytes = readSome(descriptor);
      if (!bytes) isOpen = false;
      if (!bytes || bytes->empty()) return;
      // What a connection is too short for comes again whole on the next one, so words are small.
      for (std::size_t at = 0; at < bytes->size(); at += longestWord)
        link_.say(word, bytes->substr(at, longestWord));
      if (!all) return;
    }
  }

  void hearWorker() {
    // This is asked before reading: what an ended process had written is all there then.
    const auto [ended, how] = child_.wait(milliseconds{0});
    if (ended || mayHear()) {
      pump(child_.errors(), errorsOpen_, LinkWord::errors, ended);
      pump(child_.output(), outputOpen_, LinkWord::output, ended);
    }
    if (ended) {
      hasEnded_ = true;
      sayLog();
      link_.say(LinkWord::ended, fmt::format("{} {}", how.exitCode, how.signal));
      return;
    }
    if (child_.input() < 0) return;
    const auto written = writeSome(child_.input(), input_);
    input_.erase(0, written.value_or(input_.size()));
    if (!written || (input_.empty() && inputEnds_)) child_.closeInput();
  }

  void writeAll() {
    if (!connection_) return;
    const auto written = writeSome(connection_->out, link_.unwritten());
    if (!written) return disconnect();
    link_.wrote(*written);
  }

  Child child_;
  LinkEnd link_;
  std::filesystem::path files_, sanitizerLog_;
  const int listening_;
  const Clock::duration grace_;
  std::optional<Connection> connection_;
  /// What the worker has not read yet.
  std::string input_;
  bool inputEnds_ = false, outputOpen_ = true, errorsOpen_ = true, hasEnded_ = false;
  /// Since when there is no connection, and when something last came on it.
  Clock::time_point alone_, heard_, nextBeat_;
};

/// Says over a link of its own why no worker was started, and waits until that was heard.
void refuse(const Error& error) {
  LinkEnd link;
  link.connect();
  link.say(LinkWord::refused, error.text + "\n" + error.hint);
  const auto before = Clock::now() + toDuration(linkSilenceSeconds);
  while (link.unconfirmed() > 0 && Clock::now() < before) {
    const auto written = writeSome(1, link.unwritten());
    if (!written) return;
    link.wrote(*written);
    pollfd in{0, POLLIN, 0};
    if (::poll(&in, 1, static_cast<int>(beatPeriod.count())) <= 0) continue;
    const auto bytes = readSome(0);
    if (!bytes) return;
    link.feed(*bytes);
    if (!link.next()) return;
  }
}

/// Where files of kernels are kept; "" where nothing can be written.
std::filesystem::path filesFolder() {
  const std::filesystem::path folder = cacheFolder() / "sources";
  std::error_code failed;
  std::filesystem::create_directories(folder, failed);
  return failed ? std::filesystem::path() : folder;
}

/// The session's process. Its standard error leads nowhere, since the login that it came from may be gone.
void serveSession(const FarOrder& order, const MakeLauncher& makeLauncher, int listening, int waiting) {
  // It lives as long as the worker: it holds the folder in which a worker inside walls writes.
  FarOrder own = order;
  own.python = atHome(order.python);
  const Result<std::unique_ptr<Launcher>> launcher = makeLauncher(own);
  if (!launcher) return refuse(launcher.error());
  const std::filesystem::path files = filesFolder();
  WorkerWish wish = order.wish;
  if (wish.walls && !files.empty()) wish.walls->readable.push_back(files.string());
  if (!wish.sanitizer.empty()) wish.sanitizerLog = (*launcher)->newSanitizerLog();
  Result<Child> child = (*launcher)->launch(wish);
  if (!child) return refuse(child.error());
  std::array<int, 2> connection{};
  for (int i = 0; i < 2; ++i) connection[static_cast<std::size_t>(i)] = ::fcntl(i, F_DUPFD_CLOEXEC, 3);
  const int nothing = ::open("/dev/null", O_RDWR | O_CLOEXEC);
  for (int i = 0; i < 3; ++i) ::dup2(nothing, i);
  Session session(*std::move(child), listening, order.graceSeconds);
  session.keep(files, wish.sanitizerLog);
  session.connect(connection[0], connection[1], waiting);
  session.serve();
}

/// Waits until the other end of a socket or pipe is closed; a login must not end before its connection.
void awaitClosed(int descriptor) {
  const int nothing = ::open("/dev/null", O_RDWR | O_CLOEXEC);
  for (int i = 0; i < 2; ++i) ::dup2(nothing, i);
  char byte = 0;
  while (::read(descriptor, &byte, 1) < 0 && errno == EINTR) {
  }
}

int begin(const FarOrder& order, const MakeLauncher& makeLauncher) {
  const int listening = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  const auto [address, size] = addressOf(order.session);
  std::array<int, 2> ends{};
  if (::bind(listening, reinterpret_cast<const sockaddr*>(&address), size) != 0 ||
      ::listen(listening, 4) != 0 || ::pipe2(ends.data(), O_CLOEXEC) != 0) {
    refuse({Stage::setup, fmt::format("no session can be made there: {}", std::strerror(errno)),
            "see whether the system there has room for more processes"});
    return farEndNoOrder;
  }
  const pid_t session = ::fork();
  if (session == 0) {
    ::close(ends[0]);
    ::setsid();
    serveSession(order, makeLauncher, listening, ends[1]);
    ::_exit(0);
  }
  ::close(ends[1]);
  ::close(listening);
  if (session < 0) {
    refuse({Stage::setup, "no process can be started there", "see whether there is room for more processes"});
    return farEndNoOrder;
  }
  awaitClosed(ends[0]);
  return 0;
}

int join(const FarOrder& order) {
  const int socket = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const auto [address, size] = addressOf(order.session);
  if (::connect(socket, reinterpret_cast<const sockaddr*>(&address), size) != 0 || !isOurUser(socket) ||
      !sendDescriptors(socket, {0, 1}))
    return farEndNoSession;
  awaitClosed(socket);
  return 0;
}

}  // namespace

int serveFarEnd(const MakeLauncher& makeLauncher) {
  std::signal(SIGPIPE, SIG_IGN);
  const std::optional<std::string> line = readLine(0, longestOrder);
  const Result<FarOrder> order = farOrderFrom(line.value_or(""));
  if (!order) return farEndNoOrder;
  return order->isNew ? begin(*order, makeLauncher) : join(*order);
}

}  // namespace wb

// SPDX-License-Identifier: Apache-2.0
#include "core/service/http/server/connection.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <openssl/err.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <tuple>
#include <utility>

namespace wb {
namespace {

constexpr std::size_t pieceBytes = 16 << 10;
/// A client that takes fewer bytes a second than this holds a connection for nothing.
constexpr std::size_t slowestBytesPerSecond = 16 << 10;
/// How long and how much of what a refused client still sends is read, so that it can read the refusal.
constexpr std::chrono::milliseconds lingering{1'000};
constexpr std::size_t mostLingering = 4 << 20;

std::pair<std::string, int> peerOf(int socket) {
  sockaddr_storage storage{};
  socklen_t length = sizeof storage;
  if (::getpeername(socket, reinterpret_cast<sockaddr*>(&storage), &length) != 0) return {"unknown", 0};
  std::array<char, INET6_ADDRSTRLEN> text{};
  if (storage.ss_family == AF_INET6) {
    const auto* six = reinterpret_cast<const sockaddr_in6*>(&storage);
    ::inet_ntop(AF_INET6, &six->sin6_addr, text.data(), text.size());
    return {text.data(), ntohs(six->sin6_port)};
  }
  const auto* four = reinterpret_cast<const sockaddr_in*>(&storage);
  ::inet_ntop(AF_INET, &four->sin_addr, text.data(), text.size());
  return {text.data(), ntohs(four->sin_port)};
}

int millisecondsUntil(std::chrono::steady_clock::time_point until) {
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(until - std::chrono::steady_clock::now());
  return static_cast<int>(std::clamp<std::int64_t>(left.count(), 0, 1'000'000));
}

}  // namespace

Connection::Connection(int socket, int stop, const RequestLimits& limits, SSL_CTX* context)
    : socket_(socket), stop_(stop), limits_(limits), tls_(nullptr, SSL_free) {
  ::fcntl(socket_, F_SETFL, ::fcntl(socket_, F_GETFL) | O_NONBLOCK);
  const int yes = 1;
  ::setsockopt(socket_, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
  std::tie(address_, port_) = peerOf(socket_);
  if (context == nullptr) return;
  tls_.reset(SSL_new(context));
  if (tls_) SSL_set_fd(tls_.get(), socket_);
}

Connection::~Connection() {
  ::close(socket_);
}

bool Connection::await(short what, Clock::time_point until, bool alsoStop) const {
  for (;;) {
    std::array<pollfd, 2> wanted{pollfd{socket_, what, 0}, pollfd{stop_, POLLIN, 0}};
    const int ready = ::poll(wanted.data(), alsoStop ? 2 : 1, millisecondsUntil(until));
    if (ready < 0 && errno == EINTR) continue;
    if (ready <= 0) return false;
    return wanted[0].revents != 0;
  }
}

short Connection::wish(int result) const {
  switch (SSL_get_error(tls_.get(), result)) {
    case SSL_ERROR_WANT_READ:
      return POLLIN;
    case SSL_ERROR_WANT_WRITE:
      return POLLOUT;
    default:
      return 0;
  }
}

bool Connection::shakeHands() {
  if (!tls_) return true;
  const auto until = Clock::now() + limits_.toSend;
  for (;;) {
    ERR_clear_error();
    const int result = SSL_accept(tls_.get());
    if (result == 1) return true;
    const short wanted = wish(result);
    if (wanted == 0 || !await(wanted, until, true)) return false;
  }
}

Connection::Moved Connection::receive(char* bytes, std::size_t size, std::size_t& got,
                                      Clock::time_point until, bool alsoStop) {
  for (;;) {
    short wanted = POLLIN;
    if (tls_) {
      ERR_clear_error();
      const int result = SSL_read_ex(tls_.get(), bytes, size, &got);
      if (result == 1) return Moved::some;
      wanted = wish(result);
      if (wanted == 0) return Moved::ended;
    } else {
      const ssize_t result = ::recv(socket_, bytes, size, 0);
      if (result > 0) {
        got = static_cast<std::size_t>(result);
        return Moved::some;
      }
      if (result == 0 || (errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR)) return Moved::ended;
    }
    if (!await(wanted, until, alsoStop)) return Clock::now() >= until ? Moved::late : Moved::ended;
  }
}

bool Connection::send(const char* bytes, std::size_t size, Clock::time_point until) {
  while (size > 0) {
    std::size_t sent = 0;
    short wanted = POLLOUT;
    if (tls_) {
      ERR_clear_error();
      const int result = SSL_write_ex(tls_.get(), bytes, size, &sent);
      if (result != 1) {
        wanted = wish(result);
        if (wanted == 0) return false;
      }
    } else {
      const ssize_t result = ::send(socket_, bytes, size, MSG_NOSIGNAL);
      if (result > 0)
        sent = static_cast<std::size_t>(result);
      else if (errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR)
        return false;
    }
    bytes += sent;
    size -= sent;
    written_ += sent;
    if (sent == 0 && !await(wanted, until, false)) return false;
  }
  return true;
}

HeadState Connection::awaitHead() {
  buffer_.erase(0, at_);
  at_ = headEnd_ = 0;
  bodyLeft_ = limits_.bodyBytes;
  auto until = Clock::now() + (buffer_.empty() ? limits_.idle : limits_.toSend);
  for (std::size_t searched = 0;;) {
    const std::size_t end = buffer_.find("\r\n\r\n", searched);
    if (end != std::string::npos) {
      headEnd_ = end + 4;
      if (headEnd_ > limits_.headBytes) return HeadState::tooLarge;
      deadline_ = Clock::now() + limits_.toSend;
      return HeadState::whole;
    }
    if (buffer_.size() > limits_.headBytes) return HeadState::tooLarge;
    searched = buffer_.size() < 3 ? 0 : buffer_.size() - 3;
    const bool isFirst = buffer_.empty();
    const std::size_t before = buffer_.size();
    buffer_.resize(before + pieceBytes);
    std::size_t got = 0;
    const Moved moved = receive(buffer_.data() + before, pieceBytes, got, until, true);
    buffer_.resize(before + got);
    if (moved == Moved::late) return isFirst ? HeadState::closed : HeadState::late;
    if (moved == Moved::ended) return HeadState::closed;
    if (isFirst) until = Clock::now() + limits_.toSend;
  }
}

std::string_view Connection::firstLine() const {
  const std::string_view head(buffer_);
  return head.substr(0, std::min({head.find('\r'), head.find('?'), std::size_t{256}}));
}

bool Connection::isThere() const {
  pollfd look{socket_, POLLRDHUP, 0};
  return ::poll(&look, 1, 0) <= 0 || look.revents == 0;
}

bool Connection::isWanted() const {
  pollfd look{stop_, POLLIN, 0};
  return isThere() && ::poll(&look, 1, 0) <= 0;
}

ssize_t Connection::read(char* bytes, size_t size) {
  if (overLimit_ || size == 0) return -1;
  // The head is in the buffer; what follows it counts as body.
  if (at_ < buffer_.size()) {
    std::size_t count = std::min(size, buffer_.size() - at_);
    if (at_ < headEnd_)
      count = std::min(count, headEnd_ - at_);
    else
      count = std::min(count, bodyLeft_), bodyLeft_ -= count;
    if (count == 0) overLimit_ = true;
    std::memcpy(bytes, buffer_.data() + at_, count);
    at_ += count;
    return count == 0 ? -1 : static_cast<ssize_t>(count);
  }
  // Chunks have lines of their own around them, which are read one byte at a time: the buffer spares calls.
  buffer_.clear();
  at_ = headEnd_ = 0;
  if (bodyLeft_ == 0) {
    overLimit_ = true;
    return -1;
  }
  buffer_.resize(pieceBytes);
  std::size_t got = 0;
  const Moved moved = receive(buffer_.data(), buffer_.size(), got, deadline_, false);
  buffer_.resize(got);
  if (moved == Moved::late) overLimit_ = true;
  if (moved != Moved::some) return moved == Moved::ended ? 0 : -1;
  return read(bytes, size);
}

ssize_t Connection::write(const char* bytes, size_t size) {
  const auto until =
      Clock::now() + limits_.toTake + std::chrono::milliseconds(1000 * size / slowestBytesPerSecond);
  return send(bytes, size, until) ? static_cast<ssize_t>(size) : -1;
}

void Connection::say(int status, std::string_view reason, std::string_view body,
                     std::string_view moreHeaders) {
  const std::string text = fmt::format(
      "HTTP/1.1 {} {}\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: "
      "{}\r\n{}\r\n{}",
      status, reason, body.size(), moreHeaders, body);
  write(text.data(), text.size());
}

void Connection::end() {
  if (tls_ && SSL_is_init_finished(tls_.get()) == 1) SSL_shutdown(tls_.get());
  ::shutdown(socket_, SHUT_WR);
  const auto until = Clock::now() + lingering;
  std::array<char, pieceBytes> bytes{};
  for (std::size_t taken = 0; taken < mostLingering;) {
    if (!await(POLLIN, until, true)) return;
    const ssize_t got = ::recv(socket_, bytes.data(), bytes.size(), 0);
    if (got <= 0) return;
    taken += static_cast<std::size_t>(got);
  }
}

void Connection::get_remote_ip_and_port(std::string& ip, int& port) const {
  ip = address_;
  port = port_;
}

void Connection::get_local_ip_and_port(std::string& ip, int& port) const {
  ip.clear();
  port = 0;
}

}  // namespace wb

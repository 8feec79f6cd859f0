// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <httplib.h>
#include <openssl/ssl.h>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace wb {

/// What one request may take.
struct RequestLimits {
  /// The bytes of the request line and all headers together.
  std::size_t headBytes = 32 << 10;
  std::size_t bodyBytes = 32 << 20;
  /// From the first byte to the last one of the body.
  std::chrono::milliseconds toSend{30'000};
  /// How long a connection may be silent between two requests.
  std::chrono::milliseconds idle{15'000};
  /// How long one piece of an answer may take whose bytes nobody takes; large pieces have longer.
  std::chrono::milliseconds toTake{30'000};
};

/// What a connection brings next.
enum class HeadState {
  whole,
  /// The client has ended, or said nothing for too long, or the server stops: there is nothing to answer.
  closed,
  /// It did not send the head of a request in time.
  late,
  tooLarge,
};

/// One connection of a client, with or without TLS, whose every wait has an end. The bytes of a request are
/// counted, so nothing that a client says or does not say makes it read more than the limits.
class Connection final : public httplib::Stream {
 public:
  /// Takes the socket. `stop` becomes readable when the server stops; `context` is null without TLS.
  Connection(int socket, int stop, const RequestLimits& limits, SSL_CTX* context);
  ~Connection() override;
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  /// Agrees on a key with the client. False: it speaks no TLS, or not in time.
  bool shakeHands();
  /// Waits for the next request and reads until its head is whole.
  HeadState awaitHead();
  /// The method, and the bytes of the request line up to the query, as far as they can be told; for the log.
  [[nodiscard]] std::string_view firstLine() const;

  /// Whether the client is there. May be asked by any thread.
  [[nodiscard]] bool isThere() const;
  /// Whether the client is there and the server goes on. May be asked by any thread.
  [[nodiscard]] bool isWanted() const;
  /// Whether the request asked for more bytes than it may have, or came too late.
  [[nodiscard]] bool isOverLimit() const { return overLimit_; }
  [[nodiscard]] std::uint64_t bytesWritten() const { return written_; }
  /// The client's address: "127.0.0.1".
  [[nodiscard]] const std::string& address() const { return address_; }
  /// Sends a short answer of our own.
  void say(int status, std::string_view reason, std::string_view body, std::string_view moreHeaders = {});
  /// Ends the connection such that the client can read what was sent although it still sends.
  void end();

  // httplib::Stream
  [[nodiscard]] bool is_readable() const override { return !overLimit_; }
  [[nodiscard]] bool is_writable() const override { return isThere(); }
  ssize_t read(char* bytes, size_t size) override;
  ssize_t write(const char* bytes, size_t size) override;
  void get_remote_ip_and_port(std::string& ip, int& port) const override;
  void get_local_ip_and_port(std::string& ip, int& port) const override;
  /// None: httplib refuses descriptors from 1024 on, since it would use select() on them.
  [[nodiscard]] socket_t socket() const override { return INVALID_SOCKET; }

 private:
  using Clock = std::chrono::steady_clock;
  enum class Moved { some, ended, late };

  /// Receives what there is, at most `size` bytes, into `bytes`.
  Moved receive(char* bytes, std::size_t size, std::size_t& got, Clock::time_point until, bool alsoStop);
  bool send(const char* bytes, std::size_t size, Clock::time_point until);
  /// Waits until the socket is ready for `what`. `alsoStop`: ends when the server stops, too.
  [[nodiscard]] bool await(short what, Clock::time_point until, bool alsoStop) const;
  /// What the last TLS call waits for; 0 where it failed.
  [[nodiscard]] short wish(int result) const;

  int socket_, stop_;
  RequestLimits limits_;
  std::unique_ptr<SSL, void (*)(SSL*)> tls_;
  std::string address_;
  int port_ = 0;
  /// What was received and not read yet begins at `at_`.
  std::string buffer_;
  std::size_t at_ = 0;
  /// Where the head ends in the buffer.
  std::size_t headEnd_ = 0;
  std::size_t bodyLeft_ = 0;
  Clock::time_point deadline_{};
  bool overLimit_ = false;
  std::uint64_t written_ = 0;
};

}  // namespace wb

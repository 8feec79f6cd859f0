// SPDX-License-Identifier: Apache-2.0
#include "tests/core/service/http/raw_client.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <charconv>

namespace wb {

RawClient::RawClient(int port) : socket_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  EXPECT_EQ(::connect(socket_, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
}

RawClient::~RawClient() {
  close();
}

void RawClient::close() {
  if (socket_ >= 0) ::close(socket_);
  socket_ = -1;
}

bool RawClient::send(std::string_view bytes) {
  while (!bytes.empty()) {
    const auto sent = ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(sent));
  }
  return true;
}

void RawClient::endSending() {
  ::shutdown(socket_, SHUT_WR);
}

std::string RawClient::readUntil(std::string_view end) {
  std::array<char, 4096> bytes{};
  for (;;) {
    const auto found = end.empty() ? std::string::npos : received_.find(end);
    if (found != std::string::npos) {
      std::string result = received_.substr(0, found + end.size());
      received_.erase(0, found + end.size());
      return result;
    }
    const auto got = ::recv(socket_, bytes.data(), bytes.size(), 0);
    if (got <= 0) return std::exchange(received_, {});
    received_.append(bytes.data(), static_cast<std::size_t>(got));
  }
}

std::string RawClient::readToEnd() {
  return readUntil({});
}

int statusOf(std::string_view answer) {
  constexpr std::string_view begin = "HTTP/1.1 ";
  int status = 0;
  if (answer.starts_with(begin)) std::from_chars(answer.data() + begin.size(), answer.data() + 12, status);
  return status;
}

std::string requestText(std::string_view method, std::string_view path, std::string_view body,
                        std::string_view headers) {
  std::string text = fmt::format("{} {} HTTP/1.1\r\nHost: localhost\r\n{}", method, path, headers);
  if (!body.empty())
    text += fmt::format("Content-Type: application/json\r\nContent-Length: {}\r\n", body.size());
  return fmt::format("{}\r\n{}", text, body);
}

}  // namespace wb

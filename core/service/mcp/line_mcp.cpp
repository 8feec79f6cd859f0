// SPDX-License-Identifier: Apache-2.0
#include "core/service/mcp/line_mcp.h"

#include <poll.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <memory>
#include <mutex>
#include <string_view>

#include "core/base/text.h"
#include "core/service/mcp/session.h"

namespace wb {
namespace {

/// Writes whole lines, whoever sends them.
class LineOutlet final : public McpOutlet {
 public:
  explicit LineOutlet(int descriptor) : descriptor_(descriptor) {}

  void message(const std::string& line) override {
    const std::lock_guard lock(mutex_);
    const std::string whole = line + "\n";
    for (std::string_view rest = whole; !rest.empty() && !isClosed_;) {
      const ssize_t written = ::write(descriptor_, rest.data(), rest.size());
      if (written > 0)
        rest.remove_prefix(static_cast<std::size_t>(written));
      else if (errno != EINTR)
        isClosed_ = true;
    }
  }
  void end() override {}
  [[nodiscard]] bool isClosed() const { return isClosed_; }

 private:
  std::mutex mutex_;
  const int descriptor_;
  std::atomic<bool> isClosed_ = false;
};

}  // namespace

void serveMcpLines(const McpHost& host, const std::string& client, int in, int out, int ending) {
  const auto outlet = std::make_shared<LineOutlet>(out);
  McpSession session(host, client);
  std::string begun;
  std::array<char, 1 << 16> bytes{};
  while (!outlet->isClosed()) {
    // Whoever goes away may leave its input open elsewhere; a closed output says so as well.
    std::array<pollfd, 3> waited{{{in, POLLIN, 0}, {out, 0, 0}, {ending, POLLIN, 0}}};
    if (::poll(waited.data(), waited.size(), -1) < 0) {
      if (errno != EINTR) return;
      continue;
    }
    if ((waited[1].revents & (POLLERR | POLLNVAL)) != 0 || waited[2].revents != 0) return;
    if (waited[0].revents == 0) continue;
    const ssize_t got = ::read(in, bytes.data(), bytes.size());
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return;
    std::string_view rest(bytes.data(), static_cast<std::size_t>(got));
    for (std::size_t end = rest.find('\n'); end != std::string_view::npos; end = rest.find('\n')) {
      begun += rest.substr(0, end);
      rest.remove_prefix(end + 1);
      if (!trimmed(begun).empty()) session.receive(begun, outlet);
      begun.clear();
    }
    begun += rest;
    // The rest of the line is read and dropped; what is kept is enough to be refused.
    if (begun.size() > longestRpcText + 1) begun.resize(longestRpcText + 1);
  }
}

}  // namespace wb

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <poll.h>

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/base/process/process.h"
#include "core/base/result.h"
#include "core/runner/remote/far_order.h"
#include "core/runner/remote/link.h"
#include "core/runner/remote/ssh/bundle.h"
#include "core/targets/run_target.h"

namespace wb {

/// The near end's side of a link: ssh, which carries it, and the copying of the programs that speak on the
/// other side. Nothing here waits for the network but close(), for a moment, and copy().
class NearLink {
 public:
  using Clock = std::chrono::steady_clock;

  NearLink(const RunTarget& target, FarOrder order);

  [[nodiscard]] const std::string& host() const { return host_; }
  LinkEnd& end() { return end_; }
  FarOrder& order() { return order_; }

  /// Starts ssh for a new connection. Error: there is no ssh.
  Result<void> open(const std::string& hash);
  [[nodiscard]] bool isOpen() const { return ssh_.has_value(); }
  /// Adds the descriptors to wait for.
  void appendTo(std::vector<pollfd>& waiting, bool mayHear) const;
  /// Takes what has come. False where the connection is at its end.
  bool hear();
  /// Hands over what ssh takes now.
  void write();
  /// Nothing has come for so long that the connection is taken for dead.
  [[nodiscard]] bool isSilent() const;
  /// Ends ssh from this side.
  void drop();
  /// Lets ssh end by itself for a moment, as it does once the other side is done.
  void leave();
  /// How ssh ended; 0 where it was ended here.
  int close();
  /// What had carried a connection is not trusted with the next one.
  void forgetShared() { sockets_.clear(); }

  /// Whether a later attempt may go better where ssh ended with this code.
  [[nodiscard]] bool mayPass(int code) const;
  /// Why there was no connection, by the code with which ssh ended.
  [[nodiscard]] Error failure(int code) const;
  /// Copies the bundle over the connection that is there.
  Result<void> copy(const Bundle& bundle, const std::function<void(std::size_t, std::size_t)>& progress);

 private:
  void keepSaid(const std::string& more);

  RunTarget target_;
  std::string host_;
  std::filesystem::path sockets_;
  FarOrder order_;
  LinkEnd end_;
  std::optional<Child> ssh_;
  bool sshSpeaks_ = true;
  /// What ssh is given before the link begins, and what it last said.
  std::string toSsh_, said_;
  Clock::time_point heard_;
};

/// From the start of ssh to the first word of the other end.
inline constexpr std::chrono::seconds longestLinkStart{25};

}  // namespace wb

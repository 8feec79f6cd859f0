// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>

#include "core/base/process/process.h"
#include "core/base/result.h"
#include "core/engine/guest/channel/guest_parent.h"

namespace wb {

/// A process that holds a kernel's code and nothing else of value. Everything it says is doubted; it can be
/// held still, looked into and ended.
class GuestProcess {
 public:
  /// Forks it from `parent`, inside walls (sandboxText()); "" for none. `startsProcesses`: the walls let it
  /// start others.
  static Result<GuestProcess> start(GuestParent& parent, const std::string& walls,
                                    bool startsProcesses = false);
  GuestProcess(GuestProcess&& other) noexcept;
  GuestProcess& operator=(GuestProcess&&) = delete;
  GuestProcess(const GuestProcess&) = delete;
  GuestProcess& operator=(const GuestProcess&) = delete;
  /// Kills it. GuestParent::ended() waits until it is gone.
  ~GuestProcess();

  /// Finds the guest inside the walls, once it has said something. Gives false when it is not there.
  bool find();
  [[nodiscard]] int socket() const { return socket_; }
  /// Readable once it has ended.
  [[nodiscard]] int pidfd() const { return guest_.descriptor; }
  [[nodiscard]] bool ended() const { return endsWithin({}); }
  [[nodiscard]] bool endsWithin(std::chrono::milliseconds limit) const;
  /// How it ended: "segmentation fault (SIGSEGV)". Waits for the end, and kills it if that does not come.
  std::string ending();
  void kill() const;
  [[nodiscard]] pid_t pid() const { return guest_.pid; }

  /// Stops all its threads, and gives true once every one of them stands still. What else runs inside its
  /// walls is ended.
  [[nodiscard]] bool stop() const;
  void goOn() const;
  /// Whether it has a timer that sends it the signal to go on.
  [[nodiscard]] bool hasTimerToGoOn() const;
  /// For how long all its threads together have had a processor, in seconds, by the system's own count; 0
  /// where that cannot be known.
  [[nodiscard]] double workedSeconds() const;
  /// The processor that its first thread was on last; -1 where that is not known.
  [[nodiscard]] int processor() const;
  /// How many threads it has; 0 where it is gone.
  [[nodiscard]] std::size_t threads() const;
  /// Copies bytes out of its memory. Errors: it cannot be read there.
  Result<void> read(std::uint64_t address, std::span<std::byte> to) const;
  /// Bytes at an address of its memory, and where they are copied to.
  struct Place {
    std::uint64_t address = 0;
    std::span<std::byte> to;
  };
  /// Copies what lies at several places, by one call of the system's. Gives how many could be read, the first
  /// ones.
  [[nodiscard]] std::size_t readEach(std::span<const Place> places) const;
  /// Writes what `place.to` holds to its memory; false where it cannot.
  [[nodiscard]] bool write(const Place& place) const;

 private:
  /// A process, and a descriptor that stays its own when its number goes to another one.
  struct Known {
    pid_t pid = -1;
    int descriptor = -1;
  };
  GuestProcess(Known child, bool walled, bool startsProcesses, int socket,
               std::shared_ptr<EndedGuests> endedGuests)
      : child_(child),
        guest_(walled ? Known{} : child),
        walled_(walled),
        startsProcesses_(startsProcesses),
        socket_(socket),
        endedGuests_(std::move(endedGuests)) {}
  /// Waits for the end, and kills it if that does not come.
  static Ending endOf(const Known& child, const Known& guest);
  [[nodiscard]] bool standsStill() const;
  /// Ends what it has started, and gives true when all of that had ended before it was looked for: `ended`
  /// has what was seen to have ended. It stands still meanwhile.
  [[nodiscard]] bool endOthers(std::set<pid_t>& ended) const;
  static void signal(const Known& process, int number);
  /// What was started, the launcher or the guest itself, and the guest.
  Known child_, guest_;
  bool walled_, startsProcesses_;
  int socket_;
  std::shared_ptr<EndedGuests> endedGuests_;
  std::optional<Ending> ending_;
};

}  // namespace wb

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace wb {

/// A run that waits for a device.
struct WaitingRun {
  /// Grows with every submission, from 1, and says which run it is.
  std::uint64_t number = 0;
  std::string client;
  /// Higher ones run first.
  int priority = 0;
  /// What its job asks for: "cpu", "cuda:N", or "auto" for any GPU, and for the CPU where there is none.
  std::string device;
};

/// Whether a run that asks for `wanted` may run on `device`, which is one of `devices`.
[[nodiscard]] bool mayRunOn(const std::string& wanted, const std::string& device,
                            const std::vector<std::string>& devices);

/// The runs that wait, and whose turn it is. It knows no clock and no threads. Higher priority is first;
/// among equals it is the turn of the client with the fewest running, then of the one that was served longest
/// ago; a client's own runs have their turns in the order in which they were submitted.
class RunQueue {
 public:
  explicit RunQueue(std::vector<std::string> devices);
  // Lines point to their clients.
  RunQueue(const RunQueue&) = delete;
  RunQueue& operator=(const RunQueue&) = delete;

  void add(WaitingRun run);
  /// Takes a run out that is not to be run any more; false when it does not wait.
  bool remove(std::uint64_t number);
  /// Which runs a device takes: one that does not work leaves those that ask for any to others.
  enum class Taking { any, named };
  /// The numbers of at most so many runs that a device could take, the one whose turn it is first: the runs
  /// of the client whose turn it is, then those of the next one, and so on.
  [[nodiscard]] std::vector<std::uint64_t> turns(const std::string& device, std::size_t most,
                                                 Taking taking = Taking::any) const;
  /// Takes a run out, which runs from now on; nothing where it does not wait.
  std::optional<WaitingRun> take(std::uint64_t number);
  /// A run that was taken has ended.
  void release(const std::string& client);

  /// How many of the waiting runs are started before this one, on the device where that is soonest: exact for
  /// one device while nothing is added, an estimate for several.
  [[nodiscard]] std::size_t ahead(std::uint64_t number) const;
  [[nodiscard]] std::size_t size() const { return waiting_.size(); }
  /// How many runs of a client wait.
  [[nodiscard]] std::size_t sizeOf(const std::string& client) const;
  /// How many clients have runs that wait.
  [[nodiscard]] std::size_t waitingClients() const;
  /// How many clients are remembered, those included that have no run now: their turn is not forgotten at
  /// once.
  [[nodiscard]] std::size_t clients() const { return clients_.size(); }

 private:
  struct Client {
    std::size_t running = 0, waiting = 0;
    /// The turn in which it was served last, counted from 1.
    std::uint64_t served = 0;
  };
  /// A client's runs of one priority: their numbers in order, by what they ask for. The last place is for
  /// what no device here has.
  struct Line {
    Client* client = nullptr;
    std::vector<std::vector<std::uint64_t>> numbers;
  };

  [[nodiscard]] std::size_t wishOf(const std::string& device) const;
  [[nodiscard]] std::vector<std::size_t> wishesFor(const std::string& device, Taking taking) const;
  [[nodiscard]] std::size_t aheadOn(const std::string& device, const WaitingRun& run) const;
  void erase(const WaitingRun& run);
  void forgetOldClients();

  std::vector<std::string> devices_;
  /// What runs may ask for: the devices and "auto".
  std::vector<std::string> wishes_;
  /// By priority, the highest first, and by client.
  std::map<int, std::map<std::string, Line>, std::greater<>> lines_;
  std::unordered_map<std::uint64_t, WaitingRun> waiting_;
  std::map<std::string, Client> clients_;
  std::uint64_t turns_ = 0;
};

/// After how many seconds another try may be worth it for whoever found the queue full: when `places` that
/// each need `meanSeconds` for a run will have started one more of `share` clients' turns. From 1 to 600.
[[nodiscard]] double retryAfter(double meanSeconds, std::size_t places, std::size_t share = 1);

}  // namespace wb

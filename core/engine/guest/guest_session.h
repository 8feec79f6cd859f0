// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <c10/core/Device.h>

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "core/engine/call_elsewhere.h"
#include "core/engine/guest/arguments/shared_arguments.h"
#include "core/engine/guest/guest.h"
#include "core/engine/guest/orders.h"
#include "core/engine/guest/waiting/spare_guests.h"

namespace wb {

/// One kernel and the guests in which it runs, one after the other: where one is lost, the next call that is
/// prepared gets a new one with the kernel loaded.
class GuestSession {
 public:
  /// Its guests come from `spares` where there are any; they may be null, and must outlive it.
  explicit GuestSession(Guest::Start start, SpareGuests* spares = nullptr)
      : start_(std::move(start)), spares_(spares) {}

  /// Loads the kernel. `kernels` answers what its object names (LoadOrder::namesKernels), now and in every
  /// later guest. Errors: it does not load, it was refused kernels, or the guest was lost over it.
  Result<LoadedInGuest> load(const LoadOrder& order, std::shared_ptr<KernelAnswers> kernels = {});
  /// Has the guest forget its kernel, which lets the same source be loaded there again. False: no kernel
  /// lives there, it has served often enough, or the kernel has changed its process, as that says itself.
  bool rest();
  /// Whether the guest stands still since rest(), and nobody has seen the GPU at rest since: what a kernel
  /// has left there goes on meanwhile.
  [[nodiscard]] bool mayHaveLeftWork() const { return mayHaveLeftWork_; }
  void hasLeftNothing() { mayHaveLeftWork_ = false; }
  /// Ends the guest, and with it what it has left; the next call gets a new one.
  void startAnew() { forgetGuest(); }
  /// The guest with the kernel in it, a new one where the last was lost.
  Result<std::shared_ptr<Guest>> guest();
  /// The device that its kernel is for.
  [[nodiscard]] at::Device device() const {
    return order_ ? at::Device(order_->device) : at::Device(at::kCPU);
  }
  /// The guest as it is; may be null.
  [[nodiscard]] const std::shared_ptr<Guest>& present() const { return guest_; }

  /// How long the kernel's orders may take from now on, all together, and what is said when they take longer.
  void allow(double seconds, std::string limit, std::stop_token stop);
  /// How the last guest was lost, if that was not asked for yet.
  std::optional<GuestLoss> takeLoss();
  /// Lets the guest run, or holds it still; for calls in a row.
  void wake();
  void holdStill();

  /// The seconds of an order that asks for nothing: what every call pays for being made elsewhere.
  Result<double> orderSeconds();

  /// What a judge knows of a case of the kernel's, by its number. It belongs to whoever judges.
  [[nodiscard]] KnownOfCase& known(std::uint32_t index) { return knownOfCases_[index]; }

  /// Where its calls' arguments lie.
  [[nodiscard]] ArgumentRoom& room() { return room_; }
  /// A number for a call that no other prepared call has; nothing when there are too many.
  std::optional<std::uint32_t> newCall(const std::vector<std::shared_ptr<SharedMemory>>& memory);
  /// The call is not needed any more.
  void drop(const Guest& guest, std::uint32_t number);
  /// The calls that were dropped since it was asked for the last time.
  std::vector<std::uint32_t> takeDropped();
  /// The memory of a call, as the guest is told of it; those that are new to it are known from now on.
  std::vector<MemoryUse> tell(const std::vector<std::shared_ptr<SharedMemory>>& memory,
                              std::vector<int>& descriptors);
  /// The guest does not know them after all.
  void untell(const std::vector<MemoryUse>& uses);

 private:
  /// Starts a guest where there is none, without waiting for it.
  Result<void> begin();
  Result<LoadedInGuest> loadOrdered();
  Result<LoadedInGuest> loadIntoGuest(double seconds);
  void forgetGuest();
  Guest::Start start_;
  SpareGuests* spares_;
  std::shared_ptr<Guest> guest_;
  std::optional<LoadOrder> order_;
  std::shared_ptr<KernelAnswers> kernels_;
  bool loaded_ = false, mayHaveLeftWork_ = false;
  /// How often one was loaded into the present guest.
  int loads_ = 0;
  double seconds_ = 60;
  std::string limit_ = "60 s";
  std::stop_token stop_;
  std::optional<GuestLoss> loss_;
  /// The memory of each call that the guest has.
  std::map<std::uint32_t, std::vector<std::uint32_t>> calls_;
  std::vector<std::uint32_t> dropped_;
  ArgumentRoom room_;
  std::map<std::uint32_t, KnownOfCase> knownOfCases_;
  /// Of the present guest; 0 before it was measured.
  double orderSeconds_ = 0;
  /// The memory that the guest has mapped.
  std::set<std::uint32_t> known_;
};

}  // namespace wb

// SPDX-License-Identifier: Apache-2.0
#include "core/engine/guest/guest_session.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "core/engine/guest/values.h"

namespace wb {
namespace {

/// What a guest does before it greets is nobody's fault.
constexpr double startSeconds = 120;

}  // namespace

Result<std::unique_ptr<Guest>> SpareGuests::take(const Guest::Start& start) {
  const auto found =
      std::find_if(spares_.begin(), spares_.end(), [&](const Spare& each) { return each.start == start; });
  if (found == spares_.end()) return Guest::start(start);
  std::unique_ptr<Guest> guest = std::move(found->guest);
  spares_.erase(found);
  if (guest->ended()) return Guest::start(start);
  return guest;
}

void SpareGuests::prepare(const Guest::Start& start, std::size_t count) {
  const auto there = std::count_if(spares_.begin(), spares_.end(), [&](const Spare& each) {
    return each.start == start && !each.guest->ended();
  });
  for (auto more = count - std::min(count, static_cast<std::size_t>(there)); more > 0; --more) {
    auto guest = Guest::start(start);
    // What cannot be started now is asked for again when it is needed, and said then.
    if (!guest) return;
    spares_.push_back({start, *std::move(guest)});
  }
}

void SpareGuests::settle() {
  for (Spare& each : spares_) {
    each.guest->allow(startSeconds, "two minutes");
    (void)each.guest->greet();
  }
  std::erase_if(spares_, [](const Spare& each) { return each.guest->lost(); });
}

void GuestSession::forgetGuest() {
  if (guest_ && guest_->loss()) loss_ = guest_->loss();
  guest_.reset();
  loaded_ = false;
  calls_.clear();
  dropped_.clear();
  known_.clear();
}

Result<void> GuestSession::begin() {
  if (guest_ && !guest_->lost()) return {};
  forgetGuest();
  if (spares_) {
    WB_TRY(guest_, spares_->take(start_));
  } else {
    WB_TRY(guest_, Guest::start(start_));
  }
  return {};
}

Result<LoadedInGuest> GuestSession::load(const LoadOrder& order, std::shared_ptr<KernelAnswers> kernels) {
  order_ = order;
  kernels_ = std::move(kernels);
  return loadOrdered();
}

Result<LoadedInGuest> GuestSession::loadOrdered() {
  WB_DO(begin());
  guest_->allow(startSeconds, "two minutes", stop_);
  if (Result<void> greeted = guest_->greet(); !greeted)
    return Error{Stage::setup, "the kernel's own process did not start: " + greeted.error().text,
                 "see `warpbench doctor`"};
  guest_->allow(seconds_, limit_, stop_);
  guest_->answerKernels(kernels_);
  Bytes message;
  ByteWriter writer(message);
  writer.put(Order::load);
  write(writer, *order_);
  WB_TRY(const Bytes answer, guest_->ask(message));
  guest_->holdStill();
  ByteReader reader(answer);
  const bool done = reader.get<std::uint8_t>() == 1;
  if (!done) return readError(reader);
  // A guest that goes on without them says nothing of what it would run.
  if (kernels_ && kernels_->refused())
    return Error{Stage::compile, "the kernel's process was refused the kernels that it names"};
  LoadedInGuest loaded = readLoadedInGuest(reader);
  if (reader.bad()) return Error{Stage::compile, "the kernel's process gives an answer that is none"};
  loaded_ = true;
  return loaded;
}

Result<std::shared_ptr<Guest>> GuestSession::guest() {
  if (guest_ && !guest_->lost() && loaded_) return guest_;
  if (!order_) return Error{Stage::check, "no kernel is loaded"};
  const auto seconds = seconds_;
  const auto limit = limit_;
  WB_TRY(const LoadedInGuest again, loadOrdered());
  allow(seconds, limit, stop_);
  return guest_;
}

void GuestSession::allow(double seconds, std::string limit, std::stop_token stop) {
  seconds_ = seconds;
  limit_ = std::move(limit);
  stop_ = std::move(stop);
  if (guest_) guest_->allow(seconds_, limit_, stop_);
}

std::optional<GuestLoss> GuestSession::takeLoss() {
  if (guest_ && guest_->lost()) forgetGuest();
  return std::exchange(loss_, std::nullopt);
}

void GuestSession::wake() {
  if (guest_) (void)guest_->wake();
}

void GuestSession::holdStill() {
  if (guest_) guest_->holdStill();
}

Result<double> GuestSession::orderSeconds() {
  WB_TRY(const std::shared_ptr<Guest> here, guest());
  WB_DO(here->wake());
  constexpr int tries = 201;
  std::vector<double> seconds;
  for (int i = 0; i < tries; ++i) {
    const auto start = std::chrono::steady_clock::now();
    WB_DO(here->wake());
    seconds.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  }
  std::nth_element(seconds.begin(), seconds.begin() + tries / 2, seconds.end());
  return seconds[tries / 2];
}

std::optional<std::uint32_t> GuestSession::newCall(const std::vector<std::shared_ptr<SharedMemory>>& memory) {
  std::uint32_t number = 0;
  while (calls_.contains(number)) ++number;
  if (number >= finishSlot) return std::nullopt;
  std::vector<std::uint32_t>& numbers = calls_[number];
  for (const auto& each : memory) numbers.push_back(each->number());
  return number;
}

void GuestSession::drop(const Guest& guest, std::uint32_t number) {
  if (&guest != guest_.get()) return;
  calls_.erase(number);
  dropped_.push_back(number);
}

std::vector<std::uint32_t> GuestSession::takeDropped() {
  return std::exchange(dropped_, {});
}

std::vector<MemoryUse> GuestSession::tell(const std::vector<std::shared_ptr<SharedMemory>>& memory,
                                          std::vector<int>& descriptors) {
  std::vector<MemoryUse> uses;
  for (const auto& each : memory) {
    const bool isNew = known_.insert(each->number()).second;
    if (isNew) descriptors.push_back(each->descriptor());
    uses.push_back({each->number(), each->size(), isNew, each->isOnDevice()});
  }
  // The guest unmaps what no call of its own uses, and so does this list.
  std::erase_if(known_, [&](std::uint32_t number) {
    return std::none_of(calls_.begin(), calls_.end(), [&](const auto& call) {
      return std::find(call.second.begin(), call.second.end(), number) != call.second.end();
    });
  });
  return uses;
}

}  // namespace wb

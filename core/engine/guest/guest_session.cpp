// SPDX-License-Identifier: Apache-2.0
#include "core/engine/guest/guest_session.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "core/base/memory.h"
#include "core/engine/guest/guest_walls.h"
#include "core/engine/guest/values.h"

namespace wb {
namespace {

/// To forget a kernel takes milliseconds, and no longer than this.
constexpr double restSeconds = 5;
/// What a kernel leaves behind adds up, be it only code that the process keeps.
constexpr int mostLoads = 64;
/// What it holds besides torch is not there for others.
constexpr std::int64_t mostBytesHeld = std::int64_t{1} << 30;
/// The part of the time for loading in which a source has to load again where it was loaded before, since
/// nothing is built a second time.
constexpr double againShare = 0.25;

}  // namespace

void GuestSession::forgetGuest() {
  if (guest_ && guest_->loss()) loss_ = guest_->loss();
  guest_.reset();
  loaded_ = mayHaveLeftWork_ = false;
  loads_ = 0;
  orderSeconds_ = 0;
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
  // What has happened to the kernel that was here before says nothing of this one.
  if (guest_ && guest_->lost()) forgetGuest();
  loss_.reset();
  return loadOrdered();
}

/// Where a kernel was loaded before it may have left something behind, and only what it does in a new guest
/// is said of it.
Result<LoadedInGuest> GuestSession::loadOrdered() {
  if (!guest_ || guest_->lost() || loads_ == 0) return loadIntoGuest(seconds_);
  const auto start = std::chrono::steady_clock::now();
  const std::optional<GuestLoss> before = loss_;
  Result<LoadedInGuest> loaded = loadIntoGuest(againShare * seconds_);
  if (loaded || stop_.stop_requested() || (kernels_ && kernels_->refused())) return loaded;
  forgetGuest();
  loss_ = before;
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
  return loadIntoGuest(seconds_ - took.count());
}

Result<LoadedInGuest> GuestSession::loadIntoGuest(double seconds) {
  WB_DO(begin());
  guest_->allow(guestStartSeconds, "two minutes", stop_);
  if (Result<void> greeted = guest_->greet(); !greeted)
    return Error{Stage::setup, "the kernel's own process did not start: " + greeted.error().text,
                 "see `warpbench doctor`"};
  guest_->allow(seconds, limit_, stop_);
  guest_->answerKernels(kernels_);
  ++loads_;
  Bytes message;
  ByteWriter writer(message);
  writer.put(Order::load);
  write(writer, *order_);
  WB_TRY(const Bytes answer, guest_->ask(message));
  guest_->holdStill();
  ByteReader reader(answer);
  const bool done = reader.get<std::uint8_t>() == 1;
  if (!done) return withWalls(readError(reader));
  // A guest that goes on without them says nothing of what it would run.
  if (kernels_ && kernels_->refused())
    return Error{Stage::compile, "the kernel's process was refused the kernels that it names"};
  LoadedInGuest loaded = readLoadedInGuest(reader);
  if (reader.bad()) return Error{Stage::compile, "the kernel's process gives an answer that is none"};
  loaded_ = true;
  return loaded;
}

bool GuestSession::rest() {
  if (!guest_ || guest_->lost() || !std::exchange(loaded_, false) || loads_ >= mostLoads) return false;
  guest_->allow(restSeconds, "five seconds");
  guest_->forgetResults();
  const std::byte order{static_cast<std::uint8_t>(Order::rest)};
  const Result<Bytes> answer = guest_->ask({&order, 1});
  guest_->holdStill();
  mayHaveLeftWork_ = true;
  calls_.clear();
  dropped_.clear();
  known_.clear();
  room_ = ArgumentRoom();
  if (!answer) return false;
  ByteReader reader(*answer);
  const bool done = reader.get<std::uint8_t>() == 1, isAsItWas = reader.get<std::uint8_t>() == 1;
  if (!done || !isAsItWas || reader.bad() || guest_->lost()) return false;
  return memoryHeldBy(guest_->pid()).value_or(mostBytesHeld) < mostBytesHeld;
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
  if (guest_ && guest_->wake()) guest_->stepAside();
}

void GuestSession::holdStill() {
  if (guest_) guest_->holdStill();
}

Result<double> GuestSession::orderSeconds() {
  WB_TRY(const std::shared_ptr<Guest> here, guest());
  if (orderSeconds_ > 0) return orderSeconds_;
  WB_DO(here->wake());
  constexpr int tries = 201;
  std::vector<double> seconds;
  for (int i = 0; i < tries; ++i) {
    const auto start = std::chrono::steady_clock::now();
    WB_DO(here->wake());
    seconds.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  }
  std::nth_element(seconds.begin(), seconds.begin() + tries / 2, seconds.end());
  return orderSeconds_ = seconds[tries / 2];
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

void GuestSession::untell(const std::vector<MemoryUse>& uses) {
  for (const MemoryUse& each : uses)
    if (each.isNew) known_.erase(each.number);
}

}  // namespace wb

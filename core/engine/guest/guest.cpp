// SPDX-License-Identifier: Apache-2.0
#include "core/engine/guest/guest.h"

#include <fmt/format.h>
#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <functional>
#include <thread>
#include <utility>

#include "core/engine/device/measuring_lock.h"
#include "core/engine/guest/channel/messages.h"
#include "core/engine/guest/loading/answers.h"
#include "core/engine/guest/orders.h"
#include "core/engine/guest/values.h"
#include "core/protocol/seal.h"

namespace wb {
namespace {

/// For as long as this the judge looks for an answer before it sleeps: to be woken takes some 50 µs, which
/// would count as the call's.
constexpr std::chrono::milliseconds looking{2};
constexpr std::chrono::milliseconds lastBreath{500};
/// A guest is noticed that has worked for longer than this while it was held still, so many times at least,
/// and in one of so many stops. Each of its threads may be somewhat behind with what it is counted.
constexpr double mostWhileStill = 5e-5, mostOfThread = 1e-6;
constexpr int timesToNotice = 8, stopsToNotice = 4;
constexpr std::size_t mostAnswered = std::size_t{1} << 20;
/// Memory for copies is made anew where it is too small.
constexpr std::size_t leastCopied = std::size_t{1} << 16;

}  // namespace

Guest::Guest(GuestProcess process, std::shared_ptr<SharedMemory> shared, const Start& start)
    : process_(std::move(process)),
      shared_(std::move(shared)),
      builds_(start.builds),
      trusted_(start.trusted),
      onDevice_(start.onDevice),
      startsProcesses_(start.startsProcesses),
      isClosed_(start.parent->isClosed()) {
  if (isClosed_) socketFile_ = mappedFileOf(process_.socket());
}

Result<std::unique_ptr<Guest>> Guest::start(const Start& start) {
  WB_TRY(auto shared, SharedMemory::make(slotsBegin + slotCount * slotBytes));
  WB_TRY(GuestProcess process, GuestProcess::start(*start.parent, start.walls, start.startsProcesses));
  std::unique_ptr<Guest> guest(new Guest(std::move(process), std::move(shared), start));
  const std::byte greeting{static_cast<std::uint8_t>(Order::greet)};
  std::vector<int> descriptors{guest->shared_->descriptor()};
  const int gpu = MeasuringLock::openFor(start.uuid);
  if (gpu >= 0) descriptors.push_back(gpu);
  // A program that has ended already is found out by the answer that does not come.
  (void)sendMessage(guest->process_.socket(), {&greeting, 1}, descriptors, Steady::now() + guest->left_);
  if (gpu >= 0) ::close(gpu);
  return guest;
}

void Guest::allow(double seconds, std::string limit, std::stop_token stop) {
  left_ = std::chrono::duration_cast<Steady::duration>(
      std::chrono::duration<double>(std::clamp(seconds, 0.0, 1e6)));
  limit_ = std::move(limit);
  stop_ = std::move(stop);
}

Result<void> Guest::greet() {
  if (greeted_) return {};
  const auto since = Steady::now();
  const Result<ReceivedMessage> answer = receiveMessage(process_.socket(), 1, since + left_);
  if (!answer || !answer->descriptors.empty() || !process_.find()) return lose(since);
  greeted_ = true;
  return {};
}

/// It has ended, or is ended because it did not answer, or said what no guest says.
Error Guest::lose(Steady::time_point since) {
  spent(since);
  if (loss_) return Error{Stage::check, loss_->how};
  const bool late = left_ <= Steady::duration::zero() && !process_.ended();
  // The end of its socket is seen somewhat earlier than its own.
  const bool speaks = !late && !stop_.stop_requested() && !process_.endsWithin(lastBreath);
  if (late || speaks || stop_.stop_requested()) process_.kill();
  const std::string ending = process_.ending();
  loss_ = late ? GuestLoss{Verdict::hung, "did not finish within " + limit_}
          : speaks
              ? GuestLoss{Verdict::tampered,
                          "no verdict on this kernel can be believed: it speaks to its judge in the name "
                          "of the process that it runs in"}
              : GuestLoss{Verdict::crashed, ending};
  return Error{Stage::check, loss_->how};
}

/// Nobody but the guest has the other end of its socket. A kernel in this process may put another one in its
/// place, and write to it.
bool Guest::hasItsSocket() const {
  return !isClosed_ || (socketFile_ && mappedFileOf(process_.socket()) == socketFile_);
}

/// Takes from an answer by whom it is. Where the guest has carried out other orders than these, somebody else
/// has given them.
bool Guest::isSaidByIt(Bytes& answer, std::span<const std::byte> message) const {
  if (!isClosed_) return true;
  SaidBy by;
  if (answer.size() < sizeof by) return false;
  std::memcpy(&by, answer.data() + answer.size() - sizeof by, sizeof by);
  answer.resize(answer.size() - sizeof by);
  return by.orders == orders_ && by.pid == process_.pid() && by.message == hashOf(by.key, message);
}

Error Guest::loseToOthers(Steady::time_point since) {
  process_.kill();
  (void)lose(since);
  loss_ = GuestLoss{Verdict::tampered, "was spoken to by somebody else"};
  return Error{Stage::check, loss_->how};
}

void Guest::give(OrderKind kind, std::uint32_t number, std::span<const std::byte> generator) {
  Turnstile& shared = turnstile();
  shared.kind = kind;
  shared.number = number;
  shared.generatorBytes = static_cast<std::uint32_t>(generator.size());
  if (!generator.empty())
    std::memcpy(shared.generator, generator.data(), std::min(generator.size(), sizeof shared.generator));
  raise(shared.orders, ++orders_);
}

Result<void> Guest::carriedOut(Steady::time_point since) {
  const auto goOn = [&] {
    return !process_.ended() && !stop_.stop_requested() && Steady::now() - since < left_;
  };
  SharedCount& answers = turnstile().answers;
  if (!waitForChange(answers, orders_ - 1, looking, goOn)) return lose(since);
  // Whatever else is written there is not the answer to this order.
  if (answers.value.load(std::memory_order_acquire) != orders_) return lose(since);
  spent(since);
  return {};
}

/// Right after a stop the system may not have counted all of what went before, so that what is seen once or
/// twice says nothing. Who works then to gain from it does so most of the time.
bool Guest::stoodStill() {
  const double worked = stops_ > 0 ? process_.workedSeconds() - workedAtStop_ : 0;
  if (worked > mostWhileStill && worked > mostWhileStill + mostOfThread * static_cast<double>(threads()))
    ++timesAtWork_;
  return !canGoOnByItself_ && (timesAtWork_ < timesToNotice || timesAtWork_ * stopsToNotice < stops_);
}

Result<void> Guest::wake() {
  if (loss_) return Error{Stage::check, loss_->how};
  const auto since = Steady::now();
  if (awake_ || trusted_) {
    give(OrderKind::ready);
    return carriedOut(since);
  }
  if (!stoodStill()) {
    process_.kill();
    (void)lose(since);
    loss_ = GuestLoss{Verdict::tampered, "the kernel's process goes on with its work while it is held still"};
    return Error{Stage::check, loss_->how};
  }
  workedAtStop_ = process_.workedSeconds();
  process_.goOn();
  awake_ = true;
  give(OrderKind::ready);
  WB_DO(carriedOut(since));
  const auto ready = Steady::now();
  const double worked = process_.workedSeconds() - workedAtStop_;
  const auto looked = Steady::now();
  // What processes that it started have worked is not counted as its own. While it is looked up how long it
  // has worked it may work on, and that takes the longer the more threads it has.
  workedBeforeOrders_ = startsProcesses_ ? std::chrono::duration<double>(looked - since).count()
                                         : worked + std::chrono::duration<double>(looked - ready).count();
  usedBeforeOrders_ = startsProcesses_ ? 0 : worked;
  return {};
}

// A process that is woken may be put beside the one that wakes it, even where another processor has become
// free. There it stays for many calls, of which each waits until its judge gives way: a side that keeps a
// processor for long at times had the other one's calls take ten times as long.
void Guest::stepAside() const {
  const int here = ::sched_getcpu();
  cpu_set_t allowed;
  if (here < 0 || here != process_.processor() || ::sched_getaffinity(0, sizeof allowed, &allowed) != 0 ||
      CPU_COUNT(&allowed) < 2)
    return;
  cpu_set_t others = allowed;
  CPU_CLR(here, &others);
  if (::sched_setaffinity(0, sizeof others, &others) == 0)
    (void)::sched_setaffinity(0, sizeof allowed, &allowed);
}

Result<double> Guest::wakeAndTurn() {
  const auto since = Steady::now();
  WB_DO(wake());
  give(OrderKind::turnTo);
  WB_DO(carriedOut(since));
  return std::chrono::duration<double>(Steady::now() - since).count();
}

void Guest::holdStill() {
  if (trusted_ || loss_ || !awake_) return;
  awake_ = false;
  const auto since = Steady::now();
  if (process_.stop()) {
    workedAtStop_ = process_.workedSeconds();
    canGoOnByItself_ |= process_.hasTimerToGoOn();
    ++stops_;
    return;
  }
  process_.kill();
  (void)lose(since);
  loss_ = GuestLoss{Verdict::crashed, "the kernel's process does not let itself be held still"};
}

Result<Bytes> Guest::exchange(std::span<const std::byte> message, std::span<const int> descriptors) {
  const auto since = Steady::now();
  if (!hasItsSocket()) return loseToOthers(since);
  give(OrderKind::message);
  // It is asked in slices, so that a stop of the run, and the guest's end, are seen at once.
  const auto slice = [] { return Steady::now() + std::chrono::milliseconds{100}; };
  if (const auto sent = sendMessage(process_.socket(), message, descriptors, since + left_); !sent)
    return lose(since);
  while (true) {
    if (!awaitMessage(process_.socket(), slice())) {
      if (process_.ended() || stop_.stop_requested() || Steady::now() - since >= left_) return lose(since);
      continue;
    }
    Result<ReceivedMessage> answer = receiveMessage(process_.socket(), mostAnswered, since + left_);
    if (!answer) return lose(since);
    for (const int descriptor : answer->descriptors) ::close(descriptor);
    if (isQuestion(answer->bytes) && questionsLeft_ > 0) {
      WB_DO(answerQuestion(answer->bytes, since));
      continue;
    }
    if (!hasItsSocket() || !isSaidByIt(answer->bytes, message)) return loseToOthers(since);
    WB_DO(carriedOut(since));
    return std::move(answer->bytes);
  }
}

/// Builds or compiles what the guest asks for, in the time that it has itself.
Result<void> Guest::answerQuestion(std::span<const std::byte> question, Steady::time_point since) {
  --questionsLeft_;
  const double left = std::chrono::duration<double>(left_ - (Steady::now() - since)).count();
  const Bytes reply = answerTo(question, {builds_.get(), kernels_.get()}, left, stop_);
  if (const auto sent = sendMessage(process_.socket(), reply, {}, since + left_); !sent) return lose(since);
  return {};
}

Result<Bytes> Guest::ask(std::span<const std::byte> message, std::span<const int> descriptors) {
  WB_DO(greet());
  const bool before = awake_;
  if (!before) WB_DO(wake());
  Result<Bytes> answer = exchange(message, descriptors);
  if (!before) holdStill();
  return answer;
}

Result<void> Guest::run(std::uint32_t number, std::span<const std::byte> generator, const RunOrder& order) {
  if (loss_) return Error{Stage::check, loss_->how};
  const auto since = Steady::now();
  std::unique_ptr<CodeTraps> traps = CodeTraps::set(process_.pid(), order.traps);
  give(order.kind, number, generator);
  behind_ = onDevice_;
  reached_.reset();
  if (traps) reached_ = whileTrapped(*traps, since);
  // Of a process that has ended nobody else hears before it is let go.
  traps.reset();
  return carriedOut(since);
}

/// Its threads go on by this thread's leave. Gives the places to which they come.
std::set<std::uint64_t> Guest::whileTrapped(CodeTraps& traps, Steady::time_point since) {
  const SharedCount& answers = turnstile().answers;
  while (answers.value.load(std::memory_order_acquire) != orders_ && !process_.ended() &&
         !stop_.stop_requested() && Steady::now() - since < left_) {
    traps.attend();
    std::this_thread::yield();
  }
  return traps.reached();
}

Result<RanThere> Guest::ranThere() {
  const std::byte message{static_cast<std::uint8_t>(Order::sayWhatRan)};
  WB_TRY(const Bytes answer, ask({&message, 1}));
  ByteReader reader(answer);
  if (reader.get<std::uint8_t>() != 1) return readError(reader);
  return readRanThere(reader);
}

Result<std::vector<HotCode>> Guest::hotCode() {
  const std::byte message{static_cast<std::uint8_t>(Order::sayHotCode)};
  WB_TRY(const Bytes answer, ask({&message, 1}));
  ByteReader reader(answer);
  if (reader.get<std::uint8_t>() != 1) return readError(reader);
  return readHotCode(reader);
}

Result<void> Guest::finish() {
  if (loss_) return Error{Stage::check, loss_->how};
  if (!std::exchange(behind_, false)) return {};
  const auto since = Steady::now();
  give(OrderKind::finish);
  WB_DO(carriedOut(since));
  const Bytes said = slot(finishSlot);
  ByteReader reader(said);
  if (reader.get<std::uint8_t>() == 1) return {};
  // Nothing runs on the GPU any more in a process that has made such a fault.
  process_.kill();
  (void)lose(since);
  const Error fault = readError(reader);
  loss_ = GuestLoss{Verdict::crashed,
                    fault.hint.empty() ? fault.text : fmt::format("{} ({})", fault.text, fault.hint)};
  return Error{Stage::check, loss_->how};
}

Bytes Guest::slot(std::uint32_t number) const {
  const std::byte* const from = shared_->data() + slotsBegin + (number % slotCount) * slotBytes;
  std::uint32_t size = 0;
  std::memcpy(&size, from, sizeof size);
  size = std::min(size, static_cast<std::uint32_t>(slotBytes - sizeof size));
  return {from + sizeof size, from + sizeof size + size};
}

Result<Bytes> Guest::answerOf(std::uint32_t number) {
  if (!isClosed_) return slot(number);
  Bytes message;
  ByteWriter writer(message);
  writer.put(Order::sayAnswer);
  writer.put(number);
  WB_TRY(const Bytes answer, ask(message));
  ByteReader reader(answer);
  if (reader.get<std::uint8_t>() != 1) return readError(reader);
  return Bytes(answer.begin() + 1, answer.end());
}

Result<void> Guest::askForBytes(std::uint64_t address, std::span<std::byte> to) {
  std::vector<int> descriptors;
  if (!copies_ || copies_->size() < to.size()) {
    WB_TRY(copies_, SharedMemory::make(std::max(to.size(), leastCopied)));
    descriptors.push_back(copies_->descriptor());
  }
  Bytes message;
  ByteWriter writer(message);
  writer.put(Order::copy);
  writer.put(address);
  writer.put(std::uint64_t{to.size()});
  writer.put(std::uint64_t{copies_->size()});
  WB_TRY(const Bytes answer, ask(message, descriptors));
  ByteReader reader(answer);
  if (reader.get<std::uint8_t>() != 1) return readError(reader);
  std::memcpy(to.data(), copies_->data(), to.size());
  const auto key = reader.get<SealKey>();
  const auto hash = reader.get<std::uint64_t>();
  if (reader.bad() || hash != hashOf(key, to)) return loseToOthers(Steady::now());
  return {};
}

Result<void> Guest::read(std::uint64_t address, std::span<std::byte> to) {
  if (loss_) return Error{Stage::check, loss_->how};
  if (isClosed_) return askForBytes(address, to);
  const auto since = Steady::now();
  Result<void> done = process_.read(address, to);
  // What is not there any more has ended, be it by its walls.
  return done || !process_.ended() ? done : lose(since);
}

std::size_t Guest::readEach(std::span<const Place> places) const {
  return loss_ ? 0 : process_.readEach(places);
}

bool Guest::write(const Place& place) const {
  return loss_ || process_.write(place);
}

bool Guest::write(const DeviceSegment& segment, const Place& place) {
  return loss_ || segments_.write(segment, place.address, place.to);
}

Result<void> Guest::read(const DeviceSegment& segment, std::uint64_t address, void* to, std::size_t size) {
  if (loss_) return Error{Stage::check, loss_->how};
  return segments_.read(segment, address, to, size);
}

}  // namespace wb

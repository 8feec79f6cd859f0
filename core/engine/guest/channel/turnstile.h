// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>

namespace wb {

/// A number in shared memory that one process raises and another one waits for.
struct alignas(64) SharedCount {
  std::atomic<std::uint32_t> value;
  /// Somebody sleeps until it changes.
  std::atomic<std::uint32_t> sleeps;
};

/// How an order is carried out.
enum class OrderKind : std::uint32_t {
  /// Only answer: it tells that the guest is awake.
  ready,
  /// There is a message on the socket.
  message,
  /// Run call `number`; on a GPU, only enqueue it.
  run,
  /// The same, and keep in mind what ran; it is asked for by a message.
  runWatched,
  /// Run it again and again for some milliseconds, and keep in mind in which code of torch's that was; it is
  /// asked for by a message.
  runSampled,
  /// Wait for the GPU until all that was run is done.
  finish,
  /// Have the GPU do nothing, and wait for it. A GPU turns to another process in some 0.15 ms, and does that
  /// now, before a clock begins.
  turnTo,
};

/// The first page of the memory that judge and guest share. The guest may write anything into it at any time,
/// so the judge believes nothing in it: it keeps its own count of orders, and what it reads it copies first.
struct Turnstile {
  /// The orders given so far, by the judge, and how many of them are carried out, by the guest.
  SharedCount orders, answers;
  alignas(64) OrderKind kind;
  std::uint32_t number;
  /// How many bytes of the generator's state below go with the order; 0 for none.
  std::uint32_t generatorBytes;
  alignas(64) std::byte generator[8192];
};

/// Where the slots of the prepared calls begin, and how large one is. A guest's call writes there what it
/// returned.
inline constexpr std::size_t slotsBegin = 16384, slotBytes = 32768, slotCount = 192;
/// The slot in which a guest writes what the GPU said at last; no call has it.
inline constexpr std::uint32_t finishSlot = slotCount - 1;
static_assert(sizeof(Turnstile) <= slotsBegin);

/// Raises a count to `value` and wakes who waits for it.
void raise(SharedCount& count, std::uint32_t value);

/// Waits until a count has another value than `seen`: it looks again and again for some time, and then
/// sleeps. `goOn` is asked about every 20 ms of sleep, and false ends the wait. Gives whether the value
/// changed.
bool waitForChange(SharedCount& count, std::uint32_t seen, std::chrono::microseconds looking,
                   const std::function<bool()>& goOn = {});

}  // namespace wb

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>

#include "core/base/result.h"
#include "core/model/builds/builds.h"
#include "core/model/event.h"
#include "core/model/job.h"
#include "core/protocol/frame.h"
#include "core/protocol/seal.h"

namespace wb {

/// This number changes with the JSON form of Job and Event and with the messages below, except for the frozen
/// ones.
constexpr int protocolVersion = 8;

// Frozen: types 1 to 15 and these two members' JSON keys ("protocol", "build") never change, so that any two
// builds can tell each other that they do not fit.

/// First message of the worker.
struct Hello {
  int protocol = protocolVersion;
  /// Version and commit of the program.
  std::string build;
  /// The device and its software; without torch when `failure` is set.
  Target target;
  /// Why it cannot work: "torch 2.11 not found …"; "" when it is ready.
  std::string failure;
  /// What to do about it.
  std::string hint;
  bool operator==(const Hello&) const = default;
};
/// Answer to Hello: go on, or not.
struct Welcome {
  bool accepted = true;
  std::string reason;
  /// With what the worker seals all that it says from now on; nothing where nobody looks at seals.
  std::optional<SealKey> seal{};
  bool operator==(const Welcome&) const = default;
};

// From the runner to the worker.
struct RunJob {
  Job job;
  bool operator==(const RunJob&) const = default;
};
/// Asks a worker at rest what it builds kernels with. To find that out starts compilers, so it is asked only
/// where one machine may build for another.
struct AskBuilds {
  bool operator==(const AskBuilds&) const = default;
};
/// Has a worker build the kernels that the job's work names, for this architecture ("" for none), and load no
/// more of them than has to be. It answers with what was built, with log lines, and with Finished.
struct CompileAhead {
  Job job;
  std::string architecture;
  bool operator==(const CompileAhead&) const = default;
};
/// Stops the run after the sample under way.
struct Cancel {
  bool operator==(const Cancel&) const = default;
};
/// Sent every few seconds to a worker that has work, which ends when it hears nothing for so long, with such
/// an exit code. A worker at rest waits for its next job for as long as its runner lives.
struct Ping {
  bool operator==(const Ping&) const = default;
};
inline constexpr std::chrono::seconds longestRunnerSilence{30};
inline constexpr int runnerWasSilent = 3;
/// Sent both ways: the sender is about to end in an orderly way.
struct Bye {
  /// Said by a worker with which nothing went wrong, but whose last kernel left something behind that cannot
  /// be undone. The run goes on with the next kernel in another worker.
  bool spoiled = false;
  bool operator==(const Bye&) const = default;
};

// From the worker to the runner.
/// Sent every second from a job to its Finished. A worker at rest says nothing, and wakes nobody.
struct Heartbeat {
  std::uint64_t beat = 0;
  bool operator==(const Heartbeat&) const = default;
};
struct Happened {
  Event event;
  bool operator==(const Happened&) const = default;
};

/// The answer to AskBuilds.
struct Builds {
  BuildFacts facts;
  bool operator==(const Builds&) const = default;
};

// Both ways.
/// What was built by CompileAhead, from a worker to its runner, and from there to the worker that will load
/// it, ahead of its job.
struct Built {
  BuiltFile file;
  /// Who has built it, in words for people.
  std::string from;
  /// The keyed hash of all of the above, by which a worker knows that its runner has sent it, and no kernel
  /// that has found the channel. 0 on the way to the runner, where messages have seals.
  std::uint64_t proof = 0;
  bool operator==(const Built&) const = default;
};
[[nodiscard]] std::uint64_t proofOf(const Built& built, const SealKey& key);

// From what stands between the runner and a worker that is elsewhere; a worker never says it.
/// Where the worker cannot be heard, and why.
struct Elsewhere {
  /// `waiting`: it is not started yet, and that is nobody's fault. `away`: it goes on, but cannot be reached
  /// now. `back`: it can again. `gone`: it was lost on the way, neither by its own fault nor by a kernel's.
  enum class State : std::uint8_t { waiting, away, back, gone };
  State state = State::waiting;
  std::string text;
  bool operator==(const Elsewhere&) const = default;
};

using Message = std::variant<Hello, Welcome, RunJob, Cancel, Ping, Bye, Heartbeat, Happened, Elsewhere,
                             AskBuilds, Builds, CompileAhead, Built>;

/// Whether a frame holds an Elsewhere.
[[nodiscard]] bool isElsewhere(const Frame& frame);

[[nodiscard]] Frame toFrame(const Message& message, std::uint32_t run = 0);
/// nullopt for a type that this version does not know, which is ignored; an error for a payload that cannot
/// be parsed.
Result<std::optional<Message>> fromFrame(const Frame& frame);

}  // namespace wb

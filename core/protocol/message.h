// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <variant>

#include "core/base/result.h"
#include "core/model/event.h"
#include "core/model/job.h"
#include "core/protocol/frame.h"

namespace wb {

/// Changes with any change of the messages below but the frozen ones, or of the JSON form of Job and Event.
constexpr int protocolVersion = 2;

// Frozen: types 1 to 15 and these two members' JSON keys ("protocol", "build") never change, so that any two
// builds can tell each other that they do not fit.

/// First message of the worker.
struct Hello {
  int protocol = protocolVersion;
  std::string build;    ///< version and commit of the program
  Target target;        ///< without torch when `failure` is set
  std::string failure;  ///< why it cannot work: "torch 2.11 not found …"; "" when it is ready
  std::string hint;     ///< what to do about it
  bool operator==(const Hello&) const = default;
};
/// Answer to Hello: go on, or not.
struct Welcome {
  bool accepted = true;
  std::string reason;
  bool operator==(const Welcome&) const = default;
};

// supervisor → worker
struct RunJob {
  Job job;
  bool operator==(const RunJob&) const = default;
};
struct Cancel {
  bool operator==(const Cancel&) const = default;
};  ///< stop the run after the sample under way
struct Ping {
  bool operator==(const Ping&) const = default;
};
/// Both ways: about to end, in order.
struct Bye {
  /// Of a worker: nothing went wrong with it, but the kernel it has just done with left something behind that
  /// cannot be undone. The run goes on with the next kernel in another worker.
  bool spoiled = false;
  bool operator==(const Bye&) const = default;
};

// worker → supervisor
struct Heartbeat {
  std::uint64_t beat = 0;
  bool operator==(const Heartbeat&) const = default;
};
struct Happened {
  Event event;
  bool operator==(const Happened&) const = default;
};

using Message = std::variant<Hello, Welcome, RunJob, Cancel, Ping, Bye, Heartbeat, Happened>;

[[nodiscard]] Frame toFrame(const Message& message, std::uint32_t run = 0);
/// nullopt for a type that this version does not know (ignored); an error for a payload that does not parse.
Result<std::optional<Message>> fromFrame(const Frame& frame);

}  // namespace wb

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/base/enum.h"
#include "core/base/error.h"
#include "core/model/cache_state.h"

namespace wb {

/// Which of the two that a case compares.
WB_ENUM(Side, candidate, reference);

/// What the profile stage looks at, of both sides over one case. What the device or the driver refuses is
/// left out, with a note in the report.
struct ProfilePlan {
  /// Ids of sections of the metric catalogue (core/model/metrics/metric_catalogue.h), or "quick" (the metrics
  /// that share passes) or "all". Empty: no counters.
  std::vector<std::string> sections = {"quick"};
  bool timeline = true;  ///< activity records of one call of each side
  bool lines = true;     ///< PC samples of the candidate
  bool listing = true;   ///< the candidate's machine code; needs no GPU
  int cases = 1;         ///< how many cases of each kernel: those that the reference takes longest for
  std::vector<std::uint32_t> indices{};  ///< these planned cases instead
  /// What counters are read with. Unknown: what the case's headline time was taken with; cold without one.
  CacheState caches = CacheState::unknown;
  bool operator==(const ProfilePlan&) const = default;
};

/// One metric over one launch, under its CUPTI name, in CUPTI's unit (metric_catalogue.h says which).
struct MetricValue {
  std::string name;
  double value = 0;
  bool operator==(const MetricValue&) const = default;
};

/// One kernel that a call launched: how, with what, and what the device counted.
/// Source: CUPTI activity records, function attributes, range profiler (the call is run again for each pass).
struct Launch {
  std::string function;                ///< name in the binary
  std::string kernel;                  ///< the same demangled, for people
  std::array<int, 3> grid{}, block{};  ///< blocks, threads
  int registers = 0;                   ///< per thread
  std::int64_t staticShared = 0;       ///< bytes per block
  std::int64_t dynamicShared = 0;      ///< bytes per block
  std::int64_t localBytes = 0;         ///< local memory (spills, arrays) per thread
  double seconds = 0;                  ///< device time by its activity record; 0 unknown
  std::uint32_t stream = 0;            ///< CUPTI's number of its stream
  std::vector<MetricValue> metrics;    ///< what was asked for and could be counted
  bool operator==(const Launch&) const = default;
};

WB_ENUM(ActivityKind, kernel, copy, fill, api);

/// Something that took time during one call. Source: CUPTI activity records.
struct Activity {
  ActivityKind kind = ActivityKind::kernel;
  std::string name;  ///< kernel, demangled; "copy host to device"; "cudaLaunchKernel"
  double start = 0;  ///< seconds since the first record of the call
  double seconds = 0;
  std::uint32_t stream = 0;  ///< of the device; 0 for calls of the host
  std::int64_t bytes = 0;    ///< copied or filled
  bool operator==(const Activity&) const = default;
};

/// Samples of one stall reason ("long_scoreboard"), CUPTI's names without their prefix.
struct StallSamples {
  std::string reason;
  std::int64_t samples = 0;
  bool operator==(const StallSamples&) const = default;
};

/// What PC sampling saw at one instruction of the candidate.
struct PcSample {
  std::string function;      ///< name in the binary
  std::uint64_t offset = 0;  ///< of the instruction in the function, bytes
  Place place;               ///< line of the source it was made for; line 0 unknown
  std::vector<StallSamples> stalls;
  bool operator==(const PcSample&) const = default;
};

/// One machine instruction.
struct Instruction {
  std::uint64_t offset = 0;
  std::string text;    ///< as nvdisasm prints it: "LDG.E R2, [R2.64]"
  int line = 0;        ///< of the source; 0 unknown
  std::string file{};  ///< of that line, where it is not the kernel's own
  bool operator==(const Instruction&) const = default;
};

/// Machine code of one function of a kernel, disassembled.
struct Listing {
  std::string function, kernel;  ///< name in the binary, demangled
  std::string architecture;      ///< "sm_90"
  std::vector<Instruction> instructions;
  bool operator==(const Listing&) const = default;
};

/// What is known of one side of a case. Arrives in parts, which the fold puts together.
struct SideProfile {
  std::vector<Launch> launches;             ///< of one call, in order; metrics of a call are theirs
  int passes = 0;                           ///< that the counters took
  CacheState caches = CacheState::unknown;  ///< what the launches' metrics were counted with
  double seconds = 0;                       ///< wall time that profiling took
  std::vector<std::string> missing;         ///< metrics that this chip does not have
  std::vector<Activity> activities;
  std::vector<PcSample> samples;
  std::int64_t droppedSamples = 0;
  double samplingPeriod = 0;       ///< device cycles between two samples
  std::vector<std::string> notes;  ///< what could not be had and why, for people
  bool operator==(const SideProfile&) const = default;
};

struct CaseProfile {
  SideProfile candidate, reference;
  bool done = false;
  std::string notProfiled;  ///< why there is no profile
  bool operator==(const CaseProfile&) const = default;
};

/// What a device reaches, measured on it. Zeros are unknown.
struct Ceilings {
  std::string uuid;               ///< "GPU-…" of the card
  std::string measuredAt;         ///< ISO 8601, UTC
  double dramBytesPerSecond = 0;  ///< the better of a copy and of reading, far larger than the L2
  double l2BytesPerSecond = 0;    ///< reads of what stays in the L2
  double l1BytesPerSecond = 0;    ///< reads of what stays in the L1
  double sharedBytesPerSecond = 0;
  double fp64 = 0, fp32 = 0;  ///< operations per second, FMA counting two
  double fp16Tensor = 0, bf16Tensor = 0, tf32Tensor = 0;
  double launchSeconds = 0;  ///< an empty kernel in a graph
  double emptySeconds = 0;   ///< an empty kernel by CUPTI's records
  double tickSeconds = 0;    ///< of events: the smallest step between two times of theirs
  /// Share of reads that came from memory after the buffer that empties the L2 was written; 0: not measured.
  double evicted = 0;
  bool operator==(const Ceilings&) const = default;
};

}  // namespace wb

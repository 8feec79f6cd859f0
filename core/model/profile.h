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

/// One of the two sides that a case compares.
WB_ENUM(Side, candidate, reference);

/// What the profile stage looks at, for both sides of a case. What the device or the driver refuses is left
/// out, with a note in the report.
struct ProfilePlan {
  /// The ids of sections of the metric catalogue (core/model/metrics/metric_catalogue.h), or "quick" (the
  /// metrics that share passes) or "all". When this is empty, there are no counters.
  std::vector<std::string> sections = {"quick"};
  /// Takes activity records of one call of each side.
  bool timeline = true;
  /// Takes PC samples of the candidate.
  bool lines = true;
  /// Lists the candidate's machine code; this needs no GPU.
  bool listing = true;
  /// How many cases of each kernel are profiled: those that the reference takes longest for.
  int cases = 1;
  /// The planned cases that are profiled instead.
  std::vector<std::uint32_t> indices{};
  /// The state of the caches when counters are read. Unknown means that of the case's headline time, or cold
  /// without one.
  CacheState caches = CacheState::unknown;
  /// The GPU architecture to compile for, "sm_100"; "" means the device's, or sm_90 without a GPU. Code for
  /// another architecture than the device's is listed and not run.
  std::string architecture{};
  bool operator==(const ProfilePlan&) const = default;
};

/// The value of one metric for one launch, under its CUPTI name and in CUPTI's unit (metric_catalogue.h says
/// which).
struct MetricValue {
  std::string name;
  double value = 0;
  bool operator==(const MetricValue&) const = default;
};

/// One kernel that a call launched: how, with what, and what the device counted. Source: CUPTI activity
/// records, function attributes, range profiler (the call is run again for each pass).
struct Launch {
  /// The function's name in the binary.
  std::string function;
  /// The same name demangled, for people.
  std::string kernel;
  /// The number of blocks, and of threads in a block.
  std::array<int, 3> grid{}, block{};
  /// The registers per thread.
  int registers = 0;
  /// The static shared memory per block.
  std::int64_t staticShared = 0;
  /// The dynamic shared memory per block.
  std::int64_t dynamicShared = 0;
  /// The local memory (spills, arrays) per thread.
  std::int64_t localBytes = 0;
  /// The device's time by its activity record; 0 when unknown.
  double seconds = 0;
  /// CUPTI's number of its stream.
  std::uint32_t stream = 0;
  /// The metrics that were asked for and could be counted.
  std::vector<MetricValue> metrics;
  bool operator==(const Launch&) const = default;
};

WB_ENUM(ActivityKind, kernel, copy, fill, api);

/// Something that took time during one call. Source: CUPTI activity records.
struct Activity {
  ActivityKind kind = ActivityKind::kernel;
  /// The name: a demangled kernel, "copy host to device", "cudaLaunchKernel".
  std::string name;
  /// When it began, in seconds since the first record of the call.
  double start = 0;
  double seconds = 0;
  /// The stream of the device; 0 for calls of the host.
  std::uint32_t stream = 0;
  /// How many bytes were copied or filled.
  std::int64_t bytes = 0;
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
  /// The function's name in the binary.
  std::string function;
  /// The place of the instruction in the function, in bytes.
  std::uint64_t offset = 0;
  /// The line of the source that it was made for; line 0 is unknown.
  Place place;
  std::vector<StallSamples> stalls;
  bool operator==(const PcSample&) const = default;
};

/// The language of a listing: machine code of a GPU or of the host, or what compilers make on the way there
/// (PTX, Triton's two forms of MLIR, LLVM's).
WB_ENUM(ListingKind, sass, ptx, ttir, ttgir, llir, host);

/// One machine instruction.
struct Instruction {
  std::uint64_t offset = 0;
  /// The text as nvdisasm prints it: "LDG.E R2, [R2.64]".
  std::string text;
  /// The line of the source; 0 when unknown.
  int line = 0;
  /// The file of that line, where it is not the kernel's own.
  std::string file{};
  /// How many general registers are in use there, where the disassembler says so; 0 when unknown.
  int live = 0;
  bool operator==(const Instruction&) const = default;
};

/// The code of one function of a kernel: disassembled, or as a compiler wrote it.
struct Listing {
  /// Its name in the binary, and demangled.
  std::string function, kernel;
  /// The architecture: "sm_90", "x86-64".
  std::string architecture;
  /// The instructions of machine code.
  std::vector<Instruction> instructions;
  ListingKind kind = ListingKind::sass;
  /// The dtype of scalar_t that it was compiled for; may be "".
  std::string dtype{};
  /// What a compiler wrote, of kinds that are no machine code.
  std::string text{};
  bool operator==(const Listing&) const = default;
};

/// What is known of one side of a case. It arrives in parts, which the fold puts together.
struct SideProfile {
  /// The launches of one call, in order; the metrics of a call are theirs.
  std::vector<Launch> launches;
  /// How many passes the counters took.
  int passes = 0;
  /// The state of the caches when the launches' metrics were counted.
  CacheState caches = CacheState::unknown;
  /// The wall time that profiling took.
  double seconds = 0;
  /// The metrics that this chip does not have.
  std::vector<std::string> missing;
  std::vector<Activity> activities;
  std::vector<PcSample> samples;
  std::int64_t droppedSamples = 0;
  /// The device's cycles between two samples.
  double samplingPeriod = 0;
  /// What could not be had and why, for people.
  std::vector<std::string> notes;
  bool operator==(const SideProfile&) const = default;
};

struct CaseProfile {
  SideProfile candidate, reference;
  bool done = false;
  /// Why there is no profile.
  std::string notProfiled;
  bool operator==(const CaseProfile&) const = default;
};

/// What a device reaches, measured on it. Zeros are unknown.
struct Ceilings {
  /// The card's UUID, "GPU-…".
  std::string uuid;
  /// The time by ISO 8601, in UTC.
  std::string measuredAt;
  /// The better of copying and reading memory far larger than the L2.
  double dramBytesPerSecond = 0;
  /// The rate of reads that stay in the L2.
  double l2BytesPerSecond = 0;
  /// The rate of reads that stay in the L1.
  double l1BytesPerSecond = 0;
  double sharedBytesPerSecond = 0;
  /// The operations per second; an FMA counts as two.
  double fp64 = 0, fp32 = 0;
  double fp16Tensor = 0, bf16Tensor = 0, tf32Tensor = 0;
  /// The time of an empty kernel in a graph.
  double launchSeconds = 0;
  /// The time of an empty kernel by CUPTI's records.
  double emptySeconds = 0;
  /// The tick of events: the smallest step between two of their times.
  double tickSeconds = 0;
  /// The share of reads that miss the L2 after the buffer that empties it was written.
  double evicted = 0;
  bool operator==(const Ceilings&) const = default;
};

}  // namespace wb

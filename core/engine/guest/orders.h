// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/engine/call_elsewhere.h"
#include "core/engine/compile/compiler.h"
#include "core/engine/guest/channel/bytes.h"
#include "core/engine/guest/device_memory.h"
#include "core/engine/reference/problem_models.h"
#include "core/model/job.h"
#include "core/model/ran.h"
#include "core/protocol/seal.h"

namespace wb {

/// What a message from the judge asks for.
enum class Order : std::uint8_t {
  greet,
  load,
  prepare,
  makeInputs,
  rememberBuffers,
  sayBuffers,
  drawParameters,
  sayWhatRan,
  sayHotCode,
  profile,
  rest,
  copy,
  sayAnswer
};

/// What stands at the end of each answer of a guest that is closed to its judge: who says it, how many orders
/// it has carried out, and to which message it is the answer, by a hash under a key that was drawn for it. So
/// orders and messages of others are seen.
struct SaidBy {
  std::uint64_t orders = 0;
  std::int64_t pid = 0;
  SealKey key{};
  std::uint64_t message = 0;
};
[[nodiscard]] inline std::uint64_t hashOf(const SealKey& key, std::span<const std::byte> bytes) {
  return sipHash(key, {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

/// A kernel to be loaded. `object` is the shared object that the judge had built, "" in languages that are
/// not built ahead: one that `namesKernels` is given those that it names, and one that does not run is loaded
/// for its names alone. `op` is "" for a problem, of which `part` is loaded.
struct LoadOrder {
  std::string language, op, schema, device, object, function;
  KernelSource source;
  bool runs = true, namesKernels = false;
  ProblemPart part = ProblemPart::both;
  double deadlineSeconds = 120;
  std::int64_t inputBytes = 0, modelSeed = 0;
};
void write(ByteWriter& to, const LoadOrder& order);
[[nodiscard]] LoadOrder readLoadOrder(ByteReader& from);

/// What the guest says of a kernel that it has loaded. None of it counts for more than words.
struct LoadedInGuest {
  std::string function, toolchain, note;
  /// It was compiled, and cannot run here, as `note` says.
  bool isOnlyCompiled = false;
  /// Of a problem's reference: its operator, the schema, and what its cases spell.
  std::string op, schema;
  std::vector<std::string> calls;
  /// OwnReference::changes.
  std::string changes{};
};
void write(ByteWriter& to, const LoadedInGuest& loaded);
[[nodiscard]] LoadedInGuest readLoadedInGuest(ByteReader& from);

/// What a problem's model keeps and has drawn, as the guest says. What is read has no more of them than a
/// model may have, and no longer names.
void write(ByteWriter& to, const std::vector<KeptBuffer>& buffers);
[[nodiscard]] std::vector<KeptBuffer> readBuffers(ByteReader& from);
void write(ByteWriter& to, const std::vector<DrawnParameter>& drawn);
[[nodiscard]] std::vector<DrawnParameter> readDrawn(ByteReader& from);

/// What ran in the last watched call, as the guest says. What is read has no more parts and no longer words
/// than a watch gives, and no times that are none.
void write(ByteWriter& to, const std::vector<RanPart>& ran);
[[nodiscard]] std::vector<RanPart> readRan(ByteReader& from);

/// The same with what was written outside of tensors that were made there.
void write(ByteWriter& to, const RanThere& ran);
[[nodiscard]] RanThere readRanThere(ByteReader& from);

/// In which code of torch's a sampled call spent its time, as the guest says. What is read has no more of it
/// than traps can be set for, and no times that are none.
void write(ByteWriter& to, const std::vector<HotCode>& code);
[[nodiscard]] std::vector<HotCode> readHotCode(ByteReader& from);

/// How a prepared call is profiled, and what came of it: by its own word, and no more than one side's profile
/// holds.
void write(ByteWriter& to, const AskedProfile& asked);
[[nodiscard]] AskedProfile readAskedProfile(ByteReader& from);
void write(ByteWriter& to, const std::vector<SideProfile>& parts);
[[nodiscard]] std::vector<SideProfile> readProfile(ByteReader& from);

/// Memory that a call's arguments lie in. A descriptor comes with the message where it is new to the guest.
struct MemoryUse {
  std::uint32_t number = 0;
  std::uint64_t size = 0;
  bool isNew = false, onDevice = false;
};

/// Where a result on a GPU lies.
void write(ByteWriter& to, const DeviceSegment& segment);
[[nodiscard]] DeviceSegment readSegment(ByteReader& from);

/// The begin of an order to prepare a call; the arguments follow.
struct PrepareOrder {
  /// The calls that are not needed any more.
  std::vector<std::uint32_t> dropped;
  /// The call's own number, which is also that of its slot.
  std::uint32_t number = 0;
  /// How its case spells the call.
  std::string spelling;
  std::vector<MemoryUse> memory;
  std::uint32_t arguments = 0;
  /// A GPU's libraries multiply numbers of float32 as such in this call, and not as TF32.
  bool fullPrecision = false;
};
void write(ByteWriter& to, const PrepareOrder& order);
[[nodiscard]] PrepareOrder readPrepareOrder(ByteReader& from);

}  // namespace wb

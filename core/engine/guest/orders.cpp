// SPDX-License-Identifier: Apache-2.0
#include "core/engine/guest/orders.h"

#include <algorithm>
#include <cctype>
#include <cmath>

#include <nlohmann/json.hpp>

#include "core/engine/sides/bands/band_bytes.h"
#include "core/engine/sides/process/code_traps.h"
#include "core/model/json/event_bounds.h"
#include "core/model/json/json_codec.h"

namespace wb {
namespace {

constexpr std::size_t longestWord = 400, longestCall = 8000, mostCalls = 16;
constexpr std::size_t mostRan = 16, longestName = 200, mostOfModel = 10000;
/// Of a profile: its parts, and the bytes of one.
constexpr std::size_t mostParts = 4, largestPart = std::size_t{64} << 20;
constexpr double mostSeconds = 1e6;
constexpr std::uint32_t noResult = ~std::uint32_t{0};

bool isTime(double seconds) {
  return std::isfinite(seconds) && seconds >= 0 && seconds < mostSeconds;
}

}  // namespace

void write(ByteWriter& to, const LoadOrder& order) {
  for (const std::string* each :
       {&order.language, &order.op, &order.schema, &order.device, &order.object, &order.function,
        &order.source.path, &order.source.text, &order.source.language, &order.source.op,
        &order.source.referencePath, &order.source.referenceText})
    to.text(*each);
  for (const bool each : {order.runs, order.namesKernels}) to.put(static_cast<std::uint8_t>(each));
  to.put(order.part);
  to.put(order.deadlineSeconds);
  to.put(order.inputBytes);
  to.put(order.modelSeed);
}

LoadOrder readLoadOrder(ByteReader& from) {
  LoadOrder order;
  for (std::string* each : {&order.language, &order.op, &order.schema, &order.device, &order.object,
                            &order.function, &order.source.path, &order.source.text, &order.source.language,
                            &order.source.op, &order.source.referencePath, &order.source.referenceText})
    *each = from.text(std::string::npos);
  for (bool* each : {&order.runs, &order.namesKernels}) *each = from.get<std::uint8_t>() != 0;
  order.part = from.get<ProblemPart>();
  order.deadlineSeconds = from.get<double>();
  order.inputBytes = from.get<std::int64_t>();
  order.modelSeed = from.get<std::int64_t>();
  return order;
}

void write(ByteWriter& to, const LoadedInGuest& loaded) {
  for (const std::string* each : {&loaded.function, &loaded.toolchain, &loaded.note})
    to.text(std::string_view(*each).substr(0, longestWord));
  to.put(static_cast<std::uint8_t>(loaded.isOnlyCompiled));
  for (const std::string* each : {&loaded.op, &loaded.schema})
    to.text(std::string_view(*each).substr(0, longestCall));
  to.put(static_cast<std::uint32_t>(loaded.calls.size()));
  for (const std::string& each : loaded.calls) to.text(std::string_view(each).substr(0, longestCall));
  to.text(std::string_view(loaded.changes).substr(0, longestName));
}

LoadedInGuest readLoadedInGuest(ByteReader& from) {
  LoadedInGuest loaded;
  for (std::string* each : {&loaded.function, &loaded.toolchain, &loaded.note})
    *each = from.text(longestWord);
  loaded.isOnlyCompiled = from.get<std::uint8_t>() != 0;
  for (std::string* each : {&loaded.op, &loaded.schema}) *each = from.text(longestCall);
  const std::size_t calls = from.count(sizeof(std::uint32_t));
  for (std::size_t i = 0; i < calls && i < mostCalls; ++i) loaded.calls.push_back(from.text(longestCall));
  loaded.changes = from.text(longestName);
  return loaded;
}

void write(ByteWriter& to, const std::vector<RanPart>& ran) {
  const std::size_t count = std::min(ran.size(), mostRan);
  to.put(static_cast<std::uint32_t>(count));
  for (std::size_t i = 0; i < count; ++i) {
    for (const std::string* each : {&ran[i].owner, &ran[i].name})
      to.text(std::string_view(*each).substr(0, longestName));
    to.put(ran[i].times);
    to.put(ran[i].seconds);
  }
}

std::vector<RanPart> readRan(ByteReader& from) {
  std::vector<RanPart> ran;
  const std::size_t count = from.count(2 * sizeof(std::uint32_t));
  for (std::size_t i = 0; i < count && i < mostRan; ++i) {
    RanPart part;
    part.owner = from.text(longestName);
    part.name = from.text(longestName);
    part.times = from.get<std::int64_t>();
    part.seconds = from.get<double>();
    const bool isKnown =
        part.owner == ownedByKernel || part.owner == ownedByAten || part.owner == ownedByReference;
    const bool isWord = std::all_of(part.name.begin(), part.name.end(), [](unsigned char c) {
      return std::isalnum(c) != 0 || c == ':' || c == '_' || c == '.';
    });
    if (!from.bad() && isKnown && isWord && isTime(part.seconds) && part.times > 0)
      ran.push_back(std::move(part));
  }
  return ran;
}

void write(ByteWriter& to, const std::vector<KeptBuffer>& buffers) {
  const std::size_t count = std::min(buffers.size(), mostOfModel);
  to.put(static_cast<std::uint32_t>(count));
  for (std::size_t i = 0; i < count; ++i) {
    to.text(buffers[i].name);
    to.text(buffers[i].shape);
    to.put(static_cast<std::uint8_t>(buffers[i].changed));
  }
}

std::vector<KeptBuffer> readBuffers(ByteReader& from) {
  std::vector<KeptBuffer> buffers;
  const std::size_t count = std::min(from.count(2 * sizeof(std::uint32_t)), mostOfModel);
  for (std::size_t i = 0; i < count; ++i) {
    KeptBuffer one;
    one.name = from.text(longestName);
    one.shape = from.text(longestName);
    one.changed = from.get<std::uint8_t>() != 0;
    if (!from.bad()) buffers.push_back(std::move(one));
  }
  return buffers;
}

void write(ByteWriter& to, const std::vector<DrawnParameter>& drawn) {
  const std::size_t count = std::min(drawn.size(), mostOfModel);
  to.put(static_cast<std::uint32_t>(count));
  for (std::size_t i = 0; i < count; ++i) {
    to.text(drawn[i].name);
    to.put(drawn[i].digest);
  }
}

std::vector<DrawnParameter> readDrawn(ByteReader& from) {
  std::vector<DrawnParameter> drawn;
  const std::size_t count = std::min(from.count(sizeof(std::uint32_t)), mostOfModel);
  for (std::size_t i = 0; i < count; ++i) {
    DrawnParameter one;
    one.name = from.text(longestName);
    one.digest = from.get<std::uint64_t>();
    if (!from.bad()) drawn.push_back(std::move(one));
  }
  return drawn;
}

void write(ByteWriter& to, const RanThere& ran) {
  write(to, ran.parts);
  const WrittenThere beyond = ran.beyond.value_or(WrittenThere{});
  to.put(std::uint64_t{beyond.inFront});
  to.put(std::uint64_t{beyond.behind});
  to.put(beyond.result ? static_cast<std::uint32_t>(*beyond.result) : noResult);
}

RanThere readRanThere(ByteReader& from) {
  RanThere ran;
  ran.parts = readRan(from);
  WrittenThere beyond;
  beyond.inFront = from.get<std::uint64_t>();
  beyond.behind = from.get<std::uint64_t>();
  const auto result = from.get<std::uint32_t>();
  if (result != noResult) beyond.result = result;
  const bool isSome = beyond.inFront + beyond.behind > 0;
  if (!from.bad() && isSome && std::max(beyond.inFront, beyond.behind) <= bandBytes) ran.beyond = beyond;
  return ran;
}

void write(ByteWriter& to, const std::vector<HotCode>& code) {
  const std::size_t count = std::min(code.size(), CodeTraps::most);
  to.put(static_cast<std::uint32_t>(count));
  for (std::size_t i = 0; i < count; ++i) {
    to.put(code[i].place);
    to.put(code[i].seconds);
  }
}

std::vector<HotCode> readHotCode(ByteReader& from) {
  std::vector<HotCode> code;
  const std::size_t count = from.count(sizeof(std::uint64_t));
  for (std::size_t i = 0; i < count && i < CodeTraps::most; ++i) {
    HotCode one;
    one.place = from.get<std::uint64_t>();
    one.seconds = from.get<double>();
    if (!from.bad() && isTime(one.seconds)) code.push_back(one);
  }
  return code;
}

void write(ByteWriter& to, const DeviceSegment& segment) {
  to.put(segment.begin);
  to.put(segment.size);
  to.put(segment.handle);
}

DeviceSegment readSegment(ByteReader& from) {
  DeviceSegment segment;
  segment.begin = from.get<std::uint64_t>();
  segment.size = from.get<std::uint64_t>();
  segment.handle = from.get<decltype(segment.handle)>();
  return segment;
}

void write(ByteWriter& to, const PrepareOrder& order) {
  to.put(static_cast<std::uint32_t>(order.dropped.size()));
  for (const std::uint32_t each : order.dropped) to.put(each);
  to.put(order.number);
  to.text(order.spelling);
  to.put(static_cast<std::uint32_t>(order.memory.size()));
  for (const MemoryUse& each : order.memory) {
    to.put(each.number);
    to.put(each.size);
    to.put(static_cast<std::uint8_t>(each.isNew));
    to.put(static_cast<std::uint8_t>(each.onDevice));
  }
  to.put(order.arguments);
  to.put(static_cast<std::uint8_t>(order.fullPrecision));
}

PrepareOrder readPrepareOrder(ByteReader& from) {
  PrepareOrder order;
  const std::size_t dropped = from.count(sizeof(std::uint32_t));
  for (std::size_t i = 0; i < dropped; ++i) order.dropped.push_back(from.get<std::uint32_t>());
  order.number = from.get<std::uint32_t>();
  order.spelling = from.text(std::string::npos);
  const std::size_t memory = from.count(sizeof(std::uint32_t));
  for (std::size_t i = 0; i < memory; ++i) {
    MemoryUse use;
    use.number = from.get<std::uint32_t>();
    use.size = from.get<std::uint64_t>();
    use.isNew = from.get<std::uint8_t>() != 0;
    use.onDevice = from.get<std::uint8_t>() != 0;
    order.memory.push_back(use);
  }
  order.arguments = from.get<std::uint32_t>();
  order.fullPrecision = from.get<std::uint8_t>() != 0;
  return order;
}

void write(ByteWriter& to, const AskedProfile& asked) {
  to.put(static_cast<std::uint32_t>(asked.plan.sections.size()));
  for (const std::string& each : asked.plan.sections) to.text(each);
  to.put(static_cast<std::uint8_t>(asked.plan.timeline));
  to.put(asked.device);
  to.put(asked.cacheBytes);
  to.put(asked.caches);
  to.put(static_cast<std::uint8_t>(asked.chip.has_value()));
  if (!asked.chip) return;
  to.text(asked.chip->name);
  to.text(std::string_view(reinterpret_cast<const char*>(asked.chip->availability.data()),
                           asked.chip->availability.size()));
}

AskedProfile readAskedProfile(ByteReader& from) {
  AskedProfile asked;
  asked.plan.sections.resize(from.count(sizeof(std::uint32_t)));
  for (std::string& each : asked.plan.sections) each = from.text(longestName);
  asked.plan.timeline = from.get<std::uint8_t>() != 0;
  asked.device = from.get<int>();
  asked.cacheBytes = from.get<std::int64_t>();
  asked.caches = from.get<CacheState>();
  if (from.get<std::uint8_t>() == 0) return asked;
  asked.chip.emplace().name = from.text(longestName);
  const std::string availability = from.text(largestPart);
  asked.chip->availability.assign(availability.begin(), availability.end());
  return asked;
}

/// A part goes as the event that tells of it, whose form has its reader, and its bounds, already.
void write(ByteWriter& to, const std::vector<SideProfile>& parts) {
  to.put(static_cast<std::uint32_t>(parts.size()));
  for (const SideProfile& part : parts) {
    Event event = StepDone{Stage::profile, 0, 0, ProfilePart{Side::candidate, part, false}};
    std::string text = dump(toJson(event));
    if (text.size() > largestPart) text = dump(toJson(withoutBulk(event)));
    to.text(text);
  }
}

std::vector<SideProfile> readProfile(ByteReader& from) {
  std::vector<SideProfile> parts;
  const std::size_t count = from.count(sizeof(std::uint32_t));
  for (std::size_t i = 0; i < count && i < mostParts; ++i) {
    const auto json = parseJson(from.text(largestPart));
    Result<Event> event = json ? eventFromJson(*json) : json.error();
    if (!event) continue;
    boundTexts(*event);
    auto* const done = std::get_if<StepDone>(&*event);
    auto* const part = done != nullptr ? std::get_if<ProfilePart>(&done->result) : nullptr;
    if (part != nullptr) parts.push_back(std::move(part->part));
  }
  return parts;
}

}  // namespace wb

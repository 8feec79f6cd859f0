// SPDX-License-Identifier: Apache-2.0
#pragma once

// Members of the JSON form of what profiling gives; see json_fields.h.

#include "core/model/json/json_field.h"
#include "core/model/profile.h"

namespace wb {

template <>
inline constexpr std::array enumValues<Side>{Side::candidate, Side::reference};
template <>
inline constexpr std::array enumValues<CacheState>{CacheState::unknown, CacheState::cold, CacheState::hot};
template <>
inline constexpr std::array enumValues<ActivityKind>{ActivityKind::kernel, ActivityKind::copy,
                                                     ActivityKind::fill, ActivityKind::api};

template <class V, Maybe<ProfilePlan> S>
void fields(V& visit, S& s) {
  visit("sections", s.sections);
  visit("timeline", s.timeline);
  visit("lines", s.lines);
  visit("listing", s.listing);
  visit("cases", s.cases);
  visit("indices", s.indices);
  visit("caches", s.caches);
}
template <class V, Maybe<MetricValue> S>
void fields(V& visit, S& s) {
  visit("name", s.name);
  visit("value", s.value);
}
template <class V, Maybe<Launch> S>
void fields(V& visit, S& s) {
  visit("function", s.function);
  visit("kernel", s.kernel);
  visit("grid", s.grid);
  visit("block", s.block);
  visit("registers", s.registers);
  visit("staticShared", s.staticShared);
  visit("dynamicShared", s.dynamicShared);
  visit("localBytes", s.localBytes);
  visit("seconds", s.seconds);
  visit("stream", s.stream);
  visit("metrics", s.metrics);
}
template <class V, Maybe<Activity> S>
void fields(V& visit, S& s) {
  visit("kind", s.kind);
  visit("name", s.name);
  visit("start", s.start);
  visit("seconds", s.seconds);
  visit("stream", s.stream);
  visit("bytes", s.bytes);
}
template <class V, Maybe<StallSamples> S>
void fields(V& visit, S& s) {
  visit("reason", s.reason);
  visit("samples", s.samples);
}
template <class V, Maybe<PcSample> S>
void fields(V& visit, S& s) {
  visit("function", s.function);
  visit("offset", s.offset);
  visit("place", s.place);
  visit("stalls", s.stalls);
}
template <class V, Maybe<Instruction> S>
void fields(V& visit, S& s) {
  visit("offset", s.offset);
  visit("text", s.text);
  visit("line", s.line);
  visit("file", s.file);
}
template <class V, Maybe<Listing> S>
void fields(V& visit, S& s) {
  visit("function", s.function);
  visit("kernel", s.kernel);
  visit("architecture", s.architecture);
  visit("instructions", s.instructions);
}
template <class V, Maybe<SideProfile> S>
void fields(V& visit, S& s) {
  visit("launches", s.launches);
  visit("passes", s.passes);
  visit("caches", s.caches);
  visit("seconds", s.seconds);
  visit("missing", s.missing);
  visit("activities", s.activities);
  visit("samples", s.samples);
  visit("droppedSamples", s.droppedSamples);
  visit("samplingPeriod", s.samplingPeriod);
  visit("notes", s.notes);
}
template <class V, Maybe<CaseProfile> S>
void fields(V& visit, S& s) {
  visit("candidate", s.candidate);
  visit("reference", s.reference);
  visit("done", s.done);
  visit("notProfiled", s.notProfiled);
}
template <class V, Maybe<Ceilings> S>
void fields(V& visit, S& s) {
  visit("uuid", s.uuid);
  visit("measuredAt", s.measuredAt);
  visit("dramBytesPerSecond", s.dramBytesPerSecond);
  visit("l2BytesPerSecond", s.l2BytesPerSecond);
  visit("l1BytesPerSecond", s.l1BytesPerSecond);
  visit("sharedBytesPerSecond", s.sharedBytesPerSecond);
  visit("fp64", s.fp64);
  visit("fp32", s.fp32);
  visit("fp16Tensor", s.fp16Tensor);
  visit("bf16Tensor", s.bf16Tensor);
  visit("tf32Tensor", s.tf32Tensor);
  visit("launchSeconds", s.launchSeconds);
  visit("emptySeconds", s.emptySeconds);
  visit("tickSeconds", s.tickSeconds);
  visit("evicted", s.evicted);
  visit("noiseShort", s.noiseShort);
  visit("noiseLong", s.noiseLong);
}

}  // namespace wb

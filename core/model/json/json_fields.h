// SPDX-License-Identifier: Apache-2.0
#pragma once

// Which members the JSON form has: one function per struct, used by the writer, the reader and the page
// resources/help/report-json.md, which lists the same keys. The visitor is called as visit(key, member).

#include <array>
#include <concepts>
#include <string_view>
#include <type_traits>

#include "core/model/event.h"
#include "core/model/job.h"
#include "core/model/json/json_profile_fields.h"
#include "core/model/report.h"

namespace wb {

template <>
inline constexpr std::array enumValues<Stage>{Stage::setup, Stage::job,     Stage::compile, Stage::check,
                                              Stage::time,  Stage::profile, Stage::report};
template <>
inline constexpr std::array enumValues<CaseUse>{CaseUse::checkAndTime, CaseUse::check, CaseUse::time};
template <>
inline constexpr std::array enumValues<Severity>{Severity::note, Severity::warning, Severity::error};
template <>
inline constexpr std::array enumValues<Verdict>{
    Verdict::notRun,     Verdict::pass,        Verdict::mismatch,     Verdict::wrongShape,
    Verdict::wrongDtype, Verdict::wrongCount,  Verdict::wrongDevice,  Verdict::threw,
    Verdict::crashed,    Verdict::hung,        Verdict::changedInput, Verdict::refused,
    Verdict::invalid,    Verdict::quarantined, Verdict::missing,      Verdict::tampered};
template <>
inline constexpr std::array enumValues<Blame>{Blame::kernel, Blame::reference, Blame::profiler,
                                              Blame::warpbench};
template <>
inline constexpr std::array enumValues<Pace>{Pace::undecided, Pace::faster, Pace::slower, Pace::same};
template <>
inline constexpr std::array enumValues<Outcome>{Outcome::running, Outcome::finished, Outcome::cancelled,
                                                Outcome::workerLost};
template <>
inline constexpr std::array enumValues<Progress>{Progress::waiting, Progress::compiling, Progress::checking,
                                                 Progress::timing,  Progress::profiling, Progress::done,
                                                 Progress::failed};

template <class V, Maybe<Error> S>
void fields(V& visit, S& s) {
  visit("stage", s.stage);
  visit("text", s.text);
  visit("hint", s.hint);
  visit("place", s.place);
  visit("type", s.type);
  visit("trace", s.trace);
}
template <class V, Maybe<Case> S>
void fields(V& visit, S& s) {
  visit("op", s.op);
  visit("args", s.args);
  visit("shapes", s.shapes);
  visit("dtype", s.dtype);
  visit("count", s.count);
  visit("seed", s.seed);
  visit("origin", s.origin);
  visit("values", s.values);
  visit("group", s.group);
  visit("label", s.label);
  visit("use", s.use);
}
template <class V, Maybe<Diagnostic> S>
void fields(V& visit, S& s) {
  visit("severity", s.severity);
  visit("message", s.message);
  visit("code", s.code);
  visit("place", s.place);
  visit("tool", s.tool);
}

// Job
template <class V, Maybe<KernelSource> S>
void fields(V& visit, S& s) {
  visit("path", s.path);
  visit("text", s.text);
  visit("language", s.language);
  visit("op", s.op);
  visit("referencePath", s.referencePath);
  visit("referenceText", s.referenceText);
}
template <class V, Maybe<Stages> S>
void fields(V& visit, S& s) {
  visit("check", s.check);
  visit("time", s.time);
  visit("profile", s.profile);
}
template <class V, Maybe<Tolerance> S>
void fields(V& visit, S& s) {
  visit("preset", s.preset);
  visit("rtol", s.rtol);
  visit("atol", s.atol);
}
template <class V, Maybe<Checking> S>
void fields(V& visit, S& s) {
  visit("repeat", s.repeat);
  visit("oracle", s.oracle);
  visit("scoreTrivial", s.scoreTrivial);
  visit("likeBackendBench", s.likeBackendBench);
  visit("scoreCrashed", s.scoreCrashed);
}
template <class V, Maybe<TimingPlan> S>
void fields(V& visit, S& s) {
  visit("capSeconds", s.capSeconds);
  visit("targetHalfWidth", s.targetHalfWidth);
}
template <class V, Maybe<Limits> S>
void fields(V& visit, S& s) {
  visit("compileSeconds", s.compileSeconds);
  visit("caseSeconds", s.caseSeconds);
  visit("firstCallSeconds", s.firstCallSeconds);
  visit("profileSeconds", s.profileSeconds);
  visit("tensorBytes", s.tensorBytes);
  visit("logBytes", s.logBytes);
}
template <class V, Maybe<Resume> S>
void fields(V& visit, S& s) {
  visit("kernel", s.kernel);
  visit("stage", s.stage);
  visit("index", s.index);
  visit("passed", s.passed);
  visit("referenceAlone", s.referenceAlone);
}
template <class V, Maybe<Job> S>
void fields(V& visit, S& s) {
  visit("kernels", s.kernels);
  visit("suite", s.suite);
  visit("cases", s.cases);
  visit("stages", s.stages);
  visit("tolerance", s.tolerance);
  visit("checking", s.checking);
  visit("timing", s.timing);
  visit("profile", s.profile);
  visit("sanitizer", s.sanitizer);
  visit("limits", s.limits);
  visit("seed", s.seed);
  visit("device", s.device);
  visit("resume", s.resume);
}

// Measurements
template <class V, Maybe<Block> S>
void fields(V& visit, S& s) {
  visit("reference", s.reference);
  visit("candidate", s.candidate);
  visit("mirrored", s.mirrored);
}
template <class V, Maybe<Speedup> S>
void fields(V& visit, S& s) {
  visit("ratio", s.ratio);
  visit("low", s.low);
  visit("high", s.high);
  visit("pace", s.pace);
}
template <class V, Maybe<BothSides> S>
void fields(V& visit, S& s) {
  visit("reference", s.reference);
  visit("candidate", s.candidate);
}
template <class V, Maybe<Conditions> S>
void fields(V& visit, S& s) {
  visit("smHertz", s.smHertz);
  visit("memoryHertz", s.memoryHertz);
  visit("watts", s.watts);
  visit("celsius", s.celsius);
  visit("throttle", s.throttle);
}
template <class V, Maybe<CaseTiming> S>
void fields(V& visit, S& s) {
  visit("reference", s.reference);
  visit("candidate", s.candidate);
  visit("speedup", s.speedup);
  visit("time", s.time);
  visit("clock", s.clock);
  visit("caches", s.caches);
  visit("note", s.note);
  visit("warmups", s.warmups);
  visit("callsPerSample", s.callsPerSample);
  visit("blocks", s.blocks);
  visit("kernel", s.kernel);
  visit("kernelHot", s.kernelHot);
  visit("step", s.step);
  visit("stepCaches", s.stepCaches);
  visit("call", s.call);
  visit("host", s.host);
  visit("events", s.events);
  visit("disagree", s.disagree);
  visit("tick", s.tick);
  visit("empty", s.empty);
  visit("joules", s.joules);
  visit("floor", s.floor);
  visit("floorBy", s.floorBy);
  visit("noise", s.noise);
  visit("math", s.math);
  visit("ran", s.ran);
  visit("conditions", s.conditions);
  visit("dropped", s.dropped);
}
template <class V, Maybe<ErrorFigures> S>
void fields(V& visit, S& s) {
  visit("maxAbs", s.maxAbs);
  visit("maxRel", s.maxRel);
  visit("maxUlp", s.maxUlp);
  visit("mismatches", s.mismatches);
  visit("elements", s.elements);
  visit("firstBadIndex", s.firstBadIndex);
  visit("expected", s.expected);
  visit("actual", s.actual);
  visit("p50Abs", s.p50Abs);
  visit("p99Abs", s.p99Abs);
  visit("oracleAbs", s.oracleAbs);
  visit("oracleReferenceAbs", s.oracleReferenceAbs);
  visit("cluster", s.cluster);
  visit("forgiven", s.forgiven);
}
template <class V, Maybe<PeerErrors> S>
void fields(V& visit, S& s) {
  visit("maxAbs", s.maxAbs);
  visit("maxRel", s.maxRel);
}
template <class V, Maybe<CaseCheck> S>
void fields(V& visit, S& s) {
  visit("verdict", s.verdict);
  visit("message", s.message);
  visit("errors", s.errors);
  visit("rtol", s.rtol);
  visit("atol", s.atol);
  visit("seconds", s.seconds);
  visit("errorType", s.errorType);
  visit("trace", s.trace);
  visit("trivial", s.trivial);
  visit("varies", s.varies);
  visit("lower", s.lower);
  visit("delegates", s.delegates);
  visit("peer", s.peer);
}

// Events
template <class V, Maybe<Target> S>
void fields(V& visit, S& s) {
  visit("device", s.device);
  visit("deviceName", s.deviceName);
  visit("architecture", s.architecture);
  visit("torch", s.torch);
  visit("driver", s.driver);
  visit("host", s.host);
  visit("uuid", s.uuid);
  visit("multiprocessors", s.multiprocessors);
  visit("l2Bytes", s.l2Bytes);
  visit("memoryBytes", s.memoryBytes);
  visit("counters", s.counters);
}
template <class V, Maybe<Artifact> S>
void fields(V& visit, S& s) {
  visit("name", s.name);
  visit("dtype", s.dtype);
  visit("architecture", s.architecture);
  visit("registers", s.registers);
  visit("spillLoads", s.spillLoads);
  visit("spillStores", s.spillStores);
  visit("sharedBytes", s.sharedBytes);
  visit("binaryBytes", s.binaryBytes);
  visit("assembly", s.assembly);
}
template <class V, Maybe<JobStarted> S>
void fields(V& visit, S& s) {
  visit("target", s.target);
  visit("startedAt", s.startedAt);
}
template <class V, Maybe<CompileStarted> S>
void fields(V& visit, S& s) {
  visit("kernel", s.kernel);
  visit("language", s.language);
}
template <class V, Maybe<Diagnosed> S>
void fields(V& visit, S& s) {
  visit("kernel", s.kernel);
  visit("diagnostic", s.diagnostic);
}
template <class V, Maybe<Compiled> S>
void fields(V& visit, S& s) {
  visit("kernel", s.kernel);
  visit("op", s.op);
  visit("schema", s.schema);
  visit("seconds", s.seconds);
  visit("cached", s.cached);
  visit("toolchain", s.toolchain);
  visit("note", s.note);
  visit("artifacts", s.artifacts);
  visit("cases", s.cases);
  visit("runs", s.runs);
}
template <class V, Maybe<CaseStarted> S>
void fields(V& visit, S& s) {
  visit("kernel", s.kernel);
  visit("stage", s.stage);
  visit("index", s.index);
}
template <class V, Maybe<SideStarted> S>
void fields(V& visit, S& s) {
  visit("kernel", s.kernel);
  visit("index", s.index);
  visit("side", s.side);
  visit("first", s.first);
  visit("seconds", s.seconds);
}
template <class V, Maybe<CaseChecked> S>
void fields(V& visit, S& s) {
  visit("kernel", s.kernel);
  visit("index", s.index);
  visit("check", s.check);
}
template <class V, Maybe<CaseTimed> S>
void fields(V& visit, S& s) {
  visit("kernel", s.kernel);
  visit("index", s.index);
  visit("timing", s.timing);
}
template <class V, Maybe<CaseNotTimed> S>
void fields(V& visit, S& s) {
  visit("kernel", s.kernel);
  visit("index", s.index);
  visit("reason", s.reason);
}
template <class V, Maybe<CaseProfiled> S>
void fields(V& visit, S& s) {
  visit("kernel", s.kernel);
  visit("index", s.index);
  visit("side", s.side);
  visit("part", s.part);
  visit("last", s.last);
}
template <class V, Maybe<CaseNotProfiled> S>
void fields(V& visit, S& s) {
  visit("kernel", s.kernel);
  visit("index", s.index);
  visit("reason", s.reason);
}
template <class V, Maybe<Listed> S>
void fields(V& visit, S& s) {
  visit("kernel", s.kernel);
  visit("listings", s.listings);
}
template <class V, Maybe<DeviceMeasured> S>
void fields(V& visit, S& s) {
  visit("ceilings", s.ceilings);
}
template <class V, Maybe<Log> S>
void fields(V& visit, S& s) {
  visit("source", s.source);
  visit("text", s.text);
}
template <class V, Maybe<StageFailed> S>
void fields(V& visit, S& s) {
  visit("kernel", s.kernel);
  visit("error", s.error);
}
template <class V, Maybe<WorkerLost> S>
void fields(V& visit, S& s) {
  visit("blame", s.blame);
  visit("kernel", s.kernel);
  visit("doing", s.doing);
  visit("how", s.how);
  visit("lastWords", s.lastWords);
  visit("seconds", s.seconds);
}
template <class V, Maybe<Finished> S>
void fields(V& visit, S& s) {
  visit("outcome", s.outcome);
  visit("seconds", s.seconds);
}

/// The "event" key of each alternative.
template <class E>
inline constexpr std::string_view eventName{};
template <>
inline constexpr std::string_view eventName<JobStarted> = "JobStarted";
template <>
inline constexpr std::string_view eventName<CompileStarted> = "CompileStarted";
template <>
inline constexpr std::string_view eventName<Diagnosed> = "Diagnosed";
template <>
inline constexpr std::string_view eventName<Compiled> = "Compiled";
template <>
inline constexpr std::string_view eventName<CaseStarted> = "CaseStarted";
template <>
inline constexpr std::string_view eventName<SideStarted> = "SideStarted";
template <>
inline constexpr std::string_view eventName<CaseChecked> = "CaseChecked";
template <>
inline constexpr std::string_view eventName<CaseTimed> = "CaseTimed";
template <>
inline constexpr std::string_view eventName<CaseNotTimed> = "CaseNotTimed";
template <>
inline constexpr std::string_view eventName<CaseProfiled> = "CaseProfiled";
template <>
inline constexpr std::string_view eventName<CaseNotProfiled> = "CaseNotProfiled";
template <>
inline constexpr std::string_view eventName<Listed> = "Listed";
template <>
inline constexpr std::string_view eventName<DeviceMeasured> = "DeviceMeasured";
template <>
inline constexpr std::string_view eventName<Log> = "Log";
template <>
inline constexpr std::string_view eventName<StageFailed> = "StageFailed";
template <>
inline constexpr std::string_view eventName<WorkerLost> = "WorkerLost";
template <>
inline constexpr std::string_view eventName<Finished> = "Finished";

// Report
template <class V, Maybe<CaseRow> S>
void fields(V& visit, S& s) {
  visit("definition", s.definition);
  visit("check", s.check);
  visit("timing", s.timing);
  visit("notTimed", s.notTimed);
  visit("profile", s.profile);
}
template <class V, Maybe<Counts> S>
void fields(V& visit, S& s) {
  visit("total", s.total);
  visit("checked", s.checked);
  visit("passed", s.passed);
  visit("failed", s.failed);
  visit("neutral", s.neutral);
  visit("toTime", s.toTime);
  visit("timed", s.timed);
  visit("profiled", s.profiled);
  visit("crashed", s.crashed);
}
template <class V, Maybe<KernelReport> S>
void fields(V& visit, S& s) {
  visit("source", s.source);
  visit("progress", s.progress);
  visit("language", s.language);
  visit("compiled", s.compiled);
  visit("diagnostics", s.diagnostics);
  visit("failure", s.failure);
  visit("listings", s.listings);
  visit("cases", s.cases);
  visit("counts", s.counts);
}
template <class V, Maybe<Report> S>
void fields(V& visit, S& s) {
  visit("suite", s.suite);
  visit("stages", s.stages);
  visit("tolerance", s.tolerance);
  visit("checking", s.checking);
  visit("timing", s.timing);
  visit("profile", s.profile);
  visit("sanitizer", s.sanitizer);
  visit("seed", s.seed);
  visit("device", s.device);
  visit("target", s.target);
  visit("ceilings", s.ceilings);
  visit("startedAt", s.startedAt);
  visit("kernels", s.kernels);
  visit("log", s.log);
  visit("losses", s.losses);
  visit("failure", s.failure);
  visit("outcome", s.outcome);
  visit("seconds", s.seconds);
}

}  // namespace wb

// SPDX-License-Identifier: Apache-2.0
#pragma once

// The JSON form of every struct: its members, under their own names. The writer and the reader use it, and
// the page resources/help/report-json.md lists the same keys. A member that is not named here does not
// compile.

#include "core/base/sandbox/sandbox.h"
#include "core/model/event.h"
#include "core/model/job.h"
#include "core/model/json/json_field.h"
#include "core/model/report.h"

namespace wb {

WB_FIELDS(Place, file, line, column);

// Walls
WB_FIELDS(SandboxLimits, memoryBytes, fileBytes, scratchBytes, openFiles, threads, cpuSeconds, wallSeconds);
WB_FIELDS(Sandbox, readable, openable, writable, devices, scratch, mayStartProcesses, needsNamespaces,
          descriptors, limits);

// Profile
WB_FIELDS(ProfilePlan, sections, timeline, lines, listing, cases, indices, caches, architecture);
WB_FIELDS(MetricValue, name, value);
WB_FIELDS(Launch, function, kernel, grid, block, registers, staticShared, dynamicShared, localBytes, seconds,
          stream, metrics);
WB_FIELDS(Activity, kind, name, start, seconds, stream, bytes);
WB_FIELDS(StallSamples, reason, samples);
WB_FIELDS(PcSample, function, offset, place, stalls);
WB_FIELDS(Instruction, offset, text, line, file, live);
WB_FIELDS(Listing, function, kernel, architecture, instructions, kind, dtype, text);
WB_FIELDS(SideProfile, launches, passes, caches, seconds, missing, activities, samples, droppedSamples,
          samplingPeriod, notes);
WB_FIELDS(CaseProfile, candidate, reference, done, notProfiled);
WB_FIELDS(Ceilings, uuid, measuredAt, dramBytesPerSecond, l2BytesPerSecond, l1BytesPerSecond,
          sharedBytesPerSecond, fp64, fp32, fp16Tensor, bf16Tensor, tf32Tensor, launchSeconds, emptySeconds,
          tickSeconds, evicted);

WB_FIELDS(Error, stage, text, hint, place, type, trace);
WB_FIELDS(Case, op, args, shapes, dtype, count, seed, values, group, label, use, origin);
WB_FIELDS(Diagnostic, severity, message, code, place, tool);

// Job
WB_FIELDS(KernelSource, path, text, language, op, referencePath, referenceText);
WB_FIELDS(Tolerance, preset, rtol, atol);
WB_FIELDS(Checking, repeat, oracle, scoreTrivial, likeBackendBench, scoreCrashed);
WB_FIELDS(TimingPlan, capSeconds, targetHalfWidth);
WB_FIELDS(Limits, compileSeconds, caseSeconds, firstCallSeconds, profileSeconds, waitSeconds, tensorBytes,
          logBytes);
WB_FIELDS(StageWork, stage, cases, most);
WB_FIELDS(PlannedCases, op, count, dtypes, numbers, cases);
WB_FIELDS(KernelWork, kernel, compiled, stages, referenceAlone, passed, hot, planned);
WB_FIELDS(JobWork, begun, kernels, after);
WB_FIELDS(RunPlan, suite, stages, tolerance, checking, timing, profile, sanitizer, strict, seed, device,
          sandbox);
WB_BASE(Job, RunPlan);
WB_FIELDS(Job, kernels, cases, limits, work);

// Measurements
WB_FIELDS(RanPart, owner, name, times, seconds);
WB_FIELDS(Block, reference, candidate, mirrored);
WB_FIELDS(Speedup, ratio, low, high, pace);
WB_FIELDS(BothSides, reference, candidate);
WB_FIELDS(Conditions, smHertz, memoryHertz, watts, celsius, throttle);
WB_FIELDS(CaseTiming, reference, candidate, speedup, time, caches, clock, note, warmups, callsPerSample,
          blocks, kernel, kernelHot, step, stepCaches, call, host, events, disagree, tick, empty, joules,
          floor, floorBy, math, launched, conditions, dropped, device);
WB_FIELDS(ErrorFigures, maxAbs, maxRel, maxUlp, mismatches, elements, firstBadIndex, expected, actual, p50Abs,
          p99Abs, oracleAbs, oracleReferenceAbs, cluster, forgiven);
WB_FIELDS(PeerErrors, maxAbs, maxRel);
WB_FIELDS(CaseCheck, verdict, message, errors, rtol, atol, seconds, errorType, trace, trivial, varies, lower,
          elsewhere, ran, peer, wrong);
WB_FIELDS(ElementPair, at, expected, actual, exact, difference, wrong);
WB_FIELDS(WrongElements, output, shape, cells, map, elements);

// Events
WB_FIELDS(Target, device, deviceName, architecture, torch, driver, host, uuid, multiprocessors, l2Bytes,
          memoryBytes, counters, walls);
WB_FIELDS(Artifact, name, dtype, architecture, registers, spillLoads, spillStores, sharedBytes, binaryBytes,
          assembly);
WB_FIELDS(JobStarted, target, startedAt);
WB_FIELDS(Diagnosed, kernel, diagnostic);
WB_FIELDS(Compiled, op, schema, seconds, cached, toolchain, note, artifacts, cases, runs);
WB_FIELDS(StepStarted, stage, kernel, index);
WB_FIELDS(SideStarted, kernel, index, side, first, seconds);
WB_FIELDS(ProfilePart, side, part, last);
WB_FIELDS(Listed, listings);
WB_FIELDS(Sanitized, tool, places, errors, complete, notes);
WB_FIELDS(NoResult, reason);
WB_FIELDS(KernelResults, sanitized);
WB_FIELDS(StepDone, stage, kernel, index, result);
WB_FIELDS(DeviceMeasured, ceilings);
WB_FIELDS(Log, source, text);
WB_FIELDS(StageFailed, kernel, error);
WB_FIELDS(WorkerLost, blame, kernel, doing, how, lastWords, seconds, verdict, stage, index, side,
          quarantines);
WB_FIELDS(Finished, outcome, seconds);

// Report
WB_FIELDS(CaseRow, definition, check, timing, notTimed, profile);
WB_FIELDS(Counts, total, checked, passed, failed, neutral, toTime, timed, profiled, crashed);
WB_FIELDS(NotDone, stage, reason);
WB_BASE(KernelReport, KernelResults);
WB_FIELDS(KernelReport, source, progress, language, compiled, diagnostics, failure, listings, notDone, cases,
          counts);
WB_BASE(Report, RunPlan);
WB_FIELDS_WITHOUT(Report, underWay, target, ceilings, startedAt, kernels, log, losses, failure, outcome,
                  seconds);

}  // namespace wb

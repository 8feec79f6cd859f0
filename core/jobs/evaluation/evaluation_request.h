// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

namespace wb {

/// A kernel of a request of the evaluation server: CUDA Evaluation Server V2's `KernelCode`.
struct KernelCode {
  std::string source;
  /// "torch", "cuda", "triton", "torch_cuda" or "multi_kernel".
  std::string type;
  /// The IOContract as JSON, with every field that it may have and all numbers as numbers; "" without one.
  std::string io;
  /// An object of JSON; "" without one.
  std::string metadata;
  bool operator==(const KernelCode&) const = default;
};

/// A request to evaluate one kernel, or to compare it with a reference.
struct EvaluationRequest {
  std::optional<KernelCode> reference;
  KernelCode kernel;
  int numTrials = 100;
  /// The client said so itself; who does not is content with a time that is taken quickly.
  bool asksTrials = true;
  int timeoutSeconds = 120;
  /// What counts as equal, in a comparison.
  std::optional<double> atol = 1e-2, rtol = 1e-2;
  /// Whether the device's counters are wanted; nothing means what the server does by itself.
  std::optional<bool> deviceMetrics;
  bool operator==(const EvaluationRequest&) const = default;
};

/// What is sent in place of an answer: its HTTP status, and the body as JSON.
struct RefusedRequest {
  int status = 400;
  std::string body;
  /// The answer carries the headers that forbid caching it.
  bool hasNoCacheHeaders = false;
  bool operator==(const RefusedRequest&) const = default;
};

/// What a request asks for: /evaluate, or /compare and its older spelling.
enum class EvaluationRoute { evaluate, compare };

/// Reads the body of a request as the original server does, with its checks in their order and its words.
/// `contentType` is the header's value; one that is not JSON makes a body that no object can be read from.
[[nodiscard]] std::variant<EvaluationRequest, RefusedRequest> readEvaluation(EvaluationRoute route,
                                                                             std::string_view body,
                                                                             std::string_view contentType);

/// The request in a file: a comparison where it has a reference, else an evaluation. Nothing where the text
/// is no such request at all.
[[nodiscard]] std::optional<std::variant<EvaluationRequest, RefusedRequest>> readEvaluationFile(
    std::string_view text);

}  // namespace wb

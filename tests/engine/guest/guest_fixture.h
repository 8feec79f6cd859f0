// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/ATen.h>
#include <gmock/gmock.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/engine/guest/guest_candidate.h"
#include "core/engine/guest/guest_session.h"
#include "core/engine/reference/operator.h"

namespace wb {

/// A kernel of tests/engine/guest/test_guest.cpp in its guest.
class GuestKernel {
 public:
  explicit GuestKernel(const std::string& name, bool random = false)
      : GuestKernel(name, Guest::Start{parent()}, random) {}
  GuestKernel(const std::string& name, Guest::Start start, bool random = false)
      : session(std::make_shared<GuestSession>(std::move(start))) {
    order.language = "test";
    order.op = "aten::relu";
    order.device = "cpu";
    order.source.text = name;
    allow(20);
    candidate = guestCandidate(session, random);
  }

  static std::string program() { return WB_BINARY_DIR "/bin/warpbench-test-guest"; }
  static std::shared_ptr<GuestParent> parent(std::vector<std::string> arguments = {"--guest"}) {
    arguments.insert(arguments.begin(), program());
    return std::make_shared<GuestParent>(std::move(arguments));
  }
  void allow(double seconds) { session->allow(seconds, "the test's limit", {}); }
  Result<LoadedInGuest> load(std::shared_ptr<KernelAnswers> kernels = {}) {
    return session->load(order, std::move(kernels));
  }
  Result<std::unique_ptr<PreparedCall>> prepare(const Stack& arguments) {
    return candidate->prepare({Literal{}, arguments}, {});
  }
  /// Prepares, runs, and gives the results.
  Result<Stack> call(const Stack& arguments) {
    WB_TRY(const auto prepared, prepare(arguments));
    WB_DO(prepared->run());
    return prepared->outputs();
  }

  std::shared_ptr<GuestSession> session;
  LoadOrder order;
  std::unique_ptr<Candidate> candidate;
};

/// What became of a result, for comparisons with words.
template <class T>
std::string problemOf(const Result<T>& result) {
  return result ? "" : result.error().text;
}

}  // namespace wb

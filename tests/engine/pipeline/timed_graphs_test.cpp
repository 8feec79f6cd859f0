// SPDX-License-Identifier: Apache-2.0
// What is done between blocks of CUDA graphs, here on the CPU: the sets of their calls, and which answers are
// compared.
#include <ATen/ops/zeros_like.h>
#include <gmock/gmock.h>

#include <map>
#include <optional>
#include <set>
#include <string>

#include "core/engine/cases/contents.h"
#include "core/engine/time/timed_calls.h"
#include "core/suites/literals/literal_parser.h"
#include "tests/engine/pipeline/lambda_candidate.h"

namespace wb {
namespace {

const std::string relu64 = "((T([64], f32),), {})";
constexpr int calls = 3;
constexpr std::size_t sets = 3 * calls;

/// The calls of a case as a clock of graphs has them.
struct Graphs {
  Graphs(const std::string& op, LambdaCandidate::Kernel kernel)
      : bench(op, std::move(kernel)), context(bench.context()) {
    const auto call = parseLiteral(relu64);
    auto contents = Contents::make(context, bench.definition(relu64), *call, 7);
    EXPECT_TRUE(contents);
    timed.emplace(context, *std::move(contents), 7);
    EXPECT_TRUE(timed->learnSharing());
    EXPECT_TRUE(timed->prepare(*call, {}, 4, {512, 1 << 20, 1000}));
    const Result<GraphSets> given = timed->provide(calls);
    EXPECT_TRUE(given);
    if (given) both = *given;
  }
  /// As a graph: of each set once.
  void run(bool candidate) {
    for (const auto& each : candidate ? both.candidate : both.reference) EXPECT_TRUE(each->run());
  }
  /// A block that ends after the candidate's first turn, and its answers.
  void look() {
    EXPECT_TRUE(timed->renewAll());
    run(true);
    EXPECT_TRUE(timed->replayed(sets));
  }
  Bench bench;
  KernelContext context;
  std::optional<TimedCalls> timed;
  GraphSets both;
};

Stack relu(const Stack& arguments) {
  return {arguments[0].toTensor().clamp_min(0)};
}

TEST(TimedGraphs, EachCallHasASetOfItsOwn) {
  std::set<const void*> met;
  Graphs graphs("aten::relu", [&](const Stack& arguments) {
    met.insert(arguments[0].toTensor().const_data_ptr());
    return relu(arguments);
  });
  EXPECT_EQ(graphs.both.calls, calls);
  EXPECT_EQ(graphs.both.candidate.size(), sets);
  EXPECT_EQ(graphs.both.reference.size(), sets);
  met.clear();
  graphs.run(true);
  EXPECT_EQ(met.size(), sets);
}

TEST(TimedGraphs, RightAnswersAreRight) {
  Graphs graphs("aten::relu", relu);
  for (int block = 0; block < 5; ++block) graphs.look();
  EXPECT_FALSE(graphs.timed->wrong());
  EXPECT_TRUE(graphs.timed->lookedThroughout());
}

TEST(TimedGraphs, AnswersFromBeforeNewContentsAreWrong) {
  std::map<const void*, at::Tensor> kept;
  Graphs graphs("aten::relu", [&](const Stack& arguments) -> Stack {
    at::Tensor& answer = kept[arguments[0].toTensor().const_data_ptr()];
    if (!answer.defined()) answer = relu(arguments)[0].toTensor();
    return {answer.clone()};
  });
  graphs.run(true);
  graphs.look();
  const auto wrong = graphs.timed->wrong();
  ASSERT_TRUE(wrong);
  EXPECT_EQ(wrong->verdict, Verdict::mismatch);
}

TEST(TimedGraphs, TheReferencesAnswersAreNoAnswers) {
  // What the reference's call on the same set gave just before: it lies where the kernel's answer will.
  std::size_t next = 0;
  Graphs* all = nullptr;
  Graphs graphs("aten::relu", [&](const Stack& arguments) -> Stack {
    if (all == nullptr) return relu(arguments);
    return {(*all->both.reference[next++ % sets]->outputs())[0].toTensor().clone()};
  });
  all = &graphs;
  ASSERT_TRUE(graphs.timed->renewAll());
  graphs.run(false);
  graphs.run(true);
  ASSERT_TRUE(graphs.timed->replayed(sets));
  const auto wrong = graphs.timed->wrong();
  ASSERT_TRUE(wrong);
  EXPECT_EQ(wrong->verdict, Verdict::mismatch);
}

TEST(TimedGraphs, WhatIsChangedInPlaceIsComparedAfterTheFirstChange) {
  Graphs right("aten::relu_",
               [](const Stack& arguments) -> Stack { return {arguments[0].toTensor().clamp_min_(0)}; });
  right.look();
  EXPECT_FALSE(right.timed->wrong());
  Graphs idle("aten::relu_", [](const Stack& arguments) -> Stack { return {arguments[0].toTensor()}; });
  idle.look();
  const auto wrong = idle.timed->wrong();
  ASSERT_TRUE(wrong);
  EXPECT_EQ(wrong->verdict, Verdict::mismatch);
}

TEST(TimedGraphs, SamplesGoRoundTheirOwnSetsWhereNoGraphCouldBeRecorded) {
  constexpr std::size_t rotation = 4;
  constexpr int callsOfSample = 3;
  Graphs graphs("aten::relu", relu);
  graphs.run(true);
  for (std::size_t sample = 0; sample < 40; ++sample)
    for (const bool candidate : {false, true}) {
      const std::size_t first = sample % rotation;
      ASSERT_TRUE(graphs.timed->before(candidate, first, callsOfSample));
      for (std::size_t call = 0; call < callsOfSample; ++call) {
        const std::size_t set = (first + call) % rotation;
        ASSERT_TRUE((candidate ? graphs.timed->candidate(set) : graphs.timed->reference(set)).run());
      }
      ASSERT_TRUE(graphs.timed->ended(candidate, first, callsOfSample));
      ASSERT_TRUE(graphs.timed->after(candidate, first, callsOfSample));
    }
  const auto wrong = graphs.timed->wrong();
  EXPECT_FALSE(wrong) << wrong->message;
}

TEST(TimedGraphs, NobodyForeseesAfterWhichTurnALookComes) {
  Graphs graphs("aten::relu", relu), inPlace("aten::relu_", [](const Stack&arguments) -> Stack {
    return {arguments[0].toTensor().clamp_min_(0)};
  });
  std::map<int, int> turns, turnsInPlace;
  for (int block = 0; block < 2000; ++block) {
    ++turns[graphs.timed->looksAfter(block % 2 == 0)];
    ++turnsInPlace[inPlace.timed->looksAfter(true)];
    // The reference has changed nothing yet where the candidate is first alone.
    EXPECT_EQ(inPlace.timed->looksAfter(false), 0);
  }
  // One block in eight is looked at in the long run: 250 of 2 000, fewer than 150 in one of 10^10 tries.
  EXPECT_GT(turns[1] + turns[2], 150);
  EXPECT_GT(turns[1], 50);
  EXPECT_GT(turns[2], 50);
  EXPECT_GT(turns[0], 1000);
  EXPECT_GT(turnsInPlace[1], 50);
  EXPECT_EQ(turnsInPlace[2], 0);
}

}  // namespace
}  // namespace wb

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "core/engine/call.h"
#include "core/engine/compile/compiler.h"
#include "core/engine/guest/arguments/guest_arguments.h"
#include "core/engine/guest/device_memory.h"
#include "core/engine/guest/orders.h"
#include "core/engine/reference/problem_models.h"
#include "core/engine/sides/memory/constant_pages.h"

namespace wb {

/// The kernel that a guest holds, or its problem's reference, and what its judge has told it about calls: all
/// orders that come as messages. Each reads what it is given and writes its answer.
class GuestKernel {
 public:
  explicit GuestKernel(const std::function<Compiler*(std::string_view)>& compilerFor)
      : compilerFor_(compilerFor) {}

  /// Loads a kernel in the place of the one before.
  Result<void> load(ByteReader& from, ByteWriter& to);
  /// Makes a problem's own inputs, which stay until the next ones are asked for.
  Result<void> makeInputs(ByteReader& from, ByteWriter& to);
  /// Does what is asked of a problem's model.
  Result<void> askModel(Order order, ByteReader& from, ByteWriter& to);
  /// Gives back what the kernel and its calls hold, and says whether it has left this process as it was.
  Result<void> rest(ByteWriter& to);
  Result<void> prepare(ByteReader& from, const std::vector<int>& descriptors, ByteWriter& to);
  /// Profiles a prepared call. What is said of it can be bent as all that this process says.
  Result<void> profile(ByteReader& from, ByteWriter& to);

  /// A call that was prepared; null where there is none of this number.
  [[nodiscard]] PreparedCall* call(std::uint32_t number) const;
  /// Whether that call is one in full precision.
  [[nodiscard]] bool isInFullPrecision(std::uint32_t number) const;
  /// "aten::relu"; "" before a kernel was loaded.
  [[nodiscard]] std::string op() const { return schema_ ? schema_->name() : std::string(); }
  [[nodiscard]] at::Device device() const { return device_; }
  /// Writes where the results of a call lie. Throws for those that no judge can take.
  void writeResults(ByteWriter& to, const Stack& results);
  /// Where the memory of each result begins that was written since the last call of forgetResults().
  [[nodiscard]] const std::vector<const void*>& resultMemory() const { return resultMemory_; }
  void forgetResults() { resultMemory_.clear(); }

 private:
  /// A call that is prepared, with the memory that its arguments lie in.
  struct Prepared {
    std::unique_ptr<PreparedCall> call;
    std::vector<std::uint32_t> memory;
    Stack arguments;
    bool fullPrecision = false;
  };
  void putBack();
  void say(OwnReference reference, LoadedInGuest& loaded);
  void forgetMemory(const std::vector<std::uint32_t>& used);
  void writeResult(ByteWriter& to, const at::Tensor& tensor);

  const std::function<Compiler*(std::string_view)>& compilerFor_;
  std::optional<c10::FunctionSchema> schema_;
  /// Of the language of the kernel that was loaded last; may be null.
  Compiler* compiler_ = nullptr;
  std::unique_ptr<Candidate> candidate_;
  /// Makes a problem's own inputs.
  std::function<Result<Stack>(std::uint64_t seed)> inputs_;
  /// The problem's model that is loaded here.
  std::shared_ptr<ProblemModel> model_;
  /// The last ones that it made.
  Stack made_;
  at::Device device_ = at::kCPU;
  Memories memories_;
  OwnSegments segments_;
  ConstantPages constants_;
  std::map<std::uint32_t, Prepared> calls_;
  std::vector<const void*> resultMemory_;
  /// In bytes, of the kernel that is loaded.
  std::size_t largestResult_ = 0;
};

}  // namespace wb

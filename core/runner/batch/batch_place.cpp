// SPDX-License-Identifier: Apache-2.0
#include "core/runner/batch/batch_place.h"

#include "core/base/files/file.h"
#include "core/base/files/paths.h"
#include "core/runner/batch/batch_place_there.h"
#include "core/runner/batch/batch_script.h"

namespace wb {
namespace {

class PlaceHere final : public BatchPlace {
 public:
  Result<HandedOver> handOver(Batch& batch, bool submit,
                              const std::function<void(const std::string&)>& /*say*/) override {
    WB_DO(writeBatch(batch));
    HandedOver handed{batchScript(batch, programFolder() / "warpbench"), batch.script().string()};
    WB_DO(writeFileAtomically(batch.script(), handed.script));
    if (submit) {
      WB_TRY(std::string number, submitScript(batch));
      WB_DO(rememberSubmission(batch, std::move(number)));
    }
    return handed;
  }
  Result<BatchNews> look(const Batch& batch, bool asksQueue) override {
    BatchNews news;
    if (!asksQueue) return news;
    if (Result<QueueState> queue = askQueue(batch))
      news.queue = *std::move(queue);
    else
      news.unanswered = std::move(queue).error();
    return news;
  }
  Result<void> cancel(const Batch& batch) override { return cancelBatch(batch); }
  [[nodiscard]] std::chrono::milliseconds pause() const override { return std::chrono::milliseconds{300}; }
};

}  // namespace

std::unique_ptr<BatchPlace> batchPlace(const RunTarget& target) {
  if (isBehindSsh(target)) return batchPlaceThere(target);
  return std::make_unique<PlaceHere>();
}

}  // namespace wb

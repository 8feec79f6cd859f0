// SPDX-License-Identifier: Apache-2.0
#include "core/engine/cupti/pc_sampling.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <map>
#include <string>
#include <tuple>

#include "core/engine/cupti/cupti_library.h"
#include "core/engine/device/driver.h"

namespace wb {
namespace {

constexpr std::size_t mostPcs = 8192;  // in one reading
constexpr std::size_t hardwareBytes = std::size_t{64} << 20;
constexpr double wantedSeconds = 4e-3;  // of the device's work: about ten thousand samples per line
constexpr int mostRuns = 64;
constexpr std::string_view reasonPrefix = "smsp__pcsamp_warps_issue_stalled_";
constexpr std::string_view notIssued = "_not_issued";  // such a reason counts a part of the samples once more

struct Reasons {
  std::vector<std::uint32_t> indices;
  std::map<std::uint32_t, std::string> names;
};

Result<Reasons> stallReasons(const Cupti& library, CUcontext context) {
  std::size_t count = 0;
  CUpti_PCSamplingGetNumStallReasonsParams number{};
  number.size = CUpti_PCSamplingGetNumStallReasonsParamsSize;
  number.ctx = context;
  number.numStallReasons = &count;
  WB_DO(checkCupti(library.pcSamplingGetNumStallReasons(&number), "Asking the stall reasons"));
  std::vector<std::array<char, CUPTI_STALL_REASON_STRING_SIZE>> texts(count);
  std::vector<char*> pointers;
  for (auto& text : texts) pointers.push_back(text.data());
  std::vector<std::uint32_t> indices(count);
  CUpti_PCSamplingGetStallReasonsParams params{};
  params.size = CUpti_PCSamplingGetStallReasonsParamsSize;
  params.ctx = context;
  params.numStallReasons = count;
  params.stallReasonIndex = indices.data();
  params.stallReasons = pointers.data();
  WB_DO(checkCupti(library.pcSamplingGetStallReasons(&params), "Asking the stall reasons"));
  Reasons reasons;
  for (std::size_t i = 0; i < count; ++i) {
    const std::string name = texts[i].data();
    if (!name.starts_with(reasonPrefix) || name.ends_with(notIssued)) continue;
    reasons.indices.push_back(indices[i]);
    reasons.names[indices[i]] = name.substr(reasonPrefix.size());
  }
  return reasons;
}

/// The memory for one reading.
struct Buffer {
  explicit Buffer(std::size_t reasons) : stalls(mostPcs * reasons), pcs(mostPcs) {
    for (std::size_t i = 0; i < mostPcs; ++i) {
      pcs[i].size = sizeof(CUpti_PCSamplingPCData);
      pcs[i].stallReason = stalls.data() + i * reasons;
    }
    data.size = sizeof(CUpti_PCSamplingData);
    data.collectNumPcs = mostPcs;
    data.pPcData = pcs.data();
  }
  std::vector<CUpti_PCSamplingStallReason> stalls;
  std::vector<CUpti_PCSamplingPCData> pcs;
  CUpti_PCSamplingData data{};
};

using Key = std::tuple<std::string, std::uint64_t, std::uint64_t>;  // function, offset, binary

/// PC sampling, which is on while this lives.
class Sampling {
 public:
  Sampling(const Cupti& library, CUcontext context) : library_(library), context_(context) {}
  ~Sampling() { off(); }
  Sampling(const Sampling&) = delete;
  Sampling& operator=(const Sampling&) = delete;

  Result<void> on();
  Result<void> configure(Reasons reasons, std::uint32_t period);
  void collect();
  void off();
  void barriersToTheirInstruction();

  std::map<Key, std::map<std::uint32_t, std::int64_t>> found;
  std::int64_t total = 0, dropped = 0;

 private:
  void take(const CUpti_PCSamplingData& data);

  const Cupti& library_;
  CUcontext context_;
  Reasons reasons_;
  std::unique_ptr<Buffer> buffer_, read_;
  bool on_ = false;
};

Result<void> Sampling::on() {
  CUpti_PCSamplingEnableParams enable{};
  enable.size = CUpti_PCSamplingEnableParamsSize;
  enable.ctx = context_;
  WB_DO(checkCupti(library_.pcSamplingEnable(&enable), "Turning PC sampling on"));
  on_ = true;
  return {};
}

Result<void> Sampling::configure(Reasons reasons, std::uint32_t period) {
  reasons_ = std::move(reasons);
  buffer_ = std::make_unique<Buffer>(reasons_.indices.size());
  read_ = std::make_unique<Buffer>(reasons_.indices.size());
  std::array<CUpti_PCSamplingConfigurationInfo, 6> infos{};
  infos[0].attributeType = CUPTI_PC_SAMPLING_CONFIGURATION_ATTR_TYPE_STALL_REASON;
  infos[0].attributeData.stallReasonData.stallReasonCount = reasons_.indices.size();
  infos[0].attributeData.stallReasonData.pStallReasonIndex = reasons_.indices.data();
  infos[1].attributeType = CUPTI_PC_SAMPLING_CONFIGURATION_ATTR_TYPE_SAMPLING_PERIOD;
  infos[1].attributeData.samplingPeriodData.samplingPeriod = period;
  infos[2].attributeType = CUPTI_PC_SAMPLING_CONFIGURATION_ATTR_TYPE_COLLECTION_MODE;
  infos[2].attributeData.collectionModeData.collectionMode = CUPTI_PC_SAMPLING_COLLECTION_MODE_CONTINUOUS;
  infos[3].attributeType = CUPTI_PC_SAMPLING_CONFIGURATION_ATTR_TYPE_SAMPLING_DATA_BUFFER;
  infos[3].attributeData.samplingDataBufferData.samplingDataBuffer = &buffer_->data;
  infos[4].attributeType = CUPTI_PC_SAMPLING_CONFIGURATION_ATTR_TYPE_HARDWARE_BUFFER_SIZE;
  infos[4].attributeData.hardwareBufferSizeData.hardwareBufferSize = hardwareBytes;
  infos[5].attributeType = CUPTI_PC_SAMPLING_CONFIGURATION_ATTR_TYPE_SCRATCH_BUFFER_SIZE;
  infos[5].attributeData.scratchBufferSizeData.scratchBufferSize = std::size_t{8} << 20;
  CUpti_PCSamplingConfigurationInfoParams params{};
  params.size = CUpti_PCSamplingConfigurationInfoParamsSize;
  params.ctx = context_;
  params.numAttributes = infos.size();
  params.pPCSamplingConfigurationInfo = infos.data();
  return checkCupti(library_.pcSamplingSetConfigurationAttribute(&params), "Setting PC sampling up");
}

void Sampling::take(const CUpti_PCSamplingData& data) {
  total += static_cast<std::int64_t>(data.totalSamples);
  dropped += static_cast<std::int64_t>(data.droppedSamples);
  for (std::size_t i = 0; i < std::min(data.totalNumPcs, data.collectNumPcs); ++i) {
    const CUpti_PCSamplingPCData& pc = data.pPcData[i];
    auto& stalls = found[{pc.functionName != nullptr ? pc.functionName : "", pc.pcOffset, pc.cubinCrc}];
    for (std::size_t r = 0; r < pc.stallReasonCount; ++r)
      stalls[pc.stallReason[r].pcSamplingStallReasonIndex] += pc.stallReason[r].samples;
  }
}

/// Collects what has been sampled so far.
void Sampling::collect() {
  CUpti_PCSamplingGetDataParams params{};
  params.size = CUpti_PCSamplingGetDataParamsSize;
  params.ctx = context_;
  params.pcSamplingData = &read_->data;
  for (int reading = 0; reading < 64; ++reading) {
    read_->data.totalNumPcs = read_->data.remainingNumPcs = 0;
    read_->data.totalSamples = read_->data.droppedSamples = 0;
    if (library_.pcSamplingGetData(&params) != CUPTI_SUCCESS) return;
    take(read_->data);
    if (read_->data.remainingNumPcs == 0) return;
  }
}

/// Switches sampling off; the last samples come then, in the buffer of the configuration.
void Sampling::off() {
  if (!on_) return;
  on_ = false;
  CUpti_PCSamplingDisableParams disable{};
  disable.size = CUpti_PCSamplingDisableParamsSize;
  disable.ctx = context_;
  if (library_.pcSamplingDisable(&disable) == CUPTI_SUCCESS && buffer_) take(buffer_->data);
}

/// A warp that waits at a barrier has issued it and stands at the next instruction, which may belong to
/// another line. People look for the barrier, so the samples are moved there.
void Sampling::barriersToTheirInstruction() {
  constexpr std::uint64_t instructionBytes = 16;  // since sm_70
  std::uint32_t barrier = 0;
  for (const auto& [index, name] : reasons_.names)
    if (name == "barrier") barrier = index;
  std::map<Key, std::int64_t> waiting;
  for (auto& [key, stalls] : found)
    if (const auto samples = stalls.find(barrier);
        samples != stalls.end() && std::get<1>(key) >= instructionBytes) {
      Key before = key;
      std::get<1>(before) -= instructionBytes;
      waiting[before] = samples->second;
      stalls.erase(samples);
    }
  for (const auto& [key, samples] : waiting) found[key][barrier] += samples;
}

Place placeOf(const Cupti& library, const std::string& cubin, const std::string& function,
              std::uint64_t offset) {
  CUpti_GetSassToSourceCorrelationParams params{};
  params.size = CUpti_GetSassToSourceCorrelationParamsSize;
  params.cubin = cubin.data();
  params.cubinSize = cubin.size();
  params.functionName = function.c_str();
  params.pcOffset = offset;
  Place place;
  if (library.getSassToSourceCorrelation(&params) == CUPTI_SUCCESS && params.lineNumber > 0) {
    place.line = static_cast<int>(params.lineNumber);
    if (params.fileName != nullptr) place.file = params.fileName;
    if (params.dirName != nullptr && !place.file.empty() && place.file.front() != '/' &&
        *params.dirName != '\0')
      place.file = std::string(params.dirName) + "/" + place.file;
  }
  std::free(params.fileName);
  std::free(params.dirName);
  return place;
}

/// The period is 2^n cycles, which gives a few hundred thousand samples in all, however long the work takes.
std::uint32_t periodFor(double deviceSeconds) {
  const double cycles = deviceSeconds * 1.7e9;
  return static_cast<std::uint32_t>(
      std::clamp(std::floor(std::log2(std::max(cycles, 1.0) / 2000)), 5.0, 20.0));
}

}  // namespace

Result<PcSamples> samplePcs(const std::function<Result<void>()>& run, double seconds,
                            std::span<const std::shared_ptr<const LoadedModule>> modules) {
  std::string whyNot;
  const Cupti* library = cupti(&whyNot);
  const Driver* cuda = driver();
  CUcontext context = nullptr;
  if (library == nullptr) return Error{Stage::profile, "Lines cannot be sampled: " + whyNot};
  if (cuda == nullptr || cuda->ctxGetCurrent(&context) != CUDA_SUCCESS || context == nullptr)
    return Error{Stage::profile, "Lines cannot be sampled: there is no GPU"};
  const int runs =
      seconds > 0 ? static_cast<int>(std::clamp(std::ceil(wantedSeconds / seconds), 1.0, double{mostRuns}))
                  : 8;
  const std::uint32_t period = periodFor(std::max(seconds, 5e-6) * runs);

  Sampling sampling(*library, context);
  WB_DO(sampling.on());
  WB_TRY(Reasons reasons, stallReasons(*library, context));  // they are known only while sampling is on
  const std::map<std::uint32_t, std::string> names = reasons.names;
  WB_DO(sampling.configure(std::move(reasons), period));
  Result<void> done;
  for (int i = 0; i < runs && done; ++i) {
    done = run();
    if (done && (i % 8 == 7 || i + 1 == runs)) {
      done = synchronize(Stage::profile);
      sampling.collect();
    }
  }
  sampling.off();
  if (!done) return std::move(done).error();

  sampling.barriersToTheirInstruction();
  PcSamples all;
  all.total = sampling.total;
  all.dropped = sampling.dropped;
  all.period = std::exp2(period);
  for (const auto& [key, stalls] : sampling.found) {
    const auto& [function, offset, crc] = key;
    PcSample sample;
    sample.function = function;
    sample.offset = offset;
    for (const auto& module : modules)
      if (module->crc == crc && sample.place.line == 0)
        sample.place = placeOf(*library, module->cubin, function, offset);
    for (const auto& [reason, count] : stalls) {
      const auto name = names.find(reason);
      if (count > 0) sample.stalls.push_back({name != names.end() ? name->second : "unknown", count});
    }
    if (!sample.stalls.empty()) all.samples.push_back(std::move(sample));
  }
  return all;
}

}  // namespace wb

// SPDX-License-Identifier: Apache-2.0
#include "core/engine/device/driver.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <array>
#include <map>
#include <mutex>

namespace wb {
namespace {

struct Opened {
  Driver table;
  bool usable = false;
  std::string whyNot;
};

std::string fillTable(void* library, Driver& table) {
  std::string missing;
  WB_DRIVER_FUNCTIONS(WB_FUNCTION_LOOKUP)
  return missing;
}

Opened open() {
  Opened opened;
  void* library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    opened.whyNot = "this machine has no NVIDIA driver";
    return opened;
  }
  if (auto missing = fillTable(library, opened.table); !missing.empty()) {
    opened.whyNot = fmt::format("the NVIDIA driver is too old: it has no {}", missing);
    return opened;
  }
  if (CUresult code = opened.table.init(0); code != CUDA_SUCCESS) {
    const char* words = nullptr;
    opened.table.getErrorString(code, &words);
    opened.whyNot =
        fmt::format("the NVIDIA driver does not start: {}", words != nullptr ? words : "unknown error");
    return opened;
  }
  int count = 0;
  if (opened.table.deviceGetCount(&count) != CUDA_SUCCESS || count == 0) {
    opened.whyNot = "the NVIDIA driver sees no device";
    return opened;
  }
  opened.usable = true;
  return opened;
}

std::string whatToDo(CUresult code) {
  switch (code) {
    case CUDA_ERROR_ILLEGAL_ADDRESS:
      return "the kernel read or wrote outside its buffers: compare its index with the size it was given";
    case CUDA_ERROR_MISALIGNED_ADDRESS:
      return "a vector load or store needs an address that is a multiple of its size";
    case CUDA_ERROR_ASSERT:
      return "an assert in the kernel failed; its message is in the log";
    case CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES:
      return "fewer threads a block, or __launch_bounds__, lowers the registers that a block needs";
    case CUDA_ERROR_INVALID_VALUE:
      return "check grid, block and shared memory";
    case CUDA_ERROR_OUT_OF_MEMORY:
      return "another program may hold the device's memory";
    case CUDA_ERROR_NO_BINARY_FOR_GPU:
      return "it was compiled for another architecture";
    default:
      return {};
  }
}

/// The number as nvidia-smi writes it: "GPU-00112233-4455-…".
std::string uuidText(const CUuuid& uuid) {
  std::string text = "GPU";
  for (std::size_t i = 0; i < sizeof uuid.bytes; ++i) {
    if (i == 0 || i == 4 || i == 6 || i == 8 || i == 10) text += '-';
    text += fmt::format("{:02x}", static_cast<unsigned char>(uuid.bytes[i]));
  }
  return text;
}

}  // namespace

const Driver* driver(std::string* whyNot) {
  static const Opened opened = open();
  if (opened.usable) return &opened.table;
  if (whyNot != nullptr) *whyNot = opened.whyNot;
  return nullptr;
}

Error cudaError(Stage stage, CUresult code, const std::string& doing) {
  const char* name = nullptr;
  const char* words = nullptr;
  if (const Driver* cuda = driver()) {
    cuda->getErrorName(code, &name);
    cuda->getErrorString(code, &words);
  }
  std::string text = name != nullptr ? fmt::format("{}: {}", name, words != nullptr ? words : "")
                                     : fmt::format("CUDA error {}", static_cast<int>(code));
  if (!doing.empty()) text = doing + ": " + text;
  return Error{stage, std::move(text), whatToDo(code)};
}

bool isSticky(CUresult code) {
  switch (code) {
    case CUDA_ERROR_ILLEGAL_ADDRESS:
    case CUDA_ERROR_MISALIGNED_ADDRESS:
    case CUDA_ERROR_INVALID_ADDRESS_SPACE:
    case CUDA_ERROR_INVALID_PC:
    case CUDA_ERROR_ILLEGAL_INSTRUCTION:
    case CUDA_ERROR_HARDWARE_STACK_ERROR:
    case CUDA_ERROR_ASSERT:
    case CUDA_ERROR_LAUNCH_FAILED:
    case CUDA_ERROR_LAUNCH_TIMEOUT:
    case CUDA_ERROR_ECC_UNCORRECTABLE:
    case CUDA_ERROR_NVLINK_UNCORRECTABLE:
    case CUDA_ERROR_CONTEXT_IS_DESTROYED:
    case CUDA_ERROR_TENSOR_MEMORY_LEAK:
    case CUDA_ERROR_DEVICE_UNAVAILABLE:
    case CUDA_ERROR_MPS_CLIENT_TERMINATED:
    case CUDA_ERROR_EXTERNAL_DEVICE:
      return true;
    default:
      return false;
  }
}

bool deviceBroken() {
  const Driver* cuda = driver();
  CUcontext context = nullptr;
  if (cuda == nullptr) return false;
  if (CUresult code = cuda->ctxGetCurrent(&context); code != CUDA_SUCCESS) return isSticky(code);
  return context != nullptr && isSticky(cuda->ctxSynchronize());
}

Result<DeviceFacts> deviceFacts(int device) {
  std::string whyNot;
  const Driver* cuda = driver(&whyNot);
  if (cuda == nullptr)
    return Error{Stage::setup, "No GPU can be used: " + whyNot + ".", "run `warpbench doctor`"};
  CUdevice handle = 0;
  if (CUresult code = cuda->deviceGet(&handle, device); code != CUDA_SUCCESS)
    return cudaError(Stage::setup, code, fmt::format("Looking for GPU {}", device));
  auto attribute = [&](CUdevice_attribute which) {
    int value = 0;
    cuda->deviceGetAttribute(&value, which, handle);
    return value;
  };
  DeviceFacts facts;
  std::array<char, 256> name{};
  cuda->deviceGetName(name.data(), static_cast<int>(name.size()) - 1, handle);
  facts.name = name.data();
  facts.architecture = fmt::format("sm_{}{}", attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR),
                                   attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR));
  int version = 0;
  cuda->driverGetVersion(&version);
  facts.driverVersion = fmt::format("{}.{}", version / 1000, version % 1000 / 10);
  std::size_t bytes = 0;
  cuda->deviceTotalMem(&bytes, handle);
  facts.memoryBytes = static_cast<std::int64_t>(bytes);
  facts.l2Bytes = attribute(CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE);
  facts.multiprocessors = attribute(CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
  if (CUuuid uuid{}; cuda->deviceGetUuid(&uuid, handle) == CUDA_SUCCESS) facts.uuid = uuidText(uuid);
  return facts;
}

namespace {

/// The context that this thread was given last; user code may make another one the current one.
CUcontext& contextInUse() {
  static thread_local CUcontext context = nullptr;
  return context;
}

/// The context of this thread's device, or the current one where none was chosen; null without any.
CUcontext ownContext(const Driver& cuda) {
  CUcontext current = nullptr;
  if (cuda.ctxGetCurrent(&current) != CUDA_SUCCESS) return nullptr;
  const CUcontext own = contextInUse();
  if (own == nullptr || own == current) return current;
  return cuda.ctxSetCurrent(own) == CUDA_SUCCESS ? own : nullptr;
}

}  // namespace

Result<void> useDevice(int device) {
  std::string whyNot;
  const Driver* cuda = driver(&whyNot);
  if (cuda == nullptr)
    return Error{Stage::setup, "No GPU can be used: " + whyNot + ".", "run `warpbench doctor`"};
  // The context is retained once per device and never released, so that it lives as long as the worker.
  static std::mutex mutex;
  static std::map<int, CUcontext> contexts;
  std::lock_guard lock(mutex);
  CUdevice handle = 0;
  if (CUresult code = cuda->deviceGet(&handle, device); code != CUDA_SUCCESS)
    return cudaError(Stage::setup, code, fmt::format("Looking for GPU {}", device));
  if (!contexts.contains(device)) {
    CUcontext context = nullptr;
    if (CUresult code = cuda->devicePrimaryCtxRetain(&context, handle); code != CUDA_SUCCESS)
      return cudaError(Stage::setup, code, fmt::format("Starting GPU {}", device));
    contexts[device] = context;
  }
  if (CUresult code = cuda->ctxSetCurrent(contexts[device]); code != CUDA_SUCCESS)
    return cudaError(Stage::setup, code, fmt::format("Starting GPU {}", device));
  contextInUse() = contexts[device];
  return {};
}

void returnToDevice() {
  if (const Driver* cuda = driver()) (void)ownContext(*cuda);
}

Result<void> synchronize(Stage stage) {
  const Driver* cuda = driver();
  if (cuda == nullptr || ownContext(*cuda) == nullptr) return {};
  if (CUresult code = cuda->ctxSynchronize(); code != CUDA_SUCCESS)
    return cudaError(stage, code, "Waiting for the device");
  return {};
}

}  // namespace wb

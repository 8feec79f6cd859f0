// fit
// SPDX-License-Identifier: Apache-2.0
// Variables of namespaces, and members, that are the host's alone, between constants that kernels read.
#include <torch/extension.h>

#include <ATen/cuda/CUDAContext.h>

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <iostream>
#include <map>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <vector>

#define CEIL_DIV(a, b) (((a) + (b)-1) / (b))

static int fromEnvironment(const char* name, int otherwise) {
  try {
    const char* text = std::getenv(name);
    return text ? std::stoi(text) : otherwise;
  } catch (const std::exception& e) {
    std::cerr << e.what() << std::endl;
    return otherwise;
  }
}
int withTryAsBody() try { return 1; } catch (...) { return 2; }
inline int sumOf(std::vector<int> all) {
  int sum = 0;
  for (const int x : all) sum += x;
  return sum;
}

static std::map<std::string, int> kTable = {{"a", 1}, {"b", 2}};
static const std::string kName = "relu";
static std::mutex lock;
static std::once_flag once;
std::atomic<int> calls{0};
static thread_local int depth = 0;
const char* const kNames[] = {"a", "b"};

template <typename T>
class Buffer {
 public:
  explicit Buffer(size_t n) {
    if (cudaMalloc(&data_, n * sizeof(T)) != cudaSuccess) throw std::bad_alloc();
  }
  ~Buffer() { cudaFree(data_); }
  T* get() { return data_; }

 private:
  T* data_ = nullptr;
};
class Timer {
 public:
  Timer() { cudaEventCreate(&begin_); }
  float sinceThen() {
    float ms = 0;
    cudaEventElapsedTime(&ms, begin_, begin_);
    return ms;
  }

 private:
  cudaEvent_t begin_;
};
struct Files {
  static Files& all() {
    static Files files;
    return files;
  }
  bool has(const char* name) const { return ::access(name, 0) == 0; }
};
struct Settings {
  int block;
  bool loud = fromEnvironment("LOUD", 0) != 0;
  static inline int count = fromEnvironment("COUNT", 3);
  Settings() : block(256) {
    try {
      block = std::stoi(std::getenv("BLOCK"));
    } catch (...) {
    }
  }
  int grid(int n) const {
    if (n < 0) throw std::runtime_error("n");
    return (n + block - 1) / block;
  }
};
static Settings settings;
static const Settings kSettings;
static const Settings kOther{};
static struct Registrar {
  Registrar() { std::cout << "loaded\n"; }
} registrar;
static struct {
  int a, b;
} two = {1, 2};

static const int kBlock = fromEnvironment("BLOCK", 256);
static const int kTwice = kBlock * 2;
static const int kByLambda = [] {
  try {
    return std::stoi(std::getenv("B"));
  } catch (...) {
    return 256;
  }
}();
static bool loaded = [] { return std::getenv("B") != nullptr; }();
static const auto kLog = [](const std::string& what) { std::cerr << what; };
static auto plusOne = [](int x) { return x + 1; };
static const auto kStart = std::chrono::steady_clock::now();
static std::unique_ptr<int> kept = std::make_unique<int>(3);
static const double kRoot = std::sqrt(2.0);

static const int kWidth = 4;
static const int kDepth = CEIL_DIV(kWidth, 3);
static const int kLarger = std::max(kWidth, 8);
static const float kScale = 1.0f / 3;
constexpr int kRows = 2;
constexpr int twice(int n) { return 2 * n; }
static const int kByCall = twice(kRows);

template <int size>
struct Tile {
  float values[size];
};

template <int kBlock>  // which hides the host's
__global__ void relu_kernel(const float* x, float* y, int64_t n) {
  __shared__ float scales[kWidth];
  Tile<kLarger> tile;
  if (threadIdx.x < kWidth) scales[threadIdx.x] = kScale * kDepth;
  __syncthreads();
  tile.values[kByCall] = scales[1];
  const int64_t i = static_cast<int64_t>(blockIdx.x) * kBlock + threadIdx.x;
  if (i < n) y[i] = x[i] > 0 ? x[i] + 0 * tile.values[kByCall] : 0;
}

at::Tensor relu(const at::Tensor& self) {
  const at::Tensor x = self.contiguous();
  at::Tensor y = at::empty_like(x);
  const int64_t n = x.numel();
  if (n == 0) return y;
  static Buffer<float> buffer(16);
  (void)buffer.get();
  if (Files::all().has("/never")) std::cout << Timer().sinceThen();
  relu_kernel<256><<<settings.grid(static_cast<int>(n)), kBlock + 0 * kTwice>>>(
      x.const_data_ptr<float>(), y.mutable_data_ptr<float>(), n);
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("relu", &relu, "relu"); }

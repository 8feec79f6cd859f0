// fit
// SPDX-License-Identifier: Apache-2.0
#include <torch/extension.h>
#include <c10/cuda/CUDAStream.h>
#include <memory>
#include <string>
#include <unordered_map>

namespace detail {
struct Plan;
template <class T> class Slice {
 public:
  __host__ __device__ explicit Slice(T* data, int n) : data_{data}, size_(n) {}
  __device__ T& at(int i) { return data_[i]; }
  __device__ bool operator<(const Slice& other) const { return size_ < other.size_; }
  __device__ operator bool() const { return size_ != 0; }
  __host__ std::string text() const { return std::to_string(size_); }
  int size() const { return size_; }

 private:
  T* data_ = nullptr;
  int size_;
  friend struct Plan;
};

class Cache {
 public:
  Cache() : hits_(0), misses_{0} {}
  ~Cache() noexcept(false) {}
  const at::Tensor& find(const std::string& key) try {
    return kept_.at(key);
  } catch (const std::out_of_range&) {
    ++misses_;
    throw;
  }
  auto count() const -> decltype(hits_) { return hits_; }

 private:
  std::unordered_map<std::string, at::Tensor> kept_;
  int hits_ = 0, misses_;
};
union Bits { float f; unsigned u; };
}  // namespace detail

static detail::Cache& cache() {
  static detail::Cache one;
  return one;
}

using Operation = float (*)(float, float);
__device__ float add(float a, float b) { return a + b; }
__device__ Operation operations[] = {add, [](float a, float b) { return a * b; }};

template <typename T, typename Functor = std::plus<T>>
__global__ void apply(detail::Slice<T> in, detail::Slice<T> out, Functor f, int which) {
  auto twice = [=] __device__(T x) { return x + x; };
  detail::Bits bits{.f = 1.f};
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < in.size() && bits.u > 0) out.at(i) = twice(f(in.at(i), operations[which](1, 2)));
}

struct Times {
  float by = 2;
  __device__ float operator()(float a, float b) const { return a * by + b; }
};

struct Launcher {
  at::Tensor x;
  cudaStream_t stream;
  template <typename F> void operator()(F f, int grid = 1) const {
    detail::Slice<float> s(x.data_ptr<float>(), int(x.numel()));
    apply<float><<<grid, 128, 0, stream>>>(s, s, f, 0);
    apply<float, F> <<<grid, 128>>> (s, s, f, 1);
  }
};

at::Tensor run(at::Tensor x) {
  const auto stream = c10::cuda::getCurrentCUDAStream();
  Launcher launcher{x, stream};
  launcher(Times{}, x.numel() > 0 ? int((x.numel() + 127) >> 7) : 1);
  void (*kernel)(detail::Slice<float>, detail::Slice<float>, Times, int) = apply<float, Times>;
  detail::Slice<float> s{x.data_ptr<float>(), 4};
  (*kernel)<<<1, 4>>>(s, s, Times{3.f}, 0);
  decltype(kernel) all[] = {kernel, &apply<float, Times>};
  all[x.dim() & 1]<<<dim3{1, 1}, 4, 0, stream.stream()>>>(s, s, Times{}, [&] { return 1; }());
  return x;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("run", [](at::Tensor x) -> at::Tensor { return run(x); });
  pybind11::class_<detail::Cache>(m, "Cache").def(pybind11::init<>()).def("count", &detail::Cache::count);
}

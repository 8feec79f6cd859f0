// SPDX-License-Identifier: Apache-2.0
#include "core/engine/sides/process_settings.h"
#include "core/engine/sides/process/loaded_function.h"

#include <ATen/Context.h>
#include <ATen/Parallel.h>
#include <ATen/record_function.h>
#include <c10/core/AutogradState.h>
#include <c10/core/CPUAllocator.h>
#include <c10/core/DefaultDtype.h>
#include <c10/core/ScalarType.h>
#include <c10/core/impl/LocalDispatchKeySet.h>
#include <c10/util/Exception.h>
#include <c10/util/ThreadLocalDebugInfo.h>
#include <sys/time.h>

#include <array>
#include <bit>
#include <cfenv>

#include "core/engine/device/current_device.h"

#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

namespace wb {

namespace {

at::Context& context() {
  return at::globalContext();
}

std::string onOff(std::int64_t value) {
  return value != 0 ? "on" : "off";
}

std::string number(std::int64_t value) {
  return std::to_string(value);
}

/// A setting of at::Context with a getter and a setter of bool.
template <bool (at::Context::*Get)() const, void (at::Context::*Set)(bool)>
constexpr ProcessSetting flag(const char* words) {
  return {words, [] { return std::int64_t{(context().*Get)()}; },
          [](std::int64_t value) { (context().*Set)(value != 0); }, onOff};
}

#if defined(__x86_64__)
/// Bits of the control and status register: rounding, flush-to-zero, denormals-are-zero and the masks of
/// traps. The low bits only remember what happened.
constexpr std::uint32_t controlBits = 0xffc0, flushBits = 0x8040, roundingBits = 0x6000;

template <std::uint32_t Bits>
std::int64_t control() {
  return _mm_getcsr() & Bits;
}
template <std::uint32_t Bits>
void setControl(std::int64_t value) {
  _mm_setcsr((_mm_getcsr() & ~Bits) | static_cast<std::uint32_t>(value));
}
#endif

/// Torch refuses to give the precision when its old and new settings were mixed.
std::int64_t matmulPrecision() {
  try {
    return static_cast<std::int64_t>(context().float32MatmulPrecision());
  } catch (...) {
    return -1;
  }
}

void setMatmulPrecision(std::int64_t value) {
  constexpr std::array names{"highest", "high", "medium"};
  if (value >= 0 && value < 3) context().setFloat32MatmulPrecision(names[static_cast<std::size_t>(value)]);
}

/// Products have all of float32's bits where nobody has set anything, too. Whoever sets what there was by
/// torch's older way, which knows no such value, sets this.
bool areBothWhole(std::int64_t one, std::int64_t other) {
  const auto isWhole = [](std::int64_t value) {
    const auto precision = static_cast<at::Float32Precision>(value);
    return precision == at::Float32Precision::NONE || precision == at::Float32Precision::IEEE;
  };
  return isWhole(one) && isWhole(other);
}

template <at::Float32Backend Backend, at::Float32Op Op>
constexpr ProcessSetting precision(const char* words) {
  return {words,
          [] {
            try {
              return static_cast<std::int64_t>(context().float32Precision(Backend, Op));
            } catch (...) {
              return std::int64_t{-1};
            }
          },
          [](std::int64_t value) {
            if (value >= 0)
              context().setFloat32Precision(Backend, Op, static_cast<at::Float32Precision>(value));
          },
          nullptr,
          false,
          Op == at::Float32Op::MATMUL ? areBothWhole : nullptr};
}

template <void (at::Context::*Set)(bool, bool)>
void setReduction(std::int64_t value) {
  using Option = at::CuBLASReductionOption;
  const auto option = static_cast<Option>(value);
  (context().*Set)(option == Option::AllowReducedPrecisionWithSplitK,
                   option != Option::DisallowReducedPrecisionDisallowSplitK);
}

std::int64_t dynamicThreads() {
  static const auto get = loadedFunction<int()>("omp_get_dynamic");
  return get != nullptr ? get() : 0;
}

void setDynamicThreads(std::int64_t value) {
  static const auto set = loadedFunction<void(int)>("omp_set_dynamic");
  if (set != nullptr) set(static_cast<int>(value));
}

std::int64_t activeLevels() {
  static const auto get = loadedFunction<int()>("omp_get_max_active_levels");
  return get != nullptr ? get() : 0;
}

void setActiveLevels(std::int64_t value) {
  static const auto set = loadedFunction<void(int)>("omp_set_max_active_levels");
  if (set != nullptr) set(static_cast<int>(value));
}

/// A flag of torch's that no header declares.
template <const char* const& Name>
bool* flagOfTorchs() {
  static bool* const flag = static_cast<bool*>(::dlsym(RTLD_DEFAULT, Name));
  return flag;
}
constexpr const char* junkFill = "FLAGS_caffe2_cpu_allocator_do_junk_fill";
constexpr const char* zeroFill = "FLAGS_caffe2_cpu_allocator_do_zero_fill";
constexpr const char* memoryReports = "FLAGS_caffe2_report_cpu_memory_usage";
constexpr const char* numa = "FLAGS_caffe2_cpu_numa_enabled";

template <const char* const& Name>
constexpr ProcessSetting torchsFlag(const char* words) {
  return {words,
          [] {
            const bool* const flag = flagOfTorchs<Name>();
            return std::int64_t{flag != nullptr && *flag};
          },
          [](std::int64_t value) {
            if (bool* const flag = flagOfTorchs<Name>(); flag != nullptr) *flag = value != 0;
          },
          onOff};
}

std::int64_t threadsOfMkl() {
  static const auto get = loadedFunction<int()>("MKL_Get_Max_Threads");
  return get != nullptr ? get() : 0;
}

void setThreadsOfMkl(std::int64_t value) {
  // Torch's copy has no setter but that of the calling thread, of which 0 means what torch has set for all.
  static const auto set = loadedFunction<int(int)>("MKL_Set_Num_Threads_Local");
  if (set == nullptr) return;
  set(0);
  if (threadsOfMkl() != value) set(static_cast<int>(value));
}

constexpr int domainsOfMkl = 4;

/// Of each of MKL's domains, a byte each.
std::int64_t threadsByDomain() {
  static const auto get = loadedFunction<int(int)>("mkl_serv_domain_get_max_threads");
  std::int64_t all = 0;
  for (int domain = 1; get != nullptr && domain <= domainsOfMkl; ++domain)
    all = all << 8 | (get(domain) & 0xff);
  return all;
}

void setThreadsByDomain(std::int64_t value) {
  static const auto set = loadedFunction<int(int, int)>("mkl_serv_domain_set_num_threads");
  if (set == nullptr) return;
  // 0 is what the number for all says.
  for (int domain = 1; domain <= domainsOfMkl; ++domain) set(0, domain);
  if (threadsByDomain() == value) return;
  for (int domain = domainsOfMkl; domain >= 1; --domain, value >>= 8)
    set(static_cast<int>(value & 0xff), domain);
}

/// Whether MKL reports each of its calls, which takes longer than a small one.
std::int64_t reportsOfMkl() {
  static const auto set = loadedFunction<int(int)>("MKL_Verbose");
  const int was = set != nullptr ? set(0) : 0;
  if (was > 0) set(was);
  return was;
}

void setReportsOfMkl(std::int64_t value) {
  static const auto set = loadedFunction<int(int)>("MKL_Verbose");
  if (set != nullptr) set(static_cast<int>(value));
}

/// Who is told how far MKL's factorisations have come, and may take his time.
std::int64_t progressOfMkl() {
  static const auto set = loadedFunction<void*(void*)>("mkl_serv_set_progress");
  void* const was = set != nullptr ? set(nullptr) : nullptr;
  if (was != nullptr) set(was);
  return std::bit_cast<std::int64_t>(was);
}

void setProgressOfMkl(std::int64_t value) {
  static const auto set = loadedFunction<void*(void*)>("mkl_serv_set_progress");
  if (set != nullptr) set(std::bit_cast<void*>(value));
}

/// Who is told of this thread's warnings, of which an operator may give one in each call.
std::int64_t warningHandler() {
  return std::bit_cast<std::int64_t>(c10::WarningUtils::get_warning_handler());
}

void setWarningHandler(std::int64_t value) {
  c10::WarningUtils::set_warning_handler(std::bit_cast<c10::WarningHandler*>(value));
}

std::int64_t allocator() {
  return std::bit_cast<std::int64_t>(c10::GetCPUAllocator());
}

void setAllocator(std::int64_t value) {
  constexpr std::uint8_t highest = 255;  // one that was set with a higher priority would stay
  c10::SetCPUAllocator(std::bit_cast<c10::Allocator*>(value), highest);
}

/// Who is told of this thread's allocations, among others. Only that somebody is matters.
std::int64_t debugInfo() {
  return std::bit_cast<std::int64_t>(c10::ThreadLocalDebugInfo::current().get());
}

/// Whether an interval timer runs. Its time does not matter: a timer that runs would also go off while the
/// other side is at work.
template <__itimer_which_t Which>
constexpr ProcessSetting timer() {
  return {"an interval timer",
          [] {
            itimerval now{};
            ::getitimer(Which, &now);
            return std::int64_t{now.it_value.tv_sec != 0 || now.it_value.tv_usec != 0};
          },
          [](std::int64_t value) {
            const itimerval none{};
            if (value == 0) ::setitimer(Which, &none, nullptr);
          },
          onOff};
}

std::int64_t autogradFlags() {
  const c10::AutogradState& state = c10::AutogradState::get_tls_state();
  return std::int64_t{state.get_grad_mode()} | std::int64_t{state.get_fw_grad_mode()} << 1 |
         std::int64_t{state.get_inference_mode()} << 2 |
         std::int64_t{state.get_multithreading_enabled()} << 3 |
         std::int64_t{state.get_view_replay_enabled()} << 4;
}

void setAutogradFlags(std::int64_t value) {
  c10::AutogradState& state = c10::AutogradState::get_tls_state();
  state.set_grad_mode((value & 1) != 0);
  state.set_fw_grad_mode((value & 2) != 0);
  state.set_inference_mode((value & 4) != 0);
  state.set_multithreading_enabled((value & 8) != 0);
  state.set_view_replay_enabled((value & 16) != 0);
}

c10::impl::LocalDispatchKeySet keys() {
  return c10::impl::tls_local_dispatch_key_set();
}

void setKeys(std::uint64_t included, std::uint64_t excluded) {
  c10::impl::PODLocalDispatchKeySet set{};
  set.set_included(c10::DispatchKeySet(c10::DispatchKeySet::RAW, included));
  set.set_excluded(c10::DispatchKeySet(c10::DispatchKeySet::RAW, excluded));
  c10::impl::_force_tls_local_dispatch_key_set(set);
}

std::string dtypeName(std::int64_t value) {
  return c10::toString(static_cast<c10::ScalarType>(value));
}

using at::Context;
using Backend = at::Float32Backend;
using Op = at::Float32Op;

constexpr std::array settings {
  ProcessSetting{"the number of threads", [] { return std::int64_t{at::get_num_threads()}; },
                 [](std::int64_t value) { at::set_num_threads(static_cast<int>(value)); }, number, true},
#if defined(__x86_64__)
      ProcessSetting{"flushing of denormal numbers to zero", control<flushBits>, setControl<flushBits>, onOff,
                     true},
      ProcessSetting{"the rounding mode", control<roundingBits>, setControl<roundingBits>, nullptr, true},
      ProcessSetting{"traps of floating-point errors", control<controlBits & ~flushBits & ~roundingBits>,
                     setControl<controlBits & ~flushBits & ~roundingBits>, nullptr, true},
#endif
      ProcessSetting{"the rounding mode", [] { return std::int64_t{std::fegetround()}; },
                     [](std::int64_t value) { std::fesetround(static_cast<int>(value)); }, nullptr, true},
      ProcessSetting{"the precision of float32 products", matmulPrecision, setMatmulPrecision},
      precision<Backend::GENERIC, Op::ALL>("the precision of float32 (TF32)"),
      precision<Backend::CUDA, Op::ALL>("the precision of float32 (TF32) on the GPU"),
      precision<Backend::CUDA, Op::MATMUL>("the precision of float32 products (TF32) on the GPU"),
      precision<Backend::CUDA, Op::CONV>("the precision of float32 convolutions (TF32) on the GPU"),
      precision<Backend::CUDA, Op::RNN>("the precision of float32 recurrent layers (TF32) on the GPU"),
      precision<Backend::MKLDNN, Op::ALL>("the precision of float32 in oneDNN"),
      precision<Backend::MKLDNN, Op::MATMUL>("the precision of float32 products in oneDNN"),
      precision<Backend::MKLDNN, Op::CONV>("the precision of float32 convolutions in oneDNN"),
      ProcessSetting{"reduced-precision sums of float16",
                     [] { return static_cast<std::int64_t>(context().allowFP16ReductionCuBLAS()); },
                     setReduction<&Context::setAllowFP16ReductionCuBLAS>},
      ProcessSetting{"reduced-precision sums of bfloat16",
                     [] { return static_cast<std::int64_t>(context().allowBF16ReductionCuBLAS()); },
                     setReduction<&Context::setAllowBF16ReductionCuBLAS>},
      flag<&Context::allowFP16AccumulationCuBLAS, &Context::setAllowFP16AccumulationCuBLAS>(
          "float16 accumulation"),
      flag<&Context::allowFP16ReductionCPU, &Context::setAllowFP16ReductionCPU>(
          "reduced-precision sums of float16 on the CPU"),
      flag<&Context::userEnabledCuDNN, &Context::setUserEnabledCuDNN>("cuDNN"),
      flag<&Context::benchmarkCuDNN, &Context::setBenchmarkCuDNN>("cuDNN's choice by benchmark"),
      flag<&Context::deterministicCuDNN, &Context::setDeterministicCuDNN>("cuDNN's deterministic mode"),
      flag<&Context::userEnabledMkldnn, &Context::setUserEnabledMkldnn>("oneDNN"),
      flag<&Context::deterministicMkldnn, &Context::setDeterministicMkldnn>("oneDNN's deterministic mode"),
      flag<&Context::userEnabledNNPACK, &Context::setUserEnabledNNPACK>("NNPACK"),
      flag<&Context::userEnabledFlashSDP, &Context::setSDPUseFlash>("flash attention"),
      flag<&Context::userEnabledMemEfficientSDP, &Context::setSDPUseMemEfficient>(
          "memory-efficient attention"),
      flag<&Context::userEnabledMathSDP, &Context::setSDPUseMath>("plain attention"),
      flag<&Context::userEnabledCuDNNSDP, &Context::setSDPUseCuDNN>("cuDNN's attention"),
      ProcessSetting{"deterministic algorithms",
                     [] {
                       return std::int64_t{context().deterministicAlgorithms()} |
                              std::int64_t{context().deterministicAlgorithmsWarnOnly()} << 1;
                     },
                     [](std::int64_t value) {
                       context().setDeterministicAlgorithms((value & 1) != 0, (value & 2) != 0);
                     },
                     [](std::int64_t value) { return onOff(value & 1); }},
      flag<&Context::deterministicFillUninitializedMemory, &Context::setDeterministicFillUninitializedMemory>(
          "the filling of uninitialised memory"),
      ProcessSetting{"the library of linear algebra",
                     [] { return static_cast<std::int64_t>(context().linalgPreferredBackend()); },
                     [](std::int64_t value) {
                       context().setLinalgPreferredBackend(static_cast<at::LinalgBackend>(value));
                     }},
      ProcessSetting{"the default dtype",
                     [] { return static_cast<std::int64_t>(c10::get_default_dtype_as_scalartype()); },
                     [](std::int64_t value) {
                       c10::set_default_dtype(c10::scalarTypeToTypeMeta(static_cast<c10::ScalarType>(value)));
                     },
                     dtypeName},
      ProcessSetting{"gradient mode", autogradFlags, setAutogradFlags},
      ProcessSetting{"torch's dispatch of calls",
                     [] { return std::bit_cast<std::int64_t>(keys().included_.raw_repr()); },
                     [](std::int64_t value) {
                       setKeys(std::bit_cast<std::uint64_t>(value), keys().excluded_.raw_repr());
                     }},
      ProcessSetting{"torch's dispatch of calls",
                     [] { return std::bit_cast<std::int64_t>(keys().excluded_.raw_repr()); },
                     [](std::int64_t value) {
                       setKeys(keys().included_.raw_repr(), std::bit_cast<std::uint64_t>(value));
                     }},
      ProcessSetting{"the choice of threads by OpenMP", dynamicThreads, setDynamicThreads, onOff},
      ProcessSetting{"how deep OpenMP's threads may be nested", activeLevels, setActiveLevels, number},
      torchsFlag<junkFill>("the filling of new memory"), torchsFlag<zeroFill>("the filling of new memory"),
      torchsFlag<memoryReports>("torch's reports of its memory"), torchsFlag<numa>("where new memory lies"),
      ProcessSetting{"who is told of torch's warnings", warningHandler, setWarningHandler},
      ProcessSetting{"how often torch warns of the same",
                     [] { return std::int64_t{c10::WarningUtils::get_warnAlways()}; },
                     [](std::int64_t value) { c10::WarningUtils::set_warnAlways(value != 0); }, onOff},
      ProcessSetting{"the number of MKL's threads", threadsOfMkl, setThreadsOfMkl, number},
      ProcessSetting{"the number of MKL's threads for each kind of work", threadsByDomain,
                     setThreadsByDomain},
      ProcessSetting{"MKL's reports of its calls", reportsOfMkl, setReportsOfMkl, onOff},
      ProcessSetting{"MKL's reports of its progress", progressOfMkl, setProgressOfMkl},
      ProcessSetting{
          "the library of products",
          [] { return static_cast<std::int64_t>(context().blasPreferredBackend()); },
          [](std::int64_t value) { context().setBlasPreferredBackend(static_cast<at::BlasBackend>(value)); }},
      flag<&Context::allowFP16BF16ReductionMathSDP, &Context::setAllowFP16BF16ReductionMathSDP>(
          "reduced-precision sums in plain attention"),
      ProcessSetting{"the allocator of the processor's memory", allocator, setAllocator},
      ProcessSetting{"observers of torch's memory", debugInfo,
                     [](std::int64_t value) {
                       if (value == 0) c10::ThreadLocalDebugInfo::_forceCurrentDebugInfo(nullptr);
                     }},
      ProcessSetting{"observers of torch's calls", [] { return std::int64_t{at::isRecordFunctionEnabled()}; },
                     [](std::int64_t value) { at::enableRecordFunction(value != 0); }, onOff},
      ProcessSetting{"observers of torch's calls", [] { return std::int64_t{at::hasThreadLocalCallbacks()}; },
                     [](std::int64_t value) {
                       if (value == 0) at::clearThreadLocalCallbacks();
                     },
                     onOff},
      ProcessSetting{"observers of torch's calls", [] { return std::int64_t{at::hasGlobalCallbacks()}; },
                     [](std::int64_t value) {
                       if (value == 0) at::clearGlobalCallbacks();
                     },
                     onOff},
      ProcessSetting{"the current GPU", [] { return std::int64_t{currentDevice()}; },
                     [](std::int64_t value) { setCurrentDevice(static_cast<int>(value)); }, number},
      timer<ITIMER_REAL>(), timer<ITIMER_VIRTUAL>(), timer<ITIMER_PROF>(),
};

}  // namespace

std::span<const ProcessSetting> processSettings() {
  return settings;
}

void inEveryThread(void (*work)(void*), void* data) {
  // The OpenMP runtime that torch has loaded, whose threads these are: the engine is built without one.
  using Parallel = void(void (*)(void*), void*, unsigned, unsigned);
  static const auto parallel = loadedFunction<Parallel>("GOMP_parallel");
  if (parallel != nullptr)
    parallel(work, data, 0, 0);
  else
    work(data);
}

}  // namespace wb

// SPDX-License-Identifier: GPL-3.0-or-later
#include "editor/language/vocabulary.h"

#include <QFile>
#include <QSet>

namespace wb {
namespace {

const char* const cppKeywords =
    "alignas alignof and asm auto break case catch class co_await co_return co_yield concept const "
    "const_cast consteval constexpr constinit "
    "continue decltype default delete do dynamic_cast else enum explicit export extern false final for "
    "friend goto if inline mutable namespace "
    "new noexcept not nullptr operator or override private protected public register reinterpret_cast "
    "requires return sizeof static "
    "static_assert static_cast struct switch template this thread_local throw true try typedef typeid "
    "typename union using virtual volatile "
    "while";

const char* const cppTypes =
    "void bool char char8_t char16_t char32_t wchar_t short int long float double signed unsigned size_t "
    "ssize_t ptrdiff_t intptr_t uintptr_t "
    "int8_t int16_t int32_t int64_t uint8_t uint16_t uint32_t uint64_t";

const char* const torchTypes =
    "Tensor TensorList ITensorListRef Scalar ScalarType TensorOptions IntArrayRef OptionalIntArrayRef "
    "ArrayRef BFloat16 Half MemoryFormat "
    "Device Generator string string_view vector array tuple optional pair span function";

const char* const torchBuiltins =
    "TORCH_CHECK TORCH_INTERNAL_ASSERT AT_DISPATCH_FLOATING_TYPES AT_DISPATCH_ALL_TYPES "
    "AT_DISPATCH_FLOATING_TYPES_AND2 "
    "AT_DISPATCH_ALL_TYPES_AND2 AT_DISPATCH_V2 parallel_for parallel_reduce empty_like zeros_like data_ptr "
    "const_data_ptr mutable_data_ptr "
    "is_contiguous contiguous numel scalar_type opmath_type";

const char* const cudaKeywords =
    " __global__ __device__ __host__ __shared__ __constant__ __managed__ __grid_constant__ __forceinline__ "
    "__noinline__ __inline__ "
    "__restrict__ __launch_bounds__ __cluster_dims__ __align__";

const char* const cudaTypes =
    " scalar_t half half2 bfloat16 __half __half2 __nv_bfloat16 __nv_bfloat162 __nv_fp8_e4m3 __nv_fp8_e5m2 "
    "dim3 cudaError_t cudaStream_t "
    "char2 char3 char4 uchar2 uchar3 uchar4 short2 short4 ushort2 ushort4 int2 int3 int4 uint2 uint3 uint4 "
    "long2 ulong2 longlong2 ulonglong2 "
    "float2 float3 float4 double2 double3 double4 thread_block thread_block_tile grid_group cluster_group";

const char* const cudaBuiltins =
    "threadIdx blockIdx blockDim gridDim warpSize __syncthreads __syncthreads_and __syncthreads_or "
    "__syncthreads_count __syncwarp "
    "__threadfence __threadfence_block __threadfence_system __shfl_sync __shfl_up_sync __shfl_down_sync "
    "__shfl_xor_sync __ballot_sync "
    "__all_sync __any_sync __activemask __match_any_sync __match_all_sync __reduce_add_sync "
    "__reduce_min_sync __reduce_max_sync "
    "__reduce_and_sync __reduce_or_sync __reduce_xor_sync __ldg __ldcg __ldca __ldcs __ldlu __ldcv __stwb "
    "__stcg __stcs __stwt atomicAdd "
    "atomicSub atomicExch atomicMin atomicMax atomicInc atomicDec atomicCAS atomicAnd atomicOr atomicXor "
    "__fmaf_rn __fmaf_rz __fadd_rn "
    "__fmul_rn __fdividef __frcp_rn __frsqrt_rn __fsqrt_rn __expf __exp10f __logf __log2f __log10f __sinf "
    "__cosf __tanf __powf __saturatef "
    "__float2half __half2float __float2half_rn __float2half2_rn __floats2half2_rn __half22float2 "
    "__float22half2_rn __low2float __high2float "
    "__float2bfloat16 __bfloat162float __float2bfloat16_rn __float22bfloat162_rn __floats2bfloat162_rn "
    "__bfloat1622float2 __hadd __hsub "
    "__hmul __hfma __hadd2 __hmul2 __hfma2 __hmax __hmin __hmax2 __hmin2 __float_as_int __int_as_float "
    "__float_as_uint __uint_as_float "
    "__double_as_longlong __longlong_as_double __popc __popcll __clz __clzll __ffs __ffsll __brev "
    "__byte_perm __funnelshift_l "
    "__funnelshift_r __mul24 __mulhi __umulhi __dp4a __sad __nanosleep __trap __assume __builtin_assume "
    "__cvta_generic_to_shared "
    "__pipeline_memcpy_async __pipeline_commit __pipeline_wait_prior clock clock64 fmaf fmaxf fminf fabsf "
    "expf exp2f logf log2f log1pf expm1f "
    "sqrtf rsqrtf rcbrtf powf sinf cosf tanf tanhf erff erfcf erfinvf floorf ceilf truncf roundf rintf "
    "copysignf isnan isinf isfinite "
    "make_float2 make_float3 make_float4 make_int2 make_int4 make_uint2 make_uint4 make_double2 INFINITY NAN "
    "cooperative_groups "
    "tiled_partition this_thread_block this_grid this_cluster wmma";

const char* const pythonKeywords =
    "False None True and as assert async await break class continue def del elif else except finally for "
    "from global if import in is lambda "
    "match nonlocal not or pass raise return try while with yield";

const char* const pythonBuiltins =
    "abs all any bool bytes callable dict dir divmod enumerate filter float format frozenset getattr hasattr "
    "hash id int isinstance issubclass "
    "iter len list map max min next object open ord pow print property range repr reversed round self set "
    "setattr slice sorted staticmethod str "
    "sum super tuple type zip torch triton tl nn F";

const char* const torchCalls[] = {
    "at::empty_like(const Tensor& self)",
    "at::empty(IntArrayRef size, TensorOptions options)",
    "at::zeros(IntArrayRef size, TensorOptions options)",
    "at::parallel_for(int64_t begin, int64_t end, int64_t grain_size, const F& f)",
    "TORCH_CHECK(condition, ...)",
    "AT_DISPATCH_FLOATING_TYPES(TYPE, NAME, ...)",
    "AT_DISPATCH_FLOATING_TYPES_AND2(SCALARTYPE1, SCALARTYPE2, TYPE, NAME, ...)",
    "const_data_ptr<T>()",
    "mutable_data_ptr<T>()",
    "is_contiguous()",
    "contiguous()",
    "numel()",
    "size(int64_t dim)",
    "stride(int64_t dim)",
    "scalar_type()",
    "options()"};

/// The lines of a file that the program carries; those that begin with "#" say where the rest comes from.
void addFile(QStringList& list, const QString& name) {
  QFile file(QStringLiteral(":/completion/") + name);
  if (!file.open(QIODevice::ReadOnly)) return;
  for (const QByteArray& line : file.readAll().split('\n'))
    if (!line.isEmpty() && line[0] != '#') list << QString::fromUtf8(line);
}

void addWords(QStringList& list, const QByteArray& words) {
  for (const QByteArray& word : words.split(' ')) {
    if (word.size() > 2) list << QString::fromLatin1(word);
  }
}

template <std::size_t n>
void addCalls(QStringList& list, const char* const (&calls)[n]) {
  for (const char* call : calls) list << QString::fromLatin1(call);
}

}  // namespace

const Vocabulary& cppVocabulary() {
  static const Vocabulary words{cppKeywords, torchBuiltins, QByteArray(cppTypes) + ' ' + torchTypes};
  return words;
}

const Vocabulary& cudaVocabulary() {
  static const Vocabulary words{QByteArray(cppKeywords) + cudaKeywords, cudaBuiltins,
                                QByteArray(cppTypes) + cudaTypes};
  return words;
}

const Vocabulary& pythonVocabulary() {
  static const Vocabulary words{pythonKeywords, pythonBuiltins, {}};
  return words;
}

QStringList completions(const QString& lexer) {
  QStringList list;
  const bool cuda = lexer == QLatin1String("cuda");
  if (lexer == QLatin1String("python")) {
    addFile(list, QStringLiteral("triton.txt"));
  } else {
    if (cuda) addFile(list, QStringLiteral("cuda.txt"));
    addCalls(list, torchCalls);
  }
  const Vocabulary& words = lexer == QLatin1String("python") ? pythonVocabulary()
                            : cuda                           ? cudaVocabulary()
                                                             : cppVocabulary();
  QSet<QString> known;
  for (const QString& call : list) known << call.section(QLatin1Char('('), 0, 0);
  QStringList plain;
  addWords(plain, words.keywords);
  addWords(plain, words.builtins);
  addWords(plain, words.types);
  for (const QString& word : plain) {
    if (!known.contains(word)) list << word;
  }
  return list;
}

}  // namespace wb

// SPDX-License-Identifier: Apache-2.0
// The functions of CUDA's runtime that take a kernel get its handle in an extension that nvcc has not
// compiled. What stands for CUDA's runtime here only remembers what it was given.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <regex>
#include <set>

#include "core/base/files/file.h"
#include "core/engine/compile/standin/warpbench_runtime.h"
#include "core/engine/compile/torch_cuda/split/splitter.h"
#include "tests/engine/torch_cuda/fake_runtime.h"

cudaStream_t warpbench_cuda::orCurrent(cudaStream_t stream) {
  static char current = 0;
  return stream == nullptr ? reinterpret_cast<cudaStream_t>(&current) : stream;
}

namespace wb {
namespace {

using fake::runtime;
using warpbench_cuda::entries;

void kernel(const float*, int) {}
void notAKernel() {}
char handle = 0;

class KernelHandles : public testing::Test {
 protected:
  void SetUp() override {
    entries() = {{(const void*)&kernel, nullptr, "kernel", &handle}};
    runtime() = {};
  }
  void TearDown() override { entries().clear(); }
  /// Whether one call, or several, got the handle.
  static void expectHandle(cudaError_t result) {
    EXPECT_EQ(result, cudaSuccess);
    EXPECT_GE(runtime().calls, 1);
    EXPECT_EQ(runtime().kernel, &handle);
    runtime() = {};
  }
};

TEST_F(KernelHandles, AreGivenToWhatAsksAboutAKernel) {
  cudaFuncAttributes attributes{};
  const char* name = nullptr;
  std::size_t size = 0;
  int number = 0, block = 0;
  const cudaLaunchConfig_t how{};
  expectHandle(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, 1));
  expectHandle(cudaFuncSetAttribute((const void*)&kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, 1));
  expectHandle(cudaFuncGetAttributes(&attributes, kernel));
  expectHandle(cudaFuncGetName(&name, kernel));
  expectHandle(cudaFuncGetParamInfo(kernel, 0, &size, &size));
  expectHandle(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&number, kernel, 1, 0));
  expectHandle(cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&number, kernel, 1, 0, 0));
  expectHandle(cudaOccupancyAvailableDynamicSMemPerBlock(&size, kernel, 1, 1));
  expectHandle(cudaOccupancyMaxPotentialClusterSize(&number, kernel, &how));
  expectHandle(cudaOccupancyMaxActiveClusters(&number, kernel, &how));
  const auto shared = [](int) { return 0; };
  expectHandle(cudaOccupancyMaxPotentialBlockSize(&number, &block, kernel));
  expectHandle(
      cudaOccupancyMaxPotentialBlockSizeWithFlags(&number, &block, kernel, 0, 0, cudaOccupancyDefault));
  expectHandle(cudaOccupancyMaxPotentialBlockSizeVariableSMem(&number, &block, kernel, shared));
  expectHandle(cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(&number, &block, kernel, shared, 0,
                                                                       cudaOccupancyDefault));
  EXPECT_EQ(cudaFuncSetCacheConfig(kernel, cudaFuncCachePreferL1), cudaSuccess);
  EXPECT_EQ(cudaFuncSetSharedMemConfig(kernel, cudaSharedMemBankSizeDefault), cudaSuccess);
}

TEST_F(KernelHandles, AreWhatLaunchesOnTheCurrentStream) {
  const auto expectLaunch = [&](cudaError_t result) {
    EXPECT_EQ(runtime().stream, warpbench_cuda::orCurrent(nullptr));
    expectHandle(result);
  };
  cudaLaunchConfig_t how{};
  expectLaunch(::cudaLaunchKernel(kernel, 1, 1, nullptr));
  expectLaunch(cudaLaunchCooperativeKernel(kernel, 1, 1, nullptr));
  expectLaunch(cudaLaunchKernelExC(&how, kernel, nullptr));
  expectLaunch(cudaLaunchKernelEx(&how, kernel, nullptr, short{1}));
  cudaKernel_t known = nullptr;
  EXPECT_EQ(cudaGetKernel(&known, kernel), cudaSuccess);
  EXPECT_EQ(known, reinterpret_cast<cudaKernel_t>(&handle));
  EXPECT_EQ(runtime().calls, 0) << "CUDA's runtime would not find it";
  expectLaunch(cudaLaunchKernelEx(&how, known, static_cast<const float*>(nullptr), 1));
}

TEST_F(KernelHandles, TheDriversFunctionIsThatOfTheHandle) {
  cudaFunction_t found = nullptr;
  expectHandle(cudaGetFuncBySymbol(&found, kernel));
  EXPECT_EQ(found, reinterpret_cast<cudaFunction_t>(&runtime().function));
}

TEST_F(KernelHandles, AreGivenToTheNodesOfGraphs) {
  cudaKernelNodeParams node{};
  node.func = reinterpret_cast<void*>(&kernel);
  expectHandle(cudaGraphAddKernelNode(nullptr, nullptr, nullptr, 0, &node));
  expectHandle(cudaGraphKernelNodeSetParams(nullptr, &node));
  expectHandle(cudaGraphExecKernelNodeSetParams(nullptr, nullptr, &node));
  cudaGraphNodeParams any = {};
  any.type = cudaGraphNodeTypeKernel;
  any.kernel.func = reinterpret_cast<void*>(&kernel);
  expectHandle(cudaGraphAddNode(nullptr, nullptr, nullptr, nullptr, 0, &any));
  expectHandle(cudaGraphNodeSetParams(nullptr, &any));
  expectHandle(cudaGraphExecNodeSetParams(nullptr, nullptr, &any));
  EXPECT_EQ(node.func, reinterpret_cast<void*>(&kernel)) << "the caller's struct stays as it is";
  EXPECT_EQ(any.kernel.func, reinterpret_cast<void*>(&kernel));
}

TEST_F(KernelHandles, ComeBackFromNodesAsTheFunctionsOfTheFile) {
  cudaKernelNodeParams node{};
  runtime().kernelOfNode = &handle;
  EXPECT_EQ(cudaGraphKernelNodeGetParams(nullptr, &node), cudaSuccess);
  EXPECT_FALSE(runtime().failed) << "what the runtime said of it is forgotten";
  EXPECT_EQ(node.func, reinterpret_cast<void*>(&kernel));
  EXPECT_EQ(node.gridDim.y, 3U);
  EXPECT_EQ(node.blockDim.x, 256U);
  EXPECT_EQ(node.sharedMemBytes, 64U);
  runtime().kernelOfNode = &runtime().function;
  EXPECT_EQ(cudaGraphKernelNodeGetParams(nullptr, &node), cudaErrorInvalidDeviceFunction);
  EXPECT_TRUE(runtime().failed) << "a kernel of a library's";
  runtime().ofNvcc = true;
  EXPECT_EQ(cudaGraphKernelNodeGetParams(nullptr, &node), cudaSuccess);
  EXPECT_EQ(node.func, &runtime().function);
}

TEST_F(KernelHandles, OtherNodesAndFunctionsStayAsTheyAre) {
  cudaGraphNodeParams room = {};
  room.type = cudaGraphNodeTypeMemAlloc;
  EXPECT_EQ(cudaGraphAddNode(nullptr, nullptr, nullptr, nullptr, 0, &room), cudaSuccess);
  EXPECT_EQ(room.alloc.dptr, &runtime().memory) << "what the runtime gives back";
  EXPECT_EQ(cudaGraphAddKernelNode(nullptr, nullptr, nullptr, 0, nullptr), cudaSuccess);
  EXPECT_EQ(runtime().kernel, nullptr);
  cudaFunction_t found = nullptr;
  cudaKernel_t known = nullptr;
  for (const cudaError_t result :
       {cudaFuncSetAttribute(notAKernel, cudaFuncAttributeMax, 1), cudaGetFuncBySymbol(&found, notAKernel),
        cudaGetKernel(&known, notAKernel)}) {
    EXPECT_EQ(result, cudaSuccess);
    EXPECT_EQ(runtime().kernel, (const void*)&notAKernel);
  }
}

/// All of the runtime that takes a kernel, a node's parameters or a variable of the device's, as its header
/// has it: what a later CUDA adds is named here.
TEST(RuntimeFunctions, ThatTakeAKernelAreKnownOrGoToNvcc) {
  const auto header = readFile(std::string(WB_CUDA_INCLUDE) + "/cuda_runtime_api.h");
  const auto ours = readFile(WB_SOURCE_DIR "/core/engine/compile/standin/warpbench_runtime.h");
  ASSERT_TRUE(header && ours);
  const std::regex declaration(R"(extern [^;{}]*?CUDARTAPI\s+(cuda\w+)\s*\(([^;]*)\);)");
  const std::regex kernel(
      R"(void\s*\*\s*(func|symbol\w*|entryFunc\w*|hostFun\w*)\b|KernelNodeParams|GraphNodeParams|cudaLaunchParams)");
  std::set<std::string> functions, left;
  for (std::sregex_iterator each(header->begin(), header->end(), declaration), end; each != end; ++each)
    if (std::regex_search((*each)[2].first, (*each)[2].second, kernel)) functions.insert((*each)[1]);
  EXPECT_GE(functions.size(), 35U);
  for (const std::string& name : functions) {
    const bool known = ours->find("#define " + name + " ") != std::string::npos;
    const auto none = [](const std::string&, const std::string&) { return std::optional<IncludedFile>(); };
    if (!known && splitSource("void f() { " + name + "(x); }", "x.cu", none).unfit.empty()) left.insert(name);
  }
  EXPECT_THAT(left, testing::IsEmpty());
}

}  // namespace
}  // namespace wb

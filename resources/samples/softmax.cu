/* warpbench
# Title: Softmax in CUDA, a block a row
# Summary: Any dimension; maximum and sum by warp shuffles and shared memory, numerically stable.
operator = "aten::_softmax"
args = ["self", "out", "size(self, dim)", "stride(out, dim)"]
grid = ["numel(self) / max(size(self, dim), 1)"]
block = [256]
*/

// Halves are computed in float; double stays double.
template <typename T> struct Working { using type = float; };
template <> struct Working<double> { using type = double; };
using working_t = Working<scalar_t>::type;

struct Maximum {
    __device__ working_t operator()(working_t a, working_t b) const { return a > b || a != a ? a : b; }
};
struct Sum {
    __device__ working_t operator()(working_t a, working_t b) const { return a + b; }
};

// Every thread of the block gets the result. `shared` has room for a value a warp.
template <typename Operation>
__device__ working_t reduceBlock(working_t value, working_t* shared, Operation operation) {
    #pragma unroll
    for (int offset = 16; offset > 0; offset /= 2) value = operation(value, __shfl_xor_sync(0xffffffffu, value, offset));
    const int warps = blockDim.x / 32;
    __syncthreads();  // the last reduction has been read
    if (threadIdx.x % 32 == 0) shared[threadIdx.x / 32] = value;
    __syncthreads();
    value = shared[0];
    for (int warp = 1; warp < warps; ++warp) value = operation(value, shared[warp]);
    return value;
}

// Row r of the softmax dimension: `inner` elements lie between its neighbours.
__global__ void softmax(const scalar_t* __restrict__ self, scalar_t* __restrict__ out, long long size, long long inner) {
    __shared__ working_t shared[32];
    const long long row = blockIdx.x;
    const long long base = row / inner * size * inner + row % inner;

    working_t largest = static_cast<working_t>(-INFINITY);
    for (long long i = threadIdx.x; i < size; i += blockDim.x) {
        largest = Maximum()(static_cast<working_t>(self[base + i * inner]), largest);
    }
    largest = reduceBlock(largest, shared, Maximum());

    working_t sum = 0;
    for (long long i = threadIdx.x; i < size; i += blockDim.x) {
        sum += exp(static_cast<working_t>(self[base + i * inner]) - largest);
    }
    const working_t scale = working_t(1) / reduceBlock(sum, shared, Sum());

    for (long long i = threadIdx.x; i < size; i += blockDim.x) {
        const long long at = base + i * inner;
        out[at] = static_cast<scalar_t>(exp(static_cast<working_t>(self[at]) - largest) * scale);
    }
}

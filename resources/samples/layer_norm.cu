/* warpbench
# Title: Layer norm in CUDA, a block a row
# Summary: Three outputs (result, mean, reciprocal deviation); weight and bias may be None.
operator = "aten::native_layer_norm"
args = ["input", "weight", "bias", "out0", "out1", "out2", "numel(input) / max(numel(out1), 1)", "eps"]
grid = ["numel(out1)"]
block = [256]
*/

// Halves are computed in float, and their mean and deviation are returned so; double stays double.
template <typename T> struct Working { using type = float; };
template <> struct Working<double> { using type = double; };
using working_t = Working<scalar_t>::type;

// Count, mean and sum of squared differences of a part of the row; joined by Chan's formula, which loses nothing where the mean is
// large against the deviation.
struct Moments {
    working_t count, mean, squares;
};

__device__ Moments join(Moments a, Moments b) {
    const working_t count = a.count + b.count;
    if (count == 0) return a;
    const working_t delta = b.mean - a.mean;
    const working_t share = b.count / count;
    return {count, a.mean + delta * share, a.squares + b.squares + delta * delta * a.count * share};
}

__device__ Moments shuffled(Moments m, int offset) {
    return {__shfl_xor_sync(0xffffffffu, m.count, offset), __shfl_xor_sync(0xffffffffu, m.mean, offset),
            __shfl_xor_sync(0xffffffffu, m.squares, offset)};
}

__device__ Moments reduceBlock(Moments m, Moments* shared) {
    #pragma unroll
    for (int offset = 16; offset > 0; offset /= 2) m = join(m, shuffled(m, offset));
    if (threadIdx.x % 32 == 0) shared[threadIdx.x / 32] = m;
    __syncthreads();
    m = shared[0];
    for (int warp = 1; warp < blockDim.x / 32; ++warp) m = join(m, shared[warp]);
    return m;
}

__global__ void layer_norm(const scalar_t* __restrict__ input, const scalar_t* __restrict__ weight,
                           const scalar_t* __restrict__ bias, scalar_t* __restrict__ out, working_t* __restrict__ mean,
                           working_t* __restrict__ rstd, long long size, double eps) {
    __shared__ Moments shared[32];
    const scalar_t* row = input + blockIdx.x * size;
    scalar_t* outRow = out + blockIdx.x * size;

    Moments m = {0, 0, 0};
    for (long long i = threadIdx.x; i < size; i += blockDim.x) {
        const working_t x = static_cast<working_t>(row[i]);
        m.count += 1;
        const working_t delta = x - m.mean;
        m.mean += delta / m.count;
        m.squares += delta * (x - m.mean);
    }
    m = reduceBlock(m, shared);
    const working_t scale = rsqrt(m.squares / m.count + static_cast<working_t>(eps));
    if (threadIdx.x == 0) {
        mean[blockIdx.x] = m.mean;
        rstd[blockIdx.x] = scale;
    }
    for (long long i = threadIdx.x; i < size; i += blockDim.x) {
        working_t y = (static_cast<working_t>(row[i]) - m.mean) * scale;
        if (weight != nullptr) y *= static_cast<working_t>(weight[i]);
        if (bias != nullptr) y += static_cast<working_t>(bias[i]);
        outRow[i] = static_cast<scalar_t>(y);
    }
}

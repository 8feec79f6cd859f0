/* warpbench
# Title: GELU in CUDA, exact and tanh
# Summary: A string argument becomes a number by is(…), and chooses between two formulas.
operator = "aten::gelu"
args = ["self", "out", "numel(self)", "is(approximate, tanh)"]
grid = ["ceil_div(numel(self), 256)"]
block = [256]
*/

// Halves are computed in float; double stays double.
template <typename T> struct Working { using type = float; };
template <> struct Working<double> { using type = double; };
using working_t = Working<scalar_t>::type;

__device__ working_t exact(working_t x) {
    return working_t(0.5) * x * (working_t(1) + erf(x * working_t(0.70710678118654752440)));
}

__device__ working_t approximated(working_t x) {
    const working_t inner = working_t(0.79788456080286535588) * (x + working_t(0.044715) * x * x * x);
    return working_t(0.5) * x * (working_t(1) + tanh(inner));
}

__global__ void gelu(const scalar_t* __restrict__ self, scalar_t* __restrict__ out, long long n, bool useTanh) {
    const long long i = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const working_t x = static_cast<working_t>(self[i]);
    out[i] = static_cast<scalar_t>(useTanh ? approximated(x) : exact(x));
}

/* warpbench
# Title: Matrix product in CUDA, tiles in shared memory
# Summary: 32 by 32 tiles, four results a thread: a place to start from.
operator = "aten::mm"
args = ["self", "mat2", "out", "size(self, 0)", "size(mat2, 1)", "size(self, 1)"]
grid = ["ceil_div(size(mat2, 1), 32)", "ceil_div(size(self, 0), 32)"]
block = [32, 8]
*/

// Halves are summed in float; double stays double.
template <typename T> struct Working { using type = float; };
template <> struct Working<double> { using type = double; };
using working_t = Working<scalar_t>::type;

constexpr int kTile = 32;
constexpr int kRows = 4;  // of the result, for each thread: 8 threads cover 32

__global__ void __launch_bounds__(256) mm(const scalar_t* __restrict__ a, const scalar_t* __restrict__ b, scalar_t* __restrict__ c,
                                          int m, int n, int k) {
    __shared__ working_t tileA[kTile][kTile + 1];
    __shared__ working_t tileB[kTile][kTile + 1];
    const int column = blockIdx.x * kTile + threadIdx.x;
    const int firstRow = blockIdx.y * kTile + threadIdx.y;

    working_t sums[kRows] = {};
    for (int start = 0; start < k; start += kTile) {
        #pragma unroll
        for (int i = 0; i < kRows; ++i) {
            const int y = threadIdx.y + 8 * i;
            const int row = firstRow + 8 * i;
            const int across = start + threadIdx.x, down = start + y;
            tileA[y][threadIdx.x] = row < m && across < k ? static_cast<working_t>(a[static_cast<long long>(row) * k + across]) : working_t(0);
            tileB[y][threadIdx.x] = down < k && column < n ? static_cast<working_t>(b[static_cast<long long>(down) * n + column]) : working_t(0);
        }
        __syncthreads();
        // A sum for each tile, then a sum of those: one long chain of additions would round more.
        working_t parts[kRows] = {};
        #pragma unroll
        for (int j = 0; j < kTile; ++j) {
            const working_t value = tileB[j][threadIdx.x];
            #pragma unroll
            for (int i = 0; i < kRows; ++i) parts[i] += tileA[threadIdx.y + 8 * i][j] * value;
        }
        #pragma unroll
        for (int i = 0; i < kRows; ++i) sums[i] += parts[i];
        __syncthreads();
    }
    for (int i = 0; i < kRows; ++i) {
        const int row = firstRow + 8 * i;
        if (row < m && column < n) c[static_cast<long long>(row) * n + column] = static_cast<scalar_t>(sums[i]);
    }
}

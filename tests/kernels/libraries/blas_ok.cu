// cublas, cusparse and cufft without a toolkit, as loops on the host between kernels.
// weakspot: program
// expect: none
#include <cublas_v2.h>
#include <cufftXt.h>
#include <cusparse.h>
#include <cmath>
#include <cstdio>
#include <vector>

__global__ void add_one(float* x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] += 1;
}
template <typename T> T* on_device(const std::vector<T>& values) {
  T* made;
  cudaMalloc(&made, values.size() * sizeof(T));
  cudaMemcpy(made, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice);
  return made;
}
template <typename T> std::vector<T> on_host(const T* values, size_t n) {
  std::vector<T> made(n);
  cudaMemcpy(made.data(), values, n * sizeof(T), cudaMemcpyDeviceToHost);
  return made;
}
int failures = 0;
void check(bool right, int line) {
  if (right) return;
  std::printf("line %d is wrong\n", line);
  ++failures;
}
#define CHECK(condition) check(condition, __LINE__)

void dense() {
  cublasHandle_t handle;
  CHECK(cublasCreate(&handle) == CUBLAS_STATUS_SUCCESS);
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  cublasSetStream(handle, stream);
  // Column by column: A = (1 3 5; 2 4 6), B = (1 0; 0 1; 2 2).
  float *a = on_device<float>({1, 2, 3, 4, 5, 6}), *b = on_device<float>({1, 0, 2, 0, 1, 2}), *c = on_device<float>({0, 0, 0, 0});
  const float one = 1, zero = 0, two = 2;
  cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, 2, 2, 3, &one, a, 2, b, 3, &zero, c, 2);
  add_one<<<1, 32, 0, stream>>>(c, 4);
  cublasSgemm(handle, CUBLAS_OP_T, CUBLAS_OP_T, 2, 2, 2, &two, a, 2, b, 2, &one, c, 2);
  cudaStreamSynchronize(stream);
  const std::vector<float> product = on_host(c, 4);
  CHECK(product[0] == 11 + 1 + 2 * (1 * 1 + 2 * 2) && product[3] == 16 + 1 + 2 * (3 * 0 + 4 * 0));
  float sum = 0;
  cublasSdot(handle, 6, a, 1, b, 1, &sum);
  CHECK(sum == 1 + 0 + 6 + 0 + 5 + 12);
  int greatest = 0;
  cublasIsamax(handle, 6, a, 1, &greatest);
  CHECK(greatest == 6);
  cublasSaxpy(handle, 6, &two, a, 1, b, 1);
  float norm = 0;
  cublasSnrm2(handle, 2, b, 1, &norm);
  CHECK(std::fabs(norm - 5) < 1e-6f);  // (3, 4)
  // Lower triangle (2 0; 1 4), right side (2, 9).
  double *triangle = on_device<double>({2, 1, 0, 4}), *x = on_device<double>({2, 9});
  cublasDtrsv(handle, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N, CUBLAS_DIAG_NON_UNIT, 2, triangle, 2, x, 1);
  CHECK(on_host(x, 2)[0] == 1 && on_host(x, 2)[1] == 2);
  const cuComplex i_unit = make_cuComplex(0, 1);
  cuComplex* z = on_device<cuComplex>({{1, 2}, {3, 4}});
  cublasCscal(handle, 2, &i_unit, z, 1);
  CHECK(on_host(z, 2)[1].x == -4 && on_host(z, 2)[1].y == 3);
  cublasGemmStridedBatchedEx(handle, CUBLAS_OP_N, CUBLAS_OP_N, 1, 1, 2, &one, a, CUDA_R_32F, 1, 2, a, CUDA_R_32F, 2, 2,
                             &zero, c, CUDA_R_32F, 1, 1, 3, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT);
  CHECK(on_host(c, 3)[0] == 5 && on_host(c, 3)[2] == 61);
  // (0 2; 4 8) with its rows exchanged is (1 0; 0 1) (4 8; 0 2); (0 0; 0 1) has no pivot in its first column.
  double* both[] = {on_device<double>({0, 4, 2, 8}), on_device<double>({0, 0, 0, 1})};
  double** matrices = on_device<double*>({both[0], both[1]});
  int *pivots = on_device<int>({0, 0, 0, 0}), *info = on_device<int>({7, 7});
  CHECK(cublasDgetrfBatched(handle, 2, matrices, 2, pivots, info, 2) == CUBLAS_STATUS_SUCCESS);
  CHECK(on_host(both[0], 4) == std::vector<double>({4, 0, 8, 2}));
  CHECK(on_host(pivots, 2) == std::vector<int>({2, 2}) && on_host(info, 2) == std::vector<int>({0, 1}));
  cublasDestroy(handle);
  cudaStreamDestroy(stream);
}

void sparse() {
  cusparseHandle_t handle;
  cusparseCreate(&handle);
  // (1 0 2; 0 3 0)
  int *offsets = on_device<int>({0, 2, 3}), *columns = on_device<int>({0, 2, 1});
  float *values = on_device<float>({1, 2, 3}), *x = on_device<float>({1, 2, 3}), *y = on_device<float>({10, 20});
  cusparseSpMatDescr_t matrix;
  cusparseDnVecDescr_t in, out;
  cusparseCreateCsr(&matrix, 2, 3, 3, offsets, columns, values, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I,
                    CUSPARSE_INDEX_BASE_ZERO, CUDA_R_32F);
  cusparseCreateDnVec(&in, 3, x, CUDA_R_32F);
  cusparseCreateDnVec(&out, 2, y, CUDA_R_32F);
  const float one = 1, two = 2;
  size_t bytes = 0;
  cusparseSpMV_bufferSize(handle, CUSPARSE_OPERATION_NON_TRANSPOSE, &two, matrix, in, &one, out, CUDA_R_32F,
                          CUSPARSE_SPMV_ALG_DEFAULT, &bytes);
  cusparseSpMV(handle, CUSPARSE_OPERATION_NON_TRANSPOSE, &two, matrix, in, &one, out, CUDA_R_32F,
               CUSPARSE_SPMV_ALG_DEFAULT, nullptr);
  CHECK(on_host(y, 2)[0] == 10 + 2 * 7 && on_host(y, 2)[1] == 20 + 2 * 6);
  // (2 1; 4 5), whose places are all kept: L has 2 below its diagonal, U is (2 1; 0 3).
  int *starts = on_device<int>({0, 2, 4}), *places = on_device<int>({0, 1, 0, 1}), zero_pivot = 0;
  double* whole = on_device<double>({2, 1, 4, 5});
  cusparseMatDescr_t described;
  csrilu02Info_t info;
  cusparseCreateMatDescr(&described);
  cusparseCreateCsrilu02Info(&info);
  cusparseDcsrilu02(handle, 2, 4, described, whole, starts, places, info, CUSPARSE_SOLVE_POLICY_USE_LEVEL, nullptr);
  CHECK(on_host(whole, 4) == std::vector<double>({2, 1, 2, 3}));
  CHECK(cusparseXcsrilu02_zeroPivot(handle, info, &zero_pivot) == CUSPARSE_STATUS_SUCCESS && zero_pivot == -1);
  cusparseDestroyCsrilu02Info(info);
  cusparseDestroyMatDescr(described);
  cusparseDestroySpMat(matrix);
  cusparseDestroyDnVec(in);
  cusparseDestroyDnVec(out);
  cusparseDestroy(handle);
}

void fourier() {
  std::vector<float> wave(12);
  for (int i = 0; i < 12; ++i) wave[i] = std::cos(6.2831853f * 2 * i / 12);
  float* in = on_device(wave);
  cufftComplex* spectrum = on_device(std::vector<cufftComplex>(7));
  cufftHandle there, back;
  cufftPlan1d(&there, 12, CUFFT_R2C, 1);
  cufftPlan1d(&back, 12, CUFFT_C2R, 1);
  cufftExecR2C(there, in, spectrum);
  const std::vector<cufftComplex> peaks = on_host(spectrum, 7);
  CHECK(std::fabs(peaks[2].x - 6) < 1e-4f && std::fabs(peaks[3].x) < 1e-4f);
  cufftExecC2R(back, spectrum, in);
  add_one<<<1, 32>>>(in, 12);
  CHECK(std::fabs(on_host(in, 12)[0] - 13) < 1e-3f);
  long long size = 12;
  size_t work = 1;
  cufftHandle wide;
  cufftCreate(&wide);
  CHECK(cufftXtMakePlanMany(wide, 1, &size, nullptr, 1, 1, CUDA_R_32F, nullptr, 1, 1, CUDA_C_32F, 1, &work,
                            CUDA_C_32F) == CUFFT_SUCCESS);
  CHECK(cufftXtMakePlanMany(wide, 1, &size, nullptr, 1, 1, CUDA_R_16F, nullptr, 1, 1, CUDA_C_16F, 1, &work,
                            CUDA_C_16F) == CUFFT_INVALID_TYPE);
  CHECK(cufftMakePlan1d(wide, 12, CUFFT_R2C, 1, &work) == CUFFT_SUCCESS);
  CHECK(cufftExecR2C(wide, in, spectrum) == CUFFT_SUCCESS && on_host(spectrum, 1)[0].x > 11);
  cufftDestroy(wide);
  cufftDestroy(there);
  cufftDestroy(back);
}

int main() {
  dense();
  sparse();
  fourier();
  return failures;
}

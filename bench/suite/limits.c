// What this machine can do now: streaming loops over a footprint, and rates of arithmetic. run.py loads it as a library
// and calls it between the measurements of a case, so that limits and times see the same minutes.
//
//     cc -O3 -march=native -fopenmp -shared -fPIC limits.c -o limits.so
#include <immintrin.h>
#include <omp.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>

typedef float v16 __attribute__((vector_size(64)));
typedef double v8 __attribute__((vector_size(64)));
enum { HUGE_PAGE = 2 << 20 };

static char *source, *target;
static size_t source_bytes, target_bytes;

// Touched once, so that no later pass takes a page fault.
static char *grown(char *old, size_t *have, size_t bytes, int huge) {
  if (*have >= bytes) return old;
  free(old);
  bytes = (bytes + HUGE_PAGE - 1) & ~(size_t)(HUGE_PAGE - 1);
  char *p = aligned_alloc(HUGE_PAGE, bytes);
  if (!p) { *have = 0; return 0; }
  madvise(p, bytes, huge ? MADV_HUGEPAGE : MADV_NOHUGEPAGE);
#pragma omp parallel for schedule(static)
  for (size_t i = 0; i < bytes; i += 64) *(v16 *)(p + i) = (v16){1};
  *have = bytes;
  return p;
}

static inline void store(char *p, v16 v, int streaming) {
#ifdef __AVX512F__
  if (streaming) { _mm512_stream_ps((float *)p, (__m512)v); return; }
#elif defined(__AVX__)
  if (streaming) {
    _mm256_stream_ps((float *)p, ((__m256 *)&v)[0]);
    _mm256_stream_ps((float *)(p + 32), ((__m256 *)&v)[1]);
    return;
  }
#endif
  *(v16 *)p = v;
}

// Seconds of one pass that reads `read` bytes and writes `written`, the least of `passes`; negative without memory.
double lim_stream(size_t read, size_t written, int streaming, int huge, int threads, int passes) {
  omp_set_num_threads(threads);
  static int kind = -1;
  if (kind != huge) { free(source); free(target); source = target = 0; source_bytes = target_bytes = 0; kind = huge; }
  read = (read + 63) & ~(size_t)63;
  written = (written + 63) & ~(size_t)63;
  source = grown(source, &source_bytes, read + 64, huge);
  target = grown(target, &target_bytes, written + 64, huge);
  if (!source || !target) return -1;
  double best = 1e30;
  volatile float sink;
  for (int pass = 0; pass < passes; pass++) {
    double start = omp_get_wtime();
    float total = 0;
#pragma omp parallel reduction(+ : total)
    {
      size_t me = omp_get_thread_num(), all = omp_get_num_threads();
      size_t rows = read / 64, lines = written / 64;
      size_t r0 = rows * me / all, r1 = rows * (me + 1) / all, w0 = lines * me / all, w1 = lines * (me + 1) / all;
      v16 a = {0}, b = {0}, c = {0}, d = {0};
      // Reads and writes advance together, as in a map.
      size_t steps = 64, w = w0;
      for (size_t s = 0; s < steps; s++) {
        size_t end = r0 + (r1 - r0) * (s + 1) / steps, i = r0 + (r1 - r0) * s / steps;
        for (; i + 4 <= end; i += 4) {
          v16 *p = (v16 *)(source + 64 * i);
          a += p[0]; b += p[1]; c += p[2]; d += p[3];
        }
        for (; i < end; i++) a += *(v16 *)(source + 64 * i);
        for (size_t stop = w0 + (w1 - w0) * (s + 1) / steps; w < stop; w++) store(target + 64 * w, a, streaming);
      }
      a += b + c + d;
      for (int i = 0; i < 16; i++) total += a[i];
      if (streaming) _mm_sfence();
    }
    sink = total;
    double seconds = omp_get_wtime() - start;
    if (seconds < best) best = seconds;
  }
  (void)sink;
  return best;
}

// 1e9 operations a second of all threads: `body` runs `CHAINS` independent chains.
#define CHAINS 10
#define RATE(name, type, lanes, init, body)                                                                    \
  double name(int threads) {                                                                                   \
    omp_set_num_threads(threads);                                                                              \
    const long turns = 200000;                                                                                 \
    double best = 0;                                                                                           \
    for (int round = 0; round < 5; round++) {                                                                  \
      double start = omp_get_wtime();                                                                          \
      _Pragma("omp parallel") {                                                                                \
        type x[CHAINS], y = init, z = init;                                                                    \
        for (int k = 0; k < CHAINS; k++) x[k] = init;                                                          \
        for (long t = 0; t < turns; t++) {                                                                     \
          _Pragma("GCC unroll 10") for (int k = 0; k < CHAINS; k++) { body; }                                  \
          __asm__ volatile("" : "+x"(y), "+x"(z));                                                             \
        }                                                                                                      \
        for (int k = 0; k < CHAINS; k++) __asm__ volatile("" : : "x"(x[k]));                                   \
      }                                                                                                        \
      double rate = (double)turns * CHAINS * (lanes)*threads / (omp_get_wtime() - start) / 1e9;               \
      if (rate > best) best = rate;                                                                            \
    }                                                                                                          \
    return best;                                                                                               \
  }

#ifdef __AVX512F__
RATE(lim_fma_f32, __m512, 16, _mm512_set1_ps(0.5f), x[k] = _mm512_fmadd_ps(x[k], y, z))
RATE(lim_fma_f64, __m512d, 8, _mm512_set1_pd(0.5), x[k] = _mm512_fmadd_pd(x[k], y, z))
RATE(lim_divide_f32, __m512, 16, _mm512_set1_ps(0.5f), x[k] = _mm512_div_ps(z, x[k]))
RATE(lim_sqrt_f32, __m512, 16, _mm512_set1_ps(0.5f), x[k] = _mm512_sqrt_ps(x[k]))
#else
RATE(lim_fma_f32, __m256, 8, _mm256_set1_ps(0.5f), x[k] = _mm256_fmadd_ps(x[k], y, z))
RATE(lim_fma_f64, __m256d, 4, _mm256_set1_pd(0.5), x[k] = _mm256_fmadd_pd(x[k], y, z))
RATE(lim_divide_f32, __m256, 8, _mm256_set1_ps(0.5f), x[k] = _mm256_div_ps(z, x[k]))
RATE(lim_sqrt_f32, __m256, 8, _mm256_set1_ps(0.5f), x[k] = _mm256_sqrt_ps(x[k]))
#endif
// Multiply-adds of bytes into 32 bits.
#if defined(__AVX512VNNI__)
RATE(lim_fma_s8, __m512i, 64, _mm512_set1_epi8(1), x[k] = _mm512_dpbusd_epi32(x[k], y, z))
#else
RATE(lim_fma_s8, __m256i, 16, _mm256_set1_epi8(1), x[k] = _mm256_add_epi32(x[k], _mm256_madd_epi16(y, z)))
#endif
#ifdef __AVX512BF16__
RATE(lim_fma_bf16, __m512, 32, _mm512_set1_ps(0.5f), x[k] = _mm512_dpbf16_ps(x[k], (__m512bh)y, (__m512bh)z))
#else
double lim_fma_bf16(int threads) { return lim_fma_f32(threads); }
#endif

// One text for two compilers: NVRTC makes kernels of it, and a C++ compiler functions that do the same without a GPU.
//
// Kernels are written for blocks of any number of threads: as C++ a block is one thread, and the blocks of a grid come
// one after the other. A kernel takes one structure, and has the memory that its threads share in `block_memory`.
#pragma once

#ifdef __CUDACC__

#define DEVICE __device__ __forceinline__
#define CALLED __device__ __noinline__
#define SHARED __shared__
#define LANES 32  // threads that go in step
#define KERNEL(name, Given, bounds) extern "C" __global__ void bounds name(const __grid_constant__ Given g)
#define BOUNDS(threads, blocks) __launch_bounds__(threads, blocks)

typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;
typedef unsigned long long u64;

extern __shared__ __align__(16) unsigned char block_memory[];

#else

#include <cmath>
#include <cstdint>
#include <cstring>

#define DEVICE inline
#define CALLED inline
#define SHARED static thread_local
#define LANES 1
#define BOUNDS(threads, blocks)

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef unsigned long long u64;

struct Place { u32 x; };
static thread_local Place threadIdx, blockIdx, blockDim, gridDim;
static thread_local unsigned char* block_memory;

// A kernel becomes a function of the structure, the number of blocks, and the memory that a block shares.
#define KERNEL(name, Given, bounds) \
  static void name##_block(const Given& g); \
  extern "C" void name(const Given* g, u32 blocks, unsigned char* memory) { \
    block_memory = memory; \
    threadIdx = {0}, blockDim = {1}, gridDim = {blocks}; \
    for (u32 b = 0; b < blocks; b++) blockIdx = {b}, name##_block(*g); \
  } \
  static void name##_block(const Given& g)

static inline void __syncthreads() {}
static inline int __popc(u32 m) { return __builtin_popcount(m); }
static inline int __ffs(u32 m) { return __builtin_ffs((int)m); }
static inline int __clz(u32 m) { return __builtin_clz(m); }
static inline u32 __ballot_sync(u32, bool yes) { return yes; }
static inline long long __double_as_longlong(double v) { long long w; memcpy(&w, &v, 8); return w; }
static inline double __longlong_as_double(long long w) { double v; memcpy(&v, &w, 8); return v; }
template <class Number>
static inline Number atomicAdd(Number* at, Number more) { Number before = *at; *at += more; return before; }
template <class Number>
static inline Number atomicMax(Number* at, Number other) { Number before = *at; if (other > before) *at = other; return before; }
template <class Number>
static inline Number atomicMin(Number* at, Number other) { Number before = *at; if (other < before) *at = other; return before; }

#endif

template <class Number>
DEVICE Number smaller(Number a, Number b) { return b < a ? b : a; }
template <class Number>
DEVICE Number larger(Number a, Number b) { return b > a ? b : a; }

// SPDX-License-Identifier: MIT
// clang's functions for integers and conversions, which lead to names of libdevice. Some of the file's other functions
// call NVIDIA's builtins, which AMD's target does not have: they are declared here, and nobody calls them.
#pragma once

#define __WS_ABSENT(name) \
  template <typename... Arguments> \
  __attribute__((device)) int name(Arguments...);
__WS_ABSENT(__nvvm_atom_add_gen_d)
__WS_ABSENT(__nvvm_atom_add_gen_f)
__WS_ABSENT(__nvvm_atom_add_gen_i)
__WS_ABSENT(__nvvm_atom_add_gen_ll)
__WS_ABSENT(__nvvm_atom_and_gen_i)
__WS_ABSENT(__nvvm_atom_and_gen_ll)
__WS_ABSENT(__nvvm_atom_cas_gen_i)
__WS_ABSENT(__nvvm_atom_cas_gen_ll)
__WS_ABSENT(__nvvm_atom_cta_add_gen_d)
__WS_ABSENT(__nvvm_atom_cta_add_gen_f)
__WS_ABSENT(__nvvm_atom_cta_add_gen_i)
__WS_ABSENT(__nvvm_atom_cta_add_gen_ll)
__WS_ABSENT(__nvvm_atom_cta_and_gen_i)
__WS_ABSENT(__nvvm_atom_cta_and_gen_ll)
__WS_ABSENT(__nvvm_atom_cta_cas_gen_i)
__WS_ABSENT(__nvvm_atom_cta_cas_gen_ll)
__WS_ABSENT(__nvvm_atom_cta_dec_gen_ui)
__WS_ABSENT(__nvvm_atom_cta_inc_gen_ui)
__WS_ABSENT(__nvvm_atom_cta_max_gen_i)
__WS_ABSENT(__nvvm_atom_cta_max_gen_ll)
__WS_ABSENT(__nvvm_atom_cta_max_gen_ui)
__WS_ABSENT(__nvvm_atom_cta_max_gen_ull)
__WS_ABSENT(__nvvm_atom_cta_min_gen_i)
__WS_ABSENT(__nvvm_atom_cta_min_gen_ll)
__WS_ABSENT(__nvvm_atom_cta_min_gen_ui)
__WS_ABSENT(__nvvm_atom_cta_min_gen_ull)
__WS_ABSENT(__nvvm_atom_cta_or_gen_i)
__WS_ABSENT(__nvvm_atom_cta_or_gen_ll)
__WS_ABSENT(__nvvm_atom_cta_xchg_gen_i)
__WS_ABSENT(__nvvm_atom_cta_xchg_gen_ll)
__WS_ABSENT(__nvvm_atom_cta_xor_gen_i)
__WS_ABSENT(__nvvm_atom_cta_xor_gen_ll)
__WS_ABSENT(__nvvm_atom_dec_gen_ui)
__WS_ABSENT(__nvvm_atom_inc_gen_ui)
__WS_ABSENT(__nvvm_atom_max_gen_i)
__WS_ABSENT(__nvvm_atom_max_gen_ll)
__WS_ABSENT(__nvvm_atom_max_gen_ui)
__WS_ABSENT(__nvvm_atom_max_gen_ull)
__WS_ABSENT(__nvvm_atom_min_gen_i)
__WS_ABSENT(__nvvm_atom_min_gen_ll)
__WS_ABSENT(__nvvm_atom_min_gen_ui)
__WS_ABSENT(__nvvm_atom_min_gen_ull)
__WS_ABSENT(__nvvm_atom_or_gen_i)
__WS_ABSENT(__nvvm_atom_or_gen_ll)
__WS_ABSENT(__nvvm_atom_sys_add_gen_d)
__WS_ABSENT(__nvvm_atom_sys_add_gen_f)
__WS_ABSENT(__nvvm_atom_sys_add_gen_i)
__WS_ABSENT(__nvvm_atom_sys_add_gen_ll)
__WS_ABSENT(__nvvm_atom_sys_and_gen_i)
__WS_ABSENT(__nvvm_atom_sys_and_gen_ll)
__WS_ABSENT(__nvvm_atom_sys_cas_gen_i)
__WS_ABSENT(__nvvm_atom_sys_cas_gen_ll)
__WS_ABSENT(__nvvm_atom_sys_dec_gen_ui)
__WS_ABSENT(__nvvm_atom_sys_inc_gen_ui)
__WS_ABSENT(__nvvm_atom_sys_max_gen_i)
__WS_ABSENT(__nvvm_atom_sys_max_gen_ll)
__WS_ABSENT(__nvvm_atom_sys_max_gen_ui)
__WS_ABSENT(__nvvm_atom_sys_max_gen_ull)
__WS_ABSENT(__nvvm_atom_sys_min_gen_i)
__WS_ABSENT(__nvvm_atom_sys_min_gen_ll)
__WS_ABSENT(__nvvm_atom_sys_min_gen_ui)
__WS_ABSENT(__nvvm_atom_sys_min_gen_ull)
__WS_ABSENT(__nvvm_atom_sys_or_gen_i)
__WS_ABSENT(__nvvm_atom_sys_or_gen_ll)
__WS_ABSENT(__nvvm_atom_sys_xchg_gen_i)
__WS_ABSENT(__nvvm_atom_sys_xchg_gen_ll)
__WS_ABSENT(__nvvm_atom_sys_xor_gen_i)
__WS_ABSENT(__nvvm_atom_sys_xor_gen_ll)
__WS_ABSENT(__nvvm_atom_xchg_gen_i)
__WS_ABSENT(__nvvm_atom_xchg_gen_ll)
__WS_ABSENT(__nvvm_atom_xor_gen_i)
__WS_ABSENT(__nvvm_atom_xor_gen_ll)
__WS_ABSENT(__nvvm_bar0_and)
__WS_ABSENT(__nvvm_bar0_or)
__WS_ABSENT(__nvvm_bar0_popc)
__WS_ABSENT(__nvvm_membar_cta)
__WS_ABSENT(__nvvm_membar_gl)
__WS_ABSENT(__nvvm_membar_sys)
__WS_ABSENT(__nvvm_read_ptx_sreg_clock)
__WS_ABSENT(__nvvm_read_ptx_sreg_clock64)
__WS_ABSENT(__nvvm_read_ptx_sreg_pm0)
__WS_ABSENT(__nvvm_read_ptx_sreg_pm1)
__WS_ABSENT(__nvvm_read_ptx_sreg_pm2)
__WS_ABSENT(__nvvm_read_ptx_sreg_pm3)
__WS_ABSENT(__nvvm_vote_all)
__WS_ABSENT(__nvvm_vote_any)
__WS_ABSENT(__nvvm_vote_ballot)
__WS_ABSENT(__nvvm_fns)
#undef __WS_ABSENT

// The names that HIP writes in another way.
#define __syncthreads __ws_cuda_syncthreads
#define __syncthreads_and __ws_cuda_syncthreads_and
#define __syncthreads_count __ws_cuda_syncthreads_count
#define __syncthreads_or __ws_cuda_syncthreads_or
#define __threadfence __ws_cuda_threadfence
#define __threadfence_block __ws_cuda_threadfence_block
#define __threadfence_system __ws_cuda_threadfence_system
#define clock __ws_cuda_clock
#define clock64 __ws_cuda_clock64
#define __any __ws_cuda__any
#define __all __ws_cuda__all
#define __ballot __ws_cuda__ballot
#include <__clang_cuda_device_functions.h>
#undef __ballot
#undef __all
#undef __any
#undef __syncthreads
#undef __syncthreads_and
#undef __syncthreads_count
#undef __syncthreads_or
#undef __threadfence
#undef __threadfence_block
#undef __threadfence_system
#undef clock
#undef clock64

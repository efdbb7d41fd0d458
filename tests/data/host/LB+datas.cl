#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable

__attribute__((reqd_work_group_size(64, 1, 1)))
kernel void run(global uint* control, global uint* plan, global uint* memory, global uint* results, global uint* scratch, global uint* progress, global uint* sync, global uint* counts, global uint* overflow) {
  local ulong workgroup_memory[1];
  uint v0 = 0;
  uint v1 = 0;
  uint v2 = 0;
  uint v3 = 0;
  uint v4 = 0;
  uint v5 = 0;
  uint v6 = 0;
  uint v7 = 0;
  uint v8 = 0;
  uint v9 = 0;
  uint v10 = 0;
  ulong w11 = 0;
  uint v12 = 0;
  uint v13 = 0;
  uint v14 = 0;
  uint v15 = 0;
  uint v16 = 0;
  ulong w17 = 0;
  ulong w18 = 0;
  uint v19 = 0;
  uint v20 = 0;
  uint v21 = 0;
  uint v22 = 0;
  uint v23 = 0;
  uint v24 = 0;
  ulong w25 = 0;
  ulong w26 = 0;
  uint v27 = 0;
  uint v28 = 0;
  uint v29 = 0;
  uint v30 = 0;
  uint v31 = 0;
  uint v32 = 0;
  ulong w33 = 0;
  ulong w34 = 0;
  ulong w35 = 0;
  ulong w36 = 0;
  uint v37 = 0;
  uint v38 = 0;
  v0 = (uint)get_local_id(0);
  v1 = (uint)get_group_id(0);
  v2 = *(global uint*)(((ulong)control + 16ul));
  v3 = *(global uint*)(((ulong)control + 12ul));
  v4 = *(global uint*)(((ulong)control + 24ul));
  v5 = *(global uint*)(((ulong)control + 28ul));
  v6 = *(global uint*)(((ulong)control + 32ul));
  v7 = *(global uint*)(((ulong)control + 36ul));
  v8 = *(global uint*)(((ulong)control + 8ul));
  v9 = *(global uint*)(((ulong)control + 44ul));
  v10 = 0u;
  w11 = 0ul;
  v12 = 0u;
  v13 = 0u;
  v14 = v1;
  if (v14 < v2) {
    v15 = ((v14 * 64u) + v0);
    v16 = v0;
    w17 = ((ulong)memory + ((ulong)(v15 * 2u) * 4u));
    w18 = ((ulong)memory + ((ulong)(((v4 != 0 ? (v15 * v6) % v4 : 0) * 2u) + 1u) * 4u));
    v23 = (((v2 != 0 ? ((v14 + 1u) + ((v2 - 1u) != 0 ? v0 % (v2 - 1u) : 0)) % v2 : 0) * 64u) + ((v0 * 27u) % 64u));
    v24 = ((v0 * 27u) % 64u);
    w26 = ((ulong)memory + ((ulong)(v23 * 2u) * 4u));
    w25 = ((ulong)memory + ((ulong)(((v4 != 0 ? (v23 * v6) % v4 : 0) * 2u) + 1u) * 4u));
    for (;;) {
      if (v3 <= v10) {
        break;
      }
      if ((v10 & 63u) == 63u) {
        if (v0 == 0u) {
          v31 = atomic_load_explicit((volatile global atomic_uint*)(((ulong)control + 4ul)), memory_order_relaxed, memory_scope_device);
          *(local uint*)((local uchar*)workgroup_memory + 0ul) = v31;
        }
        work_group_barrier(CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE);
        v32 = *(local uint*)((local uchar*)workgroup_memory + 0ul);
        work_group_barrier(CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE);
        if (v32 != 0u) {
          break;
        }
      }
      v13 = (v13 + v2);
      w33 = (w17 + w11);
      w34 = (w18 + w11);
      w35 = (w26 + w11);
      w36 = (w25 + w11);
      work_group_barrier(CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE);
      if (v0 == 0u) {
        atomic_fetch_add_explicit((volatile global atomic_uint*)((ulong)progress), 1u, memory_order_relaxed, memory_scope_device);
        v37 = 0u;
        for (;;) {
          v38 = atomic_load_explicit((volatile global atomic_uint*)((ulong)progress), memory_order_relaxed, memory_scope_device);
          if (v13 <= v38) {
            break;
          }
          v37 = (v37 + 1u);
          if (v9 < v37) {
            atomic_fetch_add_explicit((volatile global atomic_uint*)(((ulong)counts + 16ul)), 1u, memory_order_relaxed, memory_scope_device);
            break;
          }
          continue;
        }
      }
      work_group_barrier(CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE);
      // places: x w33 y w34
      // role 0
      v19 = 0u;
      v20 = 0u;
      v21 = 0u;
      do {
        v19 = atomic_load_explicit((volatile global atomic_uint*)(w33), memory_order_relaxed, memory_scope_device);
        v20 = (v19 & 128u);
        v21 = (v20 + 1u);
        atomic_store_explicit((volatile global atomic_uint*)(w34), v21, memory_order_relaxed, memory_scope_device);
      } while (0);
      // end of role 0
      // places: y w36 x w35
      // role 1
      v27 = 0u;
      v28 = 0u;
      v29 = 0u;
      do {
        v27 = atomic_load_explicit((volatile global atomic_uint*)(w36), memory_order_relaxed, memory_scope_device);
        v28 = (v27 & 128u);
        v29 = (v28 + 1u);
        atomic_store_explicit((volatile global atomic_uint*)(w35), v29, memory_order_relaxed, memory_scope_device);
      } while (0);
      // end of role 1
      *(global uint*)((((ulong)results + ((ulong)v7 * 0u)) + ((ulong)(v12 + v15) * 4u))) = v19;
      *(global uint*)((((ulong)results + ((ulong)v7 * 4u)) + ((ulong)(v12 + v23) * 4u))) = v27;
      v10 = (v10 + 1u);
      w11 = (w11 + (ulong)v5);
      v12 = (v12 + v4);
      continue;
    }
    if (((uint)(v0 == 0u) & (uint)(v10 < v3)) != 0) {
      atomic_fetch_max_explicit((volatile global atomic_uint*)(((ulong)progress + 8ul)), (v3 - v10), memory_order_relaxed, memory_scope_device);
    }
  }
}


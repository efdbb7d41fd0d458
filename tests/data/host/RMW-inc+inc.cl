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
  uint v18 = 0;
  uint v19 = 0;
  uint v20 = 0;
  uint v21 = 0;
  ulong w22 = 0;
  uint v23 = 0;
  uint v24 = 0;
  uint v25 = 0;
  uint v26 = 0;
  ulong w27 = 0;
  ulong w28 = 0;
  uint v29 = 0;
  uint v30 = 0;
  uint v31 = 0;
  uint v32 = 0;
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
    w17 = ((ulong)memory + ((ulong)v15 * 4u));
    v20 = (((v2 != 0 ? ((v14 + 1u) + ((v2 - 1u) != 0 ? v0 % (v2 - 1u) : 0)) % v2 : 0) * 64u) + ((v0 * 27u) % 64u));
    v21 = ((v0 * 27u) % 64u);
    w22 = ((ulong)memory + ((ulong)v20 * 4u));
    for (;;) {
      if (v3 <= v10) {
        break;
      }
      if ((v10 & 63u) == 63u) {
        if (v0 == 0u) {
          v25 = atomic_load_explicit((volatile global atomic_uint*)(((ulong)control + 4ul)), memory_order_relaxed, memory_scope_device);
          *(local uint*)((local uchar*)workgroup_memory + 0ul) = v25;
        }
        work_group_barrier(CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE);
        v26 = *(local uint*)((local uchar*)workgroup_memory + 0ul);
        work_group_barrier(CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE);
        if (v26 != 0u) {
          break;
        }
      }
      v13 = (v13 + v2);
      w27 = (w17 + w11);
      w28 = (w22 + w11);
      work_group_barrier(CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE);
      if (v0 == 0u) {
        atomic_fetch_add_explicit((volatile global atomic_uint*)((ulong)progress), 1u, memory_order_relaxed, memory_scope_device);
        v29 = 0u;
        for (;;) {
          v30 = atomic_load_explicit((volatile global atomic_uint*)((ulong)progress), memory_order_relaxed, memory_scope_device);
          if (v13 <= v30) {
            break;
          }
          v29 = (v29 + 1u);
          if (v9 < v29) {
            atomic_fetch_add_explicit((volatile global atomic_uint*)(((ulong)counts + 16ul)), 1u, memory_order_relaxed, memory_scope_device);
            break;
          }
          continue;
        }
      }
      work_group_barrier(CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE);
      // places: x w27
      // role 0
      v18 = 0u;
      do {
        v31 = atomic_fetch_add_explicit((volatile global atomic_uint*)(w27), 1u, memory_order_relaxed, memory_scope_device);
        v18 = v31;
      } while (0);
      // end of role 0
      // places: x w28
      // role 1
      v23 = 0u;
      do {
        v32 = atomic_fetch_add_explicit((volatile global atomic_uint*)(w28), 1u, memory_order_relaxed, memory_scope_device);
        v23 = v32;
      } while (0);
      // end of role 1
      *(global uint*)((((ulong)results + ((ulong)v7 * 0u)) + ((ulong)(v12 + v15) * 4u))) = v18;
      *(global uint*)((((ulong)results + ((ulong)v7 * 4u)) + ((ulong)(v12 + v20) * 4u))) = v23;
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


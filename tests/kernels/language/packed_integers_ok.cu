// Intrinsics for parts of words give what the programming guide says.
// weakspot: launch grid=1 block=32
// weakspot: arg out=uint[32]
// expect: none
#include <cassert>
__global__ void packed(unsigned* out) {
  const unsigned a = 0x80017fffu, b = 0x00010001u + 0 * threadIdx.x;
  assert(__vadd2(a, b) == 0x80028000u && __vaddss2(a, b) == 0x80027fffu && __vaddus4(0xff10u, 0x0220u) == 0xff30u);
  assert(__vsubss2(a, b) == 0x80007ffeu && __vsub4(0x0100u, 0x0201u) == 0xffffu && __vsubus2(1u, 2u) == 0u);
  assert(__vavgu4(0x01030507u, 0x03030306u) == 0x02030407u && __vavgs2(0xfffe0003u, 0xffff0004u) == 0xfffe0004u);
  assert(__vmaxs2(a, b) == 0x00017fffu && __vminu2(a, b) == 0x00010001u);
  assert(__vabsdiffu4(0x01ff0007u, 0x03010806u) == 0x02fe0801u && __vsadu2(0x00010002u, 0x00030001u) == 3u);
  assert(__vcmpgts2(b, a) == 0xffff0000u && __vcmpeq4(a, b) == 0x00ff0000u && __vsetltu2(b, a) == 0x00010001u);
  assert(__vabs2(0xffff0003u) == 0x00010003u && __vneg4(0x01ff0002u) == 0xff0100feu);
  assert(__funnelshift_r(0x12345678u, 0x9abcdef0u, 8) == 0xf0123456u && __fns(0x15u, 0, 3) == 4u);
  assert(__dp4a(0x01020304, 0x01010101, 5) == 15 && __dp2a_lo(0x00020003, 0x0102, 0) == 8 && __clz(1) == 31);
  out[threadIdx.x] = a;
}

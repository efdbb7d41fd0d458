// Threads of a warp share structures but no fields: even lanes write the position, odd ones the speed.
// weakspot: launch grid=1 block=64
// weakspot: arg out=float[32]
// expect: none

struct Particle {
  float position;
  float speed;
};

__global__ void advance(float* out) {
  __shared__ Particle swarm[32];
  const int t = threadIdx.x;
  if (t % 2 == 0) {
    swarm[t / 2].position = t;
  } else {
    swarm[t / 2].speed = 0.25f * t;
  }
  __syncthreads();
  if (t < 32) {
    out[t] = swarm[t].position + swarm[t].speed;
  }
}

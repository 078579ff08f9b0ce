// Keeps what a source of the graph delivers, cycle by cycle, on the real-time thread: no allocation, no lock, no system call.
// Blocks and samples pass to one reader through prepared buffers.

#include "shim.h"
#include <stdatomic.h>
#include <stdlib.h>

enum {
  /// Blocks that fit before they are read.
  blocks = 1024,
};

struct cpipewire_capture {
  int ports;
  int64_t capacity;
  float *samples;
  cpipewire_cycle block[blocks];
  /// Blocks and frames since the beginning: those of the real-time thread, and those that were read.
  _Atomic int64_t made, read, written, taken;
};

cpipewire_capture *cpipewire_capture_new(int ports, int64_t capacity) {
  cpipewire_capture *capture = calloc(1, sizeof *capture);
  if (!capture) return 0;
  capture->samples = calloc((size_t)(capacity * ports), sizeof *capture->samples);
  if (!capture->samples) {
    free(capture);
    return 0;
  }
  capture->ports = ports;
  capture->capacity = capacity;
  return capture;
}

void cpipewire_capture_free(cpipewire_capture *capture) {
  if (capture) free(capture->samples);
  free(capture);
}

void cpipewire_capture_cycle(cpipewire_capture *capture, const cpipewire_cycle *cycle, float *const *planes) {
  int64_t made = atomic_load_explicit(&capture->made, memory_order_relaxed);
  int64_t written = atomic_load_explicit(&capture->written, memory_order_relaxed);
  int64_t kept = written - atomic_load_explicit(&capture->taken, memory_order_acquire);
  // What has no room is lost: the next block's position shows it.
  if (made - atomic_load_explicit(&capture->read, memory_order_acquire) >= blocks) return;
  if (cycle->duration > capture->capacity - kept) return;
  for (int port = 0; port < capture->ports; port++) {
    float *samples = capture->samples + port;
    for (int64_t frame = 0; frame < cycle->duration; frame++)
      samples[(written + frame) % capture->capacity * capture->ports] = planes[port] ? planes[port][frame] : 0;
  }
  capture->block[made % blocks] = *cycle;
  atomic_store_explicit(&capture->written, written + cycle->duration, memory_order_release);
  atomic_store_explicit(&capture->made, made + 1, memory_order_release);
}

bool cpipewire_capture_next(cpipewire_capture *capture, cpipewire_cycle *cycle) {
  int64_t read = atomic_load_explicit(&capture->read, memory_order_relaxed);
  if (read == atomic_load_explicit(&capture->made, memory_order_acquire)) return false;
  *cycle = capture->block[read % blocks];
  return true;
}

void cpipewire_capture_take(cpipewire_capture *capture, float *samples) {
  int64_t read = atomic_load_explicit(&capture->read, memory_order_relaxed);
  int64_t taken = atomic_load_explicit(&capture->taken, memory_order_relaxed);
  int64_t frames = capture->block[read % blocks].duration;
  for (int64_t frame = 0; frame < frames; frame++)
    for (int port = 0; port < capture->ports; port++)
      samples[frame * capture->ports + port] =
        capture->samples[(taken + frame) % capture->capacity * capture->ports + port];
  atomic_store_explicit(&capture->taken, taken + frames, memory_order_release);
  atomic_store_explicit(&capture->read, read + 1, memory_order_release);
}

/* The truth about onsets: a library to preload into PulseAudio 16, that writes what a sink plays and when.
 *
 * Around pa_sink_render() and pa_sink_process_rewind() it records every block that the sink renders with the moment of
 * CLOCK_MONOTONIC at which, by the sink's own time, its first frame is played, and what was rewound, so that a reader
 * can rebuild what was really played. Unlike a recording of the sink's monitor it changes nothing about the sink's
 * latency and loses nothing when the sink rewinds.
 *
 * SINK_TAP_FILE names the file. A record is a `struct record`, then `payload` bytes of samples, left out for silence.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

typedef struct pa_sink pa_sink;
typedef struct pa_memblock pa_memblock;
typedef struct {
  pa_memblock *memblock;
  size_t index, length;
} pa_memchunk;

void *pa_memblock_acquire(pa_memblock *);
void pa_memblock_release(pa_memblock *);

struct record {
  uint32_t magic;     /* "TAP1" */
  uint32_t kind;      /* 1 rendered, 2 rewound */
  int64_t when;       /* CLOCK_MONOTONIC in ns */
  int64_t latency;    /* in µs: the block's first frame is played this much later */
  uint32_t length;    /* bytes rendered or rewound */
  uint32_t payload;   /* bytes of samples that follow; 0 for silence */
};

static int output = -1;
static void (*render)(pa_sink *, size_t, pa_memchunk *);
static void (*rewind_sink)(pa_sink *, size_t);
static int64_t (*latency)(pa_sink *, bool);

static int64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1000000000LL + time.tv_nsec;
}

/* The sink's latency and the moment it belongs to, read again when something came in between. */
static void stamp(pa_sink *sink, struct record *record) {
  for (int i = 0; i < 5; i++) {
    int64_t before = now();
    record->latency = latency(sink, true);
    int64_t after = now();
    record->when = before + (after - before) / 2;
    if (after - before < 5000) break;
  }
}

static void prepare(void) {
  if (render) return;
  const char *path = getenv("SINK_TAP_FILE");
  if (path) output = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
  rewind_sink = dlsym(RTLD_NEXT, "pa_sink_process_rewind");
  latency = dlsym(RTLD_DEFAULT, "pa_sink_get_latency_within_thread");
  render = dlsym(RTLD_NEXT, "pa_sink_render");
  if (!render || !rewind_sink || !latency || output < 0) {
    fprintf(stderr, "sink_tap: not the PulseAudio it was made for, or no SINK_TAP_FILE\n");
    abort();
  }
}

static void put(const void *data, size_t size) {
  if (write(output, data, size) != (ssize_t)size) abort();
}

void pa_sink_render(pa_sink *sink, size_t length, pa_memchunk *result) {
  static char buffer[1 << 20];
  struct record record = {.magic = 0x31504154, .kind = 1};
  prepare();
  stamp(sink, &record);
  render(sink, length, result);
  record.length = (uint32_t)result->length;
  const char *samples = (const char *)pa_memblock_acquire(result->memblock) + result->index;
  size_t silent = 0;
  while (silent < result->length && samples[silent] == 0) silent++;
  if (silent < result->length && sizeof record + result->length <= sizeof buffer) record.payload = record.length;
  memcpy(buffer, &record, sizeof record);
  memcpy(buffer + sizeof record, samples, record.payload);
  pa_memblock_release(result->memblock);
  put(buffer, sizeof record + record.payload);
}

void pa_sink_process_rewind(pa_sink *sink, size_t length) {
  prepare();
  if (length > 0) {
    struct record record = {.magic = 0x31504154, .kind = 2, .length = (uint32_t)length};
    stamp(sink, &record);
    put(&record, sizeof record);
  }
  rewind_sink(sink, length);
}

/* A room with a known echo time on PipeWire: a sink whose sound comes out of a source later, by so many frames.
 *
 *   graph_room NAME FRAMES [GAIN] [NOISE] [FILE OFFSET]   runs until it is told to stop; its ports are playback_FL and capture_FL
 *
 * GAIN multiplies the sound (1), NOISE is the amplitude of white noise that the microphone adds (0).
 * FILE is what a virtual screen shows (Xvfb -fbdir): the source also has a photodiode, which sees the byte at OFFSET
 * become bright, as late as the sound; FRAMES are then more than a cycle has. Each change is printed with its time in
 * nanoseconds of CLOCK_MONOTONIC.
 * cc -O2 -o graph_room graph_room.c -lm $(pkg-config --cflags --libs libpipewire-0.3)
 */
#include <pipewire/filter.h>
#include <fcntl.h>
#include <math.h>
#include <pipewire/pipewire.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

enum { longest = 1 << 17 };

static struct pw_main_loop *loop;
static void *heard, *given;
static float kept[longest];
static uint32_t written, delay;
static float gain = 1, noise;

/* What the photodiode saw: changes and their times, of which the newest are kept. */
enum { changes = 1 << 10 };
static struct { int64_t time; int bright; } seen[changes];
static atomic_uint changed;
static const volatile unsigned char *pixel;

static void *watch(void *unused) {
  int last = 0;
  for (;;) {
    int bright = *pixel > 127;
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    if (bright != last) {
      unsigned place = atomic_load(&changed);
      seen[place % changes].time = now.tv_sec * 1000000000LL + now.tv_nsec;
      seen[place % changes].bright = bright;
      atomic_store(&changed, place + 1);
      printf("%lld %d\n", (long long)seen[place % changes].time, bright);
      fflush(stdout);
    }
    last = bright;
    usleep(100);
  }
  return 0;
}

/* The light at a time, behind the capacitor of a microphone input. */
static float light(int64_t time) {
  unsigned newest = atomic_load(&changed);
  for (unsigned back = 1; back <= newest && back < changes; back++) {
    unsigned place = (newest - back) % changes;
    if (seen[place].time > time) continue;
    float sign = seen[place].bright ? 0.4f : -0.4f;
    return sign * expf(-(float)(time - seen[place].time) / 1e7f);
  }
  return 0;
}

/* On the data thread. */
static void process(void *data, struct spa_io_position *position) {
  static uint32_t seed = 1;
  uint32_t frames = (uint32_t)position->clock.duration;
  float *from = pw_filter_get_dsp_buffer(given, frames), *to = pw_filter_get_dsp_buffer(heard, frames);
  for (uint32_t i = 0; i < frames; i++, written++) {
    kept[written % longest] = from ? from[i] : 0;
    seed = seed * 1664525 + 1013904223;
    float white = noise * ((float)(seed >> 8) / 8388608.0f - 1);
    float sample = kept[(written - delay) % longest] * gain + white;
    if (pixel) sample += light(position->clock.nsec + ((int64_t)i - delay) * 1000000000LL / 48000);
    if (to) to[i] = SPA_CLAMP(sample, -1.0f, 1.0f);
  }
}

static const struct pw_filter_events events = {PW_VERSION_FILTER_EVENTS, .process = process};

static void stop(void *data, int number) { pw_main_loop_quit(loop); }

static void *port(struct pw_filter *filter, enum pw_direction direction, const char *name) {
  return pw_filter_add_port(
    filter, direction, PW_FILTER_PORT_FLAG_MAP_BUFFERS, 0,
    pw_properties_new(
      PW_KEY_FORMAT_DSP, "32 bit float mono audio", PW_KEY_PORT_NAME, name, PW_KEY_AUDIO_CHANNEL, "FL", NULL),
    0, 0);
}

int main(int count, char **words) {
  if (count < 3) {
    fprintf(stderr, "usage: graph_room NAME FRAMES [GAIN] [NOISE] [FILE OFFSET]\n");
    return 2;
  }
  delay = (uint32_t)strtoul(words[2], 0, 10);
  if (count > 3) gain = strtof(words[3], 0);
  if (count > 4) noise = strtof(words[4], 0);
  if (count > 6) {
    int file = open(words[5], O_RDONLY);
    off_t offset = strtoll(words[6], 0, 10);
    const unsigned char *bytes = mmap(0, (size_t)offset + 1, PROT_READ, MAP_SHARED, file, 0);
    if (file < 0 || bytes == MAP_FAILED) {
      perror(words[5]);
      return 1;
    }
    pixel = bytes + offset;
    pthread_t thread;
    pthread_create(&thread, 0, watch, 0);
  }
  pw_init(0, 0);
  loop = pw_main_loop_new(0);
  pw_loop_add_signal(pw_main_loop_get_loop(loop), SIGTERM, stop, 0);
  pw_loop_add_signal(pw_main_loop_get_loop(loop), SIGINT, stop, 0);
  struct pw_filter *filter = pw_filter_new_simple(
    pw_main_loop_get_loop(loop), words[1],
    pw_properties_new(
      PW_KEY_MEDIA_CLASS, "Audio/Duplex", PW_KEY_NODE_NAME, words[1], PW_KEY_NODE_DESCRIPTION, words[1], NULL),
    &events, 0);
  given = port(filter, PW_DIRECTION_INPUT, "playback_FL");
  heard = port(filter, PW_DIRECTION_OUTPUT, "capture_FL");
  if (pw_filter_connect(filter, PW_FILTER_FLAG_RT_PROCESS, 0, 0) < 0) {
    fprintf(stderr, "graph_room: no PipeWire answers\n");
    return 1;
  }
  pw_main_loop_run(loop);
  pw_filter_destroy(filter);
  return 0;
}

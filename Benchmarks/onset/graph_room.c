/* A room with a known echo time on PipeWire: a sink whose sound comes out of a source later, by so many frames.
 *
 *   graph_room NAME FRAMES [GAIN] [NOISE]   runs until it is told to stop; the node has the ports playback_FL and capture_FL
 *
 * GAIN multiplies the sound (1), NOISE is the amplitude of white noise that the microphone adds (0).
 * cc -O2 -o graph_room graph_room.c $(pkg-config --cflags --libs libpipewire-0.3)
 */
#include <pipewire/filter.h>
#include <pipewire/pipewire.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { longest = 1 << 17 };

static struct pw_main_loop *loop;
static void *heard, *given;
static float kept[longest];
static uint32_t written, delay;
static float gain = 1, noise;

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
    fprintf(stderr, "usage: graph_room NAME FRAMES [GAIN] [NOISE]\n");
    return 2;
  }
  delay = (uint32_t)strtoul(words[2], 0, 10);
  if (count > 3) gain = strtof(words[3], 0);
  if (count > 4) noise = strtof(words[4], 0);
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

/* The truth about onsets on PipeWire: a sink that writes down every cycle's samples and the time at which they sound.
 *
 * It follows the graph's driver and is given its samples in the very cycle that they are made for; the monitor of a sink
 * that drives the graph hands them on a cycle late. The samples of a cycle sound from the driver's clock.nsec on.
 *
 *   graph_tap NAME FILE [--alone]   runs until it is told to stop; the records are those of sink_tap.c, 48 kHz stereo
 *
 * --alone: no session manager gives the sink its ports, so that it asks for them itself.
 * cc -O2 -o graph_tap graph_tap.c $(pkg-config --cflags --libs libpipewire-0.3)
 */
#include <fcntl.h>
#include <pipewire/pipewire.h>
#include <signal.h>
#include <spa/param/audio/format-utils.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { rate = 48000, channels = 2, longest = 8192 };

struct record {
  uint32_t magic;   /* "TAP1" */
  uint32_t kind;    /* 1 a cycle; 3, without a length: the sink itself missed cycles, or was late for one */
  int64_t when;     /* CLOCK_MONOTONIC in ns */
  int64_t latency;  /* 0 */
  uint32_t length;  /* bytes of the cycle */
  uint32_t payload; /* bytes of samples that follow; 0 for silence */
};

static struct pw_main_loop *loop;
static struct pw_stream *stream;
static struct spa_io_position *position;
static int output;

static void changed(void *data, uint32_t id, void *area, uint32_t size) {
  if (id == SPA_IO_Position) position = area;
}

/* On the data thread; a write of a few kilobytes goes to the page cache. */
static void process(void *data) {
  static struct {
    struct record record;
    int16_t samples[longest * channels];
  } cycle;
  struct pw_buffer *buffer = pw_stream_dequeue_buffer(stream);
  if (!buffer) return;
  const struct spa_data *block = &buffer->buffer->datas[0];
  uint32_t frames = block->chunk->size / (channels * sizeof(float));
  const float *samples = SPA_PTROFF(block->data, block->chunk->offset, const float);
  if (frames > longest) frames = longest;
  if (position && frames > 0) {
    /* A sink that is late hears what no one else would have missed. */
    static uint64_t expected;
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    const struct spa_io_clock *clock = &position->clock;
    int64_t end = (int64_t)(clock->nsec + clock->duration * 1000000000 / rate);
    if (expected && (clock->position != expected || now.tv_sec * 1000000000LL + now.tv_nsec > end)) {
      struct record missed = {0x31504154, 3, (int64_t)clock->nsec, 0, 0, 0};
      if (write(output, &missed, sizeof missed) < 0) perror("graph_tap");
    }
    expected = clock->position + clock->duration;
    int sounds = 0;
    for (uint32_t i = 0; i < frames * channels; i++) {
      float value = SPA_CLAMP(samples[i] * 32767.0f, -32768.0f, 32767.0f);
      cycle.samples[i] = (int16_t)(value + (value < 0 ? -0.5f : 0.5f));
      sounds |= cycle.samples[i];
    }
    uint32_t bytes = frames * channels * sizeof(int16_t);
    cycle.record = (struct record){0x31504154, 1, (int64_t)position->clock.nsec, 0, bytes, sounds ? bytes : 0};
    if (write(output, &cycle, sizeof cycle.record + cycle.record.payload) < 0) perror("graph_tap");
  }
  pw_stream_queue_buffer(stream, buffer);
}

static const struct pw_stream_events events = {PW_VERSION_STREAM_EVENTS, .io_changed = changed, .process = process};

static void stop(void *data, int number) { pw_main_loop_quit(loop); }

int main(int count, char **words) {
  if (count < 3) {
    fprintf(stderr, "usage: graph_tap NAME FILE [--alone]\n");
    return 2;
  }
  output = open(words[2], O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
  if (output < 0) {
    perror(words[2]);
    return 1;
  }
  pw_init(0, 0);
  loop = pw_main_loop_new(0);
  pw_loop_add_signal(pw_main_loop_get_loop(loop), SIGTERM, stop, 0);
  pw_loop_add_signal(pw_main_loop_get_loop(loop), SIGINT, stop, 0);
  struct pw_properties *properties = pw_properties_new(
    PW_KEY_MEDIA_CLASS, "Audio/Sink", PW_KEY_NODE_NAME, words[1], PW_KEY_NODE_DESCRIPTION, words[1],
    PW_KEY_NODE_VIRTUAL, "true", NULL);
  if (count > 3)
    pw_properties_set(
      properties, "adapter.auto-port-config", "{ mode = dsp  monitor = false  position = preserve }");
  stream = pw_stream_new_simple(pw_main_loop_get_loop(loop), words[1], properties, &events, 0);
  uint8_t space[1024];
  struct spa_pod_builder builder = SPA_POD_BUILDER_INIT(space, sizeof space);
  struct spa_audio_info_raw format = SPA_AUDIO_INFO_RAW_INIT(
    .format = SPA_AUDIO_FORMAT_F32, .rate = rate, .channels = channels,
    .position = {SPA_AUDIO_CHANNEL_FL, SPA_AUDIO_CHANNEL_FR});
  const struct spa_pod *params[] = {spa_format_audio_raw_build(&builder, SPA_PARAM_EnumFormat, &format)};
  if (pw_stream_connect(
        stream, PW_DIRECTION_INPUT, PW_ID_ANY, PW_STREAM_FLAG_MAP_BUFFERS | PW_STREAM_FLAG_RT_PROCESS, params, 1) < 0) {
    fprintf(stderr, "graph_tap: no PipeWire answers\n");
    return 1;
  }
  pw_main_loop_run(loop);
  return 0;
}

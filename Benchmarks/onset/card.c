/* A sound card that is none, for the ALSA drivers of sound servers: an ioplug whose position advances with CLOCK_MONOTONIC.
 *
 * It writes down what it is given with the moment at which each piece leaves it, by nothing but its own start and rate: a
 * truth that uses none of the server's clocks. The records are those of sink_tap.c.
 *
 * CARD_FILE names the file, CARD_STEP the frames by which its position moves (1), CARD_PPM how fast its clock is (0),
 * CARD_RATE its rate (48000). Preload it into PulseAudio besides: see snd_pcm_status_get_htstamp.
 * cc -O2 -shared -fPIC -DPIC -o libasound_module_pcm_benchcard.so card.c -lasound
 */
#include <alsa/asoundlib.h>
#include <alsa/pcm_external.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

enum { frame_bytes = 4, piece = 1024 };

struct card {
  snd_pcm_ioplug_t plug;
  int file, timer, runs;
  unsigned nominal;
  int64_t started, written, step;
  double rate; /* frames per second of CLOCK_MONOTONIC */
};

struct record {
  uint32_t magic, kind;
  int64_t when, latency;
  uint32_t length, payload;
};

static int64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1000000000LL + time.tv_nsec;
}

static double setting(const char *name, double other) {
  const char *value = getenv(name);
  return value ? atof(value) : other;
}

/* The frames that have left the card, in steps. */
static int64_t played(struct card *card) {
  if (!card->runs) return 0;
  int64_t frames = (int64_t)((double)(now() - card->started) * card->rate / 1e9) / card->step * card->step;
  return frames < card->written ? frames : card->written;
}

static void wake(struct card *card, int64_t every) {
  struct itimerspec time = {{0, every}, {0, every}};
  timerfd_settime(card->timer, 0, &time, 0);
}

static int prepare(snd_pcm_ioplug_t *plug) {
  struct card *card = plug->private_data;
  card->runs = 0;
  card->written = 0;
  card->rate = card->nominal * (1 + setting("CARD_PPM", 0) / 1e6);
  return 0;
}

static int start(snd_pcm_ioplug_t *plug) {
  struct card *card = plug->private_data;
  card->started = now();
  card->runs = 1;
  wake(card, (int64_t)(plug->period_size * 5e8 / card->nominal));
  return 0;
}

static int stop(snd_pcm_ioplug_t *plug) {
  struct card *card = plug->private_data;
  card->runs = 0;
  wake(card, 0);
  return 0;
}

static snd_pcm_sframes_t pointer(snd_pcm_ioplug_t *plug) {
  return played(plug->private_data) % (int64_t)plug->buffer_size;
}

static int ready(snd_pcm_ioplug_t *plug, struct pollfd *files, unsigned count, unsigned short *events) {
  struct card *card = plug->private_data;
  uint64_t times;
  if (read(card->timer, &times, sizeof times) < 0) times = 0;
  int64_t room = (int64_t)plug->buffer_size - (card->written - played(card));
  *events = room >= (int64_t)plug->period_size ? POLLOUT : 0;
  return 0;
}

/* Before the card is started, its first frame is taken to leave at once; servers fill it with silence then. */
static snd_pcm_sframes_t transfer(
  snd_pcm_ioplug_t *plug, const snd_pcm_channel_area_t *areas, snd_pcm_uframes_t offset, snd_pcm_uframes_t size) {
  struct card *card = plug->private_data;
  const char *samples = (const char *)areas[0].addr + (areas[0].first + areas[0].step * offset) / 8;
  for (snd_pcm_uframes_t at = 0; at < size; at += piece) {
    uint32_t frames = size - at < piece ? size - at : piece;
    int64_t origin = card->runs ? card->started : now();
    struct {
      struct record record;
      char samples[piece * frame_bytes];
    } block = {{0x31504154, 1, origin + (int64_t)((double)card->written * 1e9 / card->rate), 0, frames * frame_bytes,
                frames * frame_bytes}};
    memcpy(block.samples, samples + at * frame_bytes, frames * frame_bytes);
    if (write(card->file, &block, sizeof block.record + frames * frame_bytes) < 0) perror("card");
    card->written += frames;
  }
  return size;
}

static int close_card(snd_pcm_ioplug_t *plug) {
  struct card *card = plug->private_data;
  close(card->file);
  close(card->timer);
  free(card);
  return 0;
}

/* A plug-in's status has the time of the wall clock, where a kernel's driver has CLOCK_MONOTONIC, which PulseAudio expects. */
void snd_pcm_status_get_htstamp(const snd_pcm_status_t *status, snd_htimestamp_t *stamp) {
  (void)status;
  clock_gettime(CLOCK_MONOTONIC, stamp);
}

static const snd_pcm_ioplug_callback_t calls = {
  .prepare = prepare, .start = start, .stop = stop, .pointer = pointer, .poll_revents = ready, .transfer = transfer,
  .close = close_card};

SND_PCM_PLUGIN_DEFINE_FUNC(benchcard) {
  struct card *card = calloc(1, sizeof *card);
  const char *file = getenv("CARD_FILE");
  card->file = open(file ? file : "/dev/null", O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
  card->timer = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);
  card->step = (int64_t)setting("CARD_STEP", 1);
  card->nominal = (unsigned)setting("CARD_RATE", 48000);
  card->plug = (snd_pcm_ioplug_t){
    .version = SND_PCM_IOPLUG_VERSION, .name = "benchcard", .callback = &calls, .private_data = card,
    .poll_fd = card->timer, .poll_events = POLLIN};
  int error = snd_pcm_ioplug_create(&card->plug, name, stream, mode);
  if (error < 0) return error;
  const unsigned access[] = {SND_PCM_ACCESS_MMAP_INTERLEAVED, SND_PCM_ACCESS_RW_INTERLEAVED};
  const unsigned format[] = {SND_PCM_FORMAT_S16_LE};
  snd_pcm_ioplug_set_param_list(&card->plug, SND_PCM_IOPLUG_HW_ACCESS, 2, access);
  snd_pcm_ioplug_set_param_list(&card->plug, SND_PCM_IOPLUG_HW_FORMAT, 1, format);
  snd_pcm_ioplug_set_param_minmax(&card->plug, SND_PCM_IOPLUG_HW_CHANNELS, 2, 2);
  snd_pcm_ioplug_set_param_minmax(&card->plug, SND_PCM_IOPLUG_HW_RATE, card->nominal, card->nominal);
  snd_pcm_ioplug_set_param_minmax(&card->plug, SND_PCM_IOPLUG_HW_PERIOD_BYTES, 256, 32768);
  snd_pcm_ioplug_set_param_minmax(&card->plug, SND_PCM_IOPLUG_HW_PERIODS, 2, 64);
  *pcmp = card->plug.pcm;
  return 0;
}
SND_PCM_PLUGIN_SYMBOL(benchcard);

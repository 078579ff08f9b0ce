// Plays a stimulus into the cycles of a graph, on the real-time thread: no allocation, no lock, no system call. Samples and
// results pass between the threads through prepared buffers, each with one writer and one reader.

#include "Engine.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

cpipewire_engine *cpipewire_engine_new(int ports, int64_t capacity) {
  cpipewire_engine *engine = calloc(1, sizeof *engine);
  if (!engine) return 0;
  engine->samples = calloc((size_t)(capacity * ports), sizeof *engine->samples);
  if (!engine->samples) {
    free(engine);
    return 0;
  }
  engine->ports = ports;
  engine->capacity = capacity;
  engine->fade = -1;
  engine->tolerance = 100000;
  return engine;
}

void cpipewire_engine_free(cpipewire_engine *engine) {
  if (engine) free(engine->samples);
  free(engine);
}

void cpipewire_engine_tune(
  cpipewire_engine *engine, uint32_t card_rate, int64_t granularity, bool is_card, bool is_driver,
  int64_t tolerance) {
  engine->card_rate = card_rate;
  engine->granularity = granularity;
  engine->is_card = is_card;
  engine->is_driver = is_driver;
  engine->tolerance = tolerance;
}

bool cpipewire_engine_load(cpipewire_engine *engine, int64_t due, int64_t frames, uint32_t rate) {
  if (atomic_load(&engine->state) != idle) return false;
  engine->due = due;
  engine->frames = frames;
  engine->rate = rate;
  engine->written = 0;
  engine->consumed = 0;
  engine->fade = -1;
  // What was reported of the last stimulus, and not read, is of no interest any more.
  atomic_store(&engine->taken, atomic_load(&engine->reported));
  atomic_store(&engine->state, loaded);
  return true;
}

void cpipewire_engine_start(cpipewire_engine *engine) {
  int expected = loaded;
  atomic_compare_exchange_strong(&engine->state, &expected, waiting);
}

void cpipewire_engine_limit(cpipewire_engine *engine, int64_t frames) {
  atomic_store_explicit(&engine->frames, frames, memory_order_release);
}

int64_t cpipewire_engine_room(cpipewire_engine *engine) {
  int64_t written = atomic_load_explicit(&engine->written, memory_order_relaxed);
  int64_t consumed = atomic_load_explicit(&engine->consumed, memory_order_acquire);
  int64_t room = engine->capacity - kept - (written - consumed);
  return room > 0 ? room : 0;
}

void cpipewire_engine_write(cpipewire_engine *engine, const float *samples, int64_t frames) {
  int64_t written = atomic_load_explicit(&engine->written, memory_order_relaxed);
  while (frames > 0) {
    int64_t at = written % engine->capacity;
    int64_t run = frames < engine->capacity - at ? frames : engine->capacity - at;
    memcpy(engine->samples + at * engine->ports, samples, (size_t)(run * engine->ports) * sizeof *samples);
    samples += run * engine->ports;
    written += run;
    frames -= run;
  }
  atomic_store_explicit(&engine->written, written, memory_order_release);
}

void cpipewire_engine_stop(cpipewire_engine *engine, int64_t fade) {
  int expected = loaded;
  if (atomic_compare_exchange_strong(&engine->state, &expected, idle)) return;
  int64_t none = -1;
  atomic_compare_exchange_strong(&engine->fade, &none, fade < 1 ? 1 : fade);
}

bool cpipewire_engine_is_busy(cpipewire_engine *engine) { return atomic_load(&engine->state) != idle; }

bool cpipewire_engine_next(cpipewire_engine *engine, cpipewire_event *event) {
  uint64_t taken = atomic_load_explicit(&engine->taken, memory_order_relaxed);
  if (taken == atomic_load_explicit(&engine->reported, memory_order_acquire)) return false;
  *event = engine->event[taken % events];
  atomic_store_explicit(&engine->taken, taken + 1, memory_order_release);
  return true;
}

cpipewire_status cpipewire_engine_status(cpipewire_engine *engine) {
  cpipewire_status status;
  uint32_t version;
  do {
    version = atomic_load(&engine->version);
    status.steady = engine->status_steady;
    status.finished = engine->status_finished;
    status.duration = engine->status_duration;
    status.rate = engine->status_rate;
    status.driver = engine->status_driver;
    status.delay = engine->status_delay;
    status.step = engine->status_step;
    status.starts = engine->status_starts;
  } while (version % 2 || version != atomic_load(&engine->version));
  return status;
}

// MARK: The real-time thread

static double moment(const cpipewire_engine *engine, double position) {
  return cpipewire_clock_moment(engine, position);
}

static bool report(cpipewire_engine *engine, int kind, double moment, double uncertainty, int64_t frames) {
  uint64_t reported = atomic_load_explicit(&engine->reported, memory_order_relaxed);
  // The last place is kept for the end, which is always reported.
  uint64_t used = reported - atomic_load_explicit(&engine->taken, memory_order_acquire);
  if (used >= (kind == cpipewire_ended || kind == cpipewire_rate_changed ? events : events - 1)) return true;
  engine->event[reported % events] = (cpipewire_event){kind, llround(moment), llround(uncertainty), frames};
  atomic_store_explicit(&engine->reported, reported + 1, memory_order_release);
  return true;
}

/// Counts frames of the stimulus that no one hears.
static bool lose(cpipewire_engine *engine, double moment, int64_t frames) {
  if (frames <= 0) return false;
  engine->lost += frames;
  return report(engine, cpipewire_lost, moment, cpipewire_clock_uncertainty(engine), frames);
}

/// Takes back what was written for a cycle that is asked for again, as one is whose work began late.
static void repeat(cpipewire_engine *engine, bool is_sounding) {
  engine->count--;
  if (!is_sounding || engine->last_count == 0) return;
  if (!engine->has_begun) engine->next -= engine->last_count;
  atomic_store_explicit(&engine->state, engine->has_begun ? waiting : sounding, memory_order_relaxed);
  engine->has_begun = engine->has_ended = false;
}

/// Compares a cycle with what the last one promised; returns whether there is something to report.
static bool follow(cpipewire_engine *engine, const cpipewire_cycle *cycle, int64_t leaves) {
  if (engine->count == 0) return false;
  bool is_sounding = atomic_load_explicit(&engine->state, memory_order_relaxed) >= sounding, reported = false;
  const cpipewire_cycle *last = &engine->last;
  int64_t expected = last->position + last->duration, missed = cycle->position - expected;
  if (is_sounding && cycle->rate != last->rate) {
    reported = report(engine, cpipewire_rate_changed, (double)leaves, 0, cycle->rate);
    engine->has_begun = engine->has_ended = is_sounding = false;
    atomic_store_explicit(&engine->state, idle, memory_order_release);
  }
  bool is_other = cycle->rate != last->rate || cycle->driver != last->driver;
  if (!is_other && missed == -last->duration) {
    repeat(engine, is_sounding);
    return reported;
  }
  if (is_other || missed < 0) {
    double shift = (double)leaves - moment(engine, (double)expected);
    engine->count = 0;
    ccardclock_clear(&engine->card, cycle->rate);
    bool is_new_driver = cycle->driver != last->driver;
    // A sound that has not begun is timed by the new driver, which may be read in another way.
    if (is_new_driver && atomic_load_explicit(&engine->state, memory_order_relaxed) != idle)
      reported = report(engine, cpipewire_driver_changed, 0, 0, cycle->driver);
    if (!is_sounding) return reported;
    // What was played by one clock is not told exactly by another.
    if (is_new_driver || fabs(shift) > (double)engine->tolerance)
      reported = report(engine, cpipewire_shifted, shift, 0, 0);
    return reported;
  }
  // Work that was done after the next cycle had begun was not heard.
  int64_t length = (cycle->nsec - last->nsec) * last->duration / (last->duration + missed);
  if (is_sounding && engine->last_count > 0 && engine->finished > last->nsec + length) {
    if (engine->has_begun) {
      // The beginning is heard now, unless it was heard all the same.
      double half = (moment(engine, (double)cycle->position) - engine->onset) / 2;
      engine->onset += half;
      engine->onset_bound += half;
    }
    reported = lose(engine, (double)engine->last_moment, engine->last_count) || reported;
  }
  // Cycles that this program did not even begin.
  if (is_sounding && missed > 0 && !engine->has_ended) {
    int64_t left = engine->end - engine->next, gone = missed < left ? missed : left;
    reported = lose(engine, moment(engine, (double)expected), gone) || reported;
    engine->next += gone;
  }
  double shift = (double)leaves - moment(engine, (double)cycle->position);
  bool is_shifted = cpipewire_clock_has_shifted(engine, cycle, shift);
  if (is_shifted && is_sounding) reported = report(engine, cpipewire_shifted, shift, 0, 0);
  if (is_shifted || missed > 0) engine->count = 0;
  return reported;
}

/// Reports the beginning and the end that the last cycle brought.
static bool confirm(cpipewire_engine *engine) {
  bool reported = engine->has_begun || engine->has_ended;
  if (engine->has_begun) report(engine, cpipewire_started, engine->onset, engine->onset_bound, 0);
  engine->has_begun = false;
  if (!engine->has_ended) return reported;
  int64_t played = engine->end - engine->lost;
  report(engine, cpipewire_ended, engine->offset_moment, engine->offset_bound, played < 0 ? 0 : played);
  engine->has_ended = false;
  atomic_store_explicit(&engine->state, idle, memory_order_release);
  return true;
}

static float gain(const cpipewire_engine *engine, int64_t frame) {
  if (engine->fade_length == 0 || frame < engine->fade_start) return 1;
  return (float)(0.5 + 0.5 * cos(M_PI * ((double)(frame - engine->fade_start) + 0.5) / (double)engine->fade_length));
}

/// Copies the stimulus's next frames into the planes from `index` on; frames that have not been written are lost.
static bool play(cpipewire_engine *engine, int64_t index, int64_t duration, double first, float *const *planes) {
  bool reported = false;
  double frame = 1e9 / engine->last.rate + engine->slope;
  if (!engine->fade_length) engine->end = atomic_load_explicit(&engine->frames, memory_order_acquire);
  int64_t there = atomic_load_explicit(&engine->written, memory_order_acquire);
  int64_t wanted = duration - index < engine->end - engine->next ? duration - index : engine->end - engine->next;
  int64_t known = there > engine->next ? there - engine->next : 0, copied = known < wanted ? known : wanted;
  engine->last_count = wanted;
  engine->last_moment = llround(first + (double)index * frame);
  for (int port = 0; port < engine->ports; port++) {
    float *plane = planes[port];
    if (!plane) continue;
    const float *samples = engine->samples + port;
    int64_t at = engine->next % engine->capacity;
    for (int64_t count = 0; count < copied; count++) {
      float sample = samples[at * engine->ports];
      plane[index + count] = engine->fade_length ? sample * gain(engine, engine->next + count) : sample;
      if (++at == engine->capacity) at = 0;
    }
  }
  if (copied < wanted) reported = lose(engine, first + (double)(index + copied) * frame, wanted - copied);
  engine->next += wanted;
  atomic_store_explicit(&engine->consumed, engine->next, memory_order_release);
  if (engine->next < engine->end) return reported;
  engine->has_ended = true;
  engine->offset_moment = first + (double)(index + wanted) * frame;
  engine->offset_bound = cpipewire_clock_uncertainty(engine);
  atomic_store_explicit(&engine->state, ending, memory_order_relaxed);
  return reported;
}

/// Begins the stimulus on the frame of this cycle that is closest to its moment, goes on with it, or ends it.
static bool perform(cpipewire_engine *engine, int64_t duration, float *const *planes) {
  int state = atomic_load_explicit(&engine->state, memory_order_acquire);
  engine->last_count = 0;
  if (state != waiting && state != sounding) return false;
  double first = moment(engine, (double)engine->last.position), frame = 1e9 / engine->last.rate + engine->slope;
  int64_t fade = atomic_load_explicit(&engine->fade, memory_order_relaxed), index = 0;
  if (state == waiting) {
    if (fade >= 0 || engine->last.rate != engine->rate) {
      bool is_stopped = fade >= 0;
      report(
        engine, is_stopped ? cpipewire_ended : cpipewire_rate_changed, first, cpipewire_clock_uncertainty(engine),
        is_stopped ? 0 : engine->last.rate);
      atomic_store_explicit(&engine->state, idle, memory_order_release);
      return true;
    }
    double distance = round(((double)engine->due - first) / frame);
    if (distance >= (double)duration) return false;
    index = distance > 0 ? (int64_t)distance : 0;
    engine->next = engine->lost = engine->fade_length = 0;
    engine->has_begun = true;
    engine->onset = first + (double)index * frame;
    engine->onset_bound = cpipewire_clock_uncertainty(engine);
    atomic_store_explicit(&engine->state, sounding, memory_order_relaxed);
    return play(engine, index, duration, first, planes);
  }
  if (fade >= 0 && engine->fade_length == 0) {
    engine->fade_start = engine->next;
    engine->fade_length = fade;
    if (engine->end > engine->next + fade) engine->end = engine->next + fade;
  }
  return play(engine, 0, duration, first, planes);
}

bool cpipewire_engine_cycle(cpipewire_engine *engine, const cpipewire_cycle *cycle, float *const *planes) {
  for (int port = 0; port < engine->ports; port++)
    if (planes[port]) memset(planes[port], 0, (size_t)cycle->duration * sizeof *planes[port]);
  uint32_t card = engine->card_rate ? engine->card_rate : cycle->rate;
  int64_t delay = llround((double)cycle->delay * 1e9 / card), leaves = cycle->nsec + delay;
  bool reported = follow(engine, cycle, leaves);
  reported = confirm(engine) || reported;
  engine->last = *cycle;
  cpipewire_clock_add(engine, cycle, leaves);
  reported = perform(engine, cycle->duration, planes) || reported;
  atomic_fetch_add(&engine->version, 1);
  engine->status_steady = engine->count;
  engine->status_duration = cycle->duration;
  engine->status_rate = cycle->rate;
  engine->status_driver = cycle->driver;
  engine->status_delay = delay;
  engine->status_step = cpipewire_clock_step(engine);
  engine->status_starts = cpipewire_clock_starts(engine);
  atomic_fetch_add(&engine->version, 1);
  return reported;
}

void cpipewire_engine_finish(cpipewire_engine *engine, int64_t now) {
  engine->finished = now;
  engine->status_finished = now;
}

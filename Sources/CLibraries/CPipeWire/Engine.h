#pragma once
// The state of an engine, which Engine.c plays with and Clock.c keeps the time of. The real-time thread calls what is here.

#include "shim.h"
#include <CardClock.h>
#include <stdatomic.h>

enum { idle, loaded, waiting, sounding, ending };

enum {
  /// The cycles through which the clock's line is fitted; fewer than `settled` give no slope.
  window = 64,
  settled = 8,
  /// The nanoseconds by which a cycle may begin later than the most punctual one and still tell where a card is.
  punctual = 300000,
  /// Events that fit before they are read.
  events = 64,
  /// Frames that stay in the buffer after they were played: the longest cycle, should it be asked for again.
  kept = 8192,
};

struct cpipewire_engine {
  int ports;
  int64_t capacity;
  float *samples;

  // Written by the owner while nothing plays, read by the real-time thread afterwards.
  int64_t due;
  uint32_t rate;
  _Atomic int state;
  _Atomic int64_t frames, written, consumed, fade;
  _Atomic uint32_t card_rate;
  _Atomic int64_t granularity, tolerance;
  _Atomic bool is_card, is_driver;

  // The real-time thread's own.
  cpipewire_cycle last;
  int64_t finished;
  /// The last cycles, newest at `(count - 1) % window`: the frame's number, when it leaves the sink, how late the work began.
  int64_t position[window], leaves[window], lateness[window];
  int64_t count;
  /// The line in relation to the newest point: nanoseconds off it, and per frame beyond the nominal length.
  double offset, slope, spread;
  /// How late the most punctual cycle began, and the latest that counts.
  int64_t least, late;
  /// The clock of a card that drives the graph.
  ccardclock card;
  int64_t next, end, lost, fade_start, fade_length;
  /// The stimulus's frames in the last cycle, and when they leave the sink.
  int64_t last_count, last_moment;
  /// What the last cycle began and ended: reported when the next one shows that it was heard.
  bool has_begun, has_ended;
  double onset, onset_bound, offset_moment, offset_bound;

  cpipewire_event event[events];
  _Atomic uint64_t reported, taken;

  // The last cycle, for other threads: odd while it is being written.
  _Atomic uint32_t version;
  _Atomic int64_t status_steady, status_finished, status_duration, status_delay, status_step, status_starts;
  _Atomic uint32_t status_rate, status_driver;
};

#pragma GCC visibility push(hidden)
/// Takes up a cycle, whose first frame leaves the sink at this moment.
void cpipewire_clock_add(cpipewire_engine *engine, const cpipewire_cycle *cycle, int64_t leaves);
/// When a frame leaves the sink, by its number on the graph's clock.
double cpipewire_clock_moment(const cpipewire_engine *engine, double position);
/// How far that may be from the truth.
double cpipewire_clock_uncertainty(const cpipewire_engine *engine);
/// How often the course of the card's position began again, where steps can show.
int64_t cpipewire_clock_starts(const cpipewire_engine *engine);
/// The frames by which the card's position moves at once, measured in half a second or more; 0 where that is not known.
int64_t cpipewire_clock_step(const cpipewire_engine *engine);
/// Whether a cycle that leaves the sink later than expected by so many nanoseconds has left the clock's course.
bool cpipewire_clock_has_shifted(const cpipewire_engine *engine, const cpipewire_cycle *cycle, double shift);
#pragma GCC visibility pop

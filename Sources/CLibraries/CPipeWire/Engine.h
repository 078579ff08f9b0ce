#pragma once
// The state of an engine, which Engine.c plays with and Clock.c keeps the time of. The real-time thread calls what is here.

#include "shim.h"
#include <stdatomic.h>

enum { idle, loaded, waiting, sounding, ending };

enum {
  /// The cycles through which the clock's line is fitted; fewer than `settled` give no slope.
  window = 64,
  settled = 8,
  /// The nanoseconds by which a cycle may begin later than the most punctual one and still tell where a card is.
  punctual = 300000,
  /// How far a cycle may be off what all others allow, in nanoseconds, and still be on the same course.
  most_off = 100000,
  /// The corners that a hull can have: thousands of cycles have some dozens.
  corners = 256,
  /// Events that fit before they are read.
  events = 64,
  /// Frames that stay in the buffer after they were played: the longest cycle, should it be asked for again.
  kept = 8192,
};

/// The convex hull of points from one side, by rising x.
typedef struct {
  double x[corners], y[corners];
  int count;
} cpipewire_hull;

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
  /// What the card had played first, the greatest common divisor of all distances from it, how many there were, and how many
  /// of them since it last changed.
  int64_t first_played, step, steps, same;
  /// The line in relation to the newest point: nanoseconds off it, and per frame beyond the nominal length.
  double offset, slope, spread;
  /// How late the most punctual cycle began, and the latest that counts.
  int64_t least, late;
  /// The latest and the earliest moments that cycles of a card allow, off an even course from the first, and how far they
  /// may be wrong.
  cpipewire_hull latest, earliest;
  int64_t first_position, first_leaves;
  double slack;
  /// How many cycles at the end may be on one course.
  int64_t agreeing;
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
  _Atomic int64_t status_steady, status_finished, status_duration, status_delay;
  _Atomic uint32_t status_rate, status_driver;
};

#pragma GCC visibility push(hidden)
/// Takes up a cycle, whose first frame leaves the sink at this moment.
void cpipewire_clock_add(cpipewire_engine *engine, const cpipewire_cycle *cycle, int64_t leaves);
/// Keeps what a cycle says of a card's course, whose position moves by so many nanoseconds, and finds the line again.
void cpipewire_bounds_add(cpipewire_engine *engine, double step);
/// How far the newest cycle's first frame may be from the line.
double cpipewire_bounds_uncertainty(const cpipewire_engine *engine, double step);
/// When a frame leaves the sink, by its number on the graph's clock.
double cpipewire_clock_moment(const cpipewire_engine *engine, double position);
/// How far that may be from the truth.
double cpipewire_clock_uncertainty(const cpipewire_engine *engine);
/// Whether a cycle that leaves the sink later than expected by so many nanoseconds has left the clock's course.
bool cpipewire_clock_has_shifted(const cpipewire_engine *engine, const cpipewire_cycle *cycle, double shift);
#pragma GCC visibility pop

// Relates the numbers of a graph's frames to the times at which they leave the sink: by a line through the last cycles, or,
// for a card whose position moves in known steps, between what all of them allow (Bounds.c).

#include "Engine.h"
#include <math.h>
#include <stdlib.h>

/// What rounding and a float's resolution leave, in nanoseconds.
static const double resolution = 10000;

/// Whether a cycle began in time: a card's position is read when the driver wakes, and counted from when it should have.
static bool is_punctual(const cpipewire_engine *engine, int64_t lateness) {
  return !engine->is_card || lateness <= engine->least + punctual;
}

/// How far a cycle's time is off an even course from the newest one, in nanoseconds.
static double course(const cpipewire_engine *engine, int index, double *x) {
  int newest = (int)((engine->count - 1) % window);
  *x = (double)(engine->position[index] - engine->position[newest]);
  return (double)(engine->leaves[index] - engine->leaves[newest]) - *x * 1e9 / engine->last.rate;
}

/// Fits a line through the last punctual cycles: a position that moves in steps scatters around it.
static void fit(cpipewire_engine *engine) {
  int64_t known = engine->count < window ? engine->count : window;
  double x, y, n = 0, sx = 0, sy = 0, sxx = 0, sxy = 0;
  engine->offset = engine->slope = engine->spread = 0;
  engine->late = 0;
  engine->least = INT64_MAX - punctual;
  for (int index = 0; index < known; index++)
    if (engine->lateness[index] < engine->least) engine->least = engine->lateness[index];
  for (int index = 0; index < known; index++) {
    if (!is_punctual(engine, engine->lateness[index])) continue;
    if (engine->lateness[index] > engine->late) engine->late = engine->lateness[index];
    y = course(engine, index, &x);
    n++;
    sx += x;
    sy += y;
    sxx += x * x;
    sxy += x * y;
  }
  double width = n * sxx - sx * sx;
  if (n >= settled && width > 0) engine->slope = (n * sxy - sx * sy) / width;
  engine->offset = (sy - engine->slope * sx) / n;
  for (int index = 0; index < known; index++) {
    if (!is_punctual(engine, engine->lateness[index])) continue;
    y = course(engine, index, &x);
    double error = fabs(y - engine->offset - engine->slope * x);
    if (error > engine->spread) engine->spread = error;
  }
}

/// Finds the steps in which a card's position moves: what it has played changes by multiples of them.
static void measure_step(cpipewire_engine *engine, int64_t played) {
  if (engine->count == 1) engine->steps = engine->step = engine->same = 0;
  if (engine->steps++ == 0) engine->first_played = played;
  int64_t a = llabs(played - engine->first_played), b = engine->step;
  while (a) {
    int64_t rest = b % a;
    b = a;
    a = rest;
  }
  engine->same = engine->step == b ? engine->same + 1 : 0;
  engine->step = b;
}

/// Whether a card's position has left its steps, as after a restart.
static bool has_left_steps(const cpipewire_engine *engine, int64_t played) {
  return engine->step > 0 && engine->same > 2 * settled &&
    (played - engine->first_played) % engine->step != 0;
}

/// Whether the steps of a card's position were measured, in half a second or more. A card with another rate than the graph's
/// is given a varying number of frames, which hides them; one that always has played whole cycles may have any.
static bool has_steps(const cpipewire_engine *engine) {
  bool is_same = !engine->card_rate || engine->card_rate == engine->last.rate;
  return engine->is_card && engine->is_driver && is_same && engine->steps > 2 * settled && engine->step > 0 &&
    engine->step < engine->last.duration;
}

/// The step in nanoseconds: what was measured, else what is allowed for.
static double step_length(const cpipewire_engine *engine) {
  return has_steps(engine) ? (double)engine->step * 1e9 / engine->last.rate : (double)engine->granularity;
}

/// When a frame leaves the sink, by its number on the graph's clock.
double cpipewire_clock_moment(const cpipewire_engine *engine, double position) {
  int newest = (int)((engine->count - 1) % window);
  double beyond = position - (double)engine->position[newest];
  return (double)engine->leaves[newest] + engine->offset + beyond * (1e9 / engine->last.rate + engine->slope);
}

double cpipewire_clock_uncertainty(const cpipewire_engine *engine) {
  if (has_steps(engine)) return resolution + cpipewire_bounds_uncertainty(engine, step_length(engine));
  double bound = resolution + engine->spread;
  if (engine->is_card) bound += (double)engine->late + step_length(engine);
  return bound;
}

bool cpipewire_clock_has_shifted(const cpipewire_engine *engine, const cpipewire_cycle *cycle, double shift) {
  if (has_steps(engine)) {
    double uncertainty = cpipewire_clock_uncertainty(engine) + most_off, late = (double)(cycle->now - cycle->nsec);
    return shift - step_length(engine) > uncertainty || shift + late < -uncertainty ||
      has_left_steps(engine, cycle->position - cycle->delay);
  }
  double tolerance = (double)engine->tolerance + (engine->is_card ? step_length(engine) : 0);
  return fabs(shift) > tolerance && is_punctual(engine, cycle->now - cycle->nsec);
}

void cpipewire_clock_add(cpipewire_engine *engine, const cpipewire_cycle *cycle, int64_t leaves) {
  int place = (int)(engine->count % window);
  engine->position[place] = cycle->position;
  engine->leaves[place] = leaves;
  engine->lateness[place] = cycle->now - cycle->nsec;
  engine->count++;
  // After a jump of the clock, or on another one, what earlier cycles allow is not valid any more.
  if (engine->count == 1) engine->latest.count = engine->earliest.count = engine->agreeing = 0;
  engine->agreeing++;
  if (engine->is_card && engine->is_driver) measure_step(engine, cycle->position - cycle->delay);
  fit(engine);
  if (has_steps(engine)) cpipewire_bounds_add(engine, step_length(engine));
}

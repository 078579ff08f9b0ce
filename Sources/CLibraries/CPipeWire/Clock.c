// Relates the numbers of a graph's frames to the times at which they leave the sink: by a line through the last cycles, or,
// for a card whose position moves in known steps, between what all of them allow (CardClock.c).

#include "Engine.h"
#include <math.h>

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

/// Whether the card counts the graph's frames. One with another rate is given a varying number of its own in each cycle.
static bool is_same(const cpipewire_engine *engine) {
  return !engine->card_rate || engine->card_rate == engine->last.rate;
}

/// Whether the steps of a card's position were measured, in half a second or more. Another rate than the graph's hides them;
/// and a card that always has played whole cycles may have any.
static bool has_steps(const cpipewire_engine *engine) {
  return engine->is_card && engine->is_driver && is_same(engine) && ccardclock_is_known(&engine->card) &&
    engine->card.step < engine->last.duration;
}

/// Whether the card's clock is known. With another rate than the graph's it is where its readings do not contradict each other
/// for a while, as they would if its position moved in steps.
static bool has_course(const cpipewire_engine *engine) {
  if (is_same(engine)) return has_steps(engine);
  return engine->is_card && engine->is_driver && engine->card.count > ccardclock_window;
}

/// What the card had played, in the graph's frames.
static int64_t played(const cpipewire_engine *engine, const cpipewire_cycle *cycle) {
  if (is_same(engine)) return cycle->position - cycle->delay;
  return cycle->position - llround((double)cycle->delay * cycle->rate / engine->card_rate);
}

int64_t cpipewire_clock_starts(const cpipewire_engine *engine) { return is_same(engine) ? engine->card.starts : 0; }

int64_t cpipewire_clock_step(const cpipewire_engine *engine) { return has_steps(engine) ? engine->card.step : 0; }

/// The step in nanoseconds: what was measured, else what is allowed for.
static double step_length(const cpipewire_engine *engine) {
  return has_steps(engine) ? ccardclock_step(&engine->card) : (double)engine->granularity;
}

/// When a frame leaves the sink, by its number on the graph's clock.
double cpipewire_clock_moment(const cpipewire_engine *engine, double position) {
  int newest = (int)((engine->count - 1) % window);
  double beyond = position - (double)engine->position[newest];
  return (double)engine->leaves[newest] + engine->offset + beyond * (1e9 / engine->last.rate + engine->slope);
}

double cpipewire_clock_uncertainty(const cpipewire_engine *engine) {
  if (has_steps(engine)) return resolution + ccardclock_uncertainty(&engine->card);
  if (has_course(engine)) return resolution + ccardclock_uncertainty(&engine->card) + step_length(engine);
  double bound = resolution + engine->spread;
  if (engine->is_card) bound += (double)engine->late + step_length(engine);
  return bound;
}

bool cpipewire_clock_has_shifted(const cpipewire_engine *engine, const cpipewire_cycle *cycle, double shift) {
  if (has_steps(engine))
    return ccardclock_excludes(&engine->card, played(engine, cycle), cycle->nsec, cycle->now);
  double tolerance = (double)engine->tolerance + (engine->is_card ? step_length(engine) : 0);
  return fabs(shift) > tolerance && is_punctual(engine, cycle->now - cycle->nsec);
}

void cpipewire_clock_add(cpipewire_engine *engine, const cpipewire_cycle *cycle, int64_t leaves) {
  int place = (int)(engine->count % window);
  engine->position[place] = cycle->position;
  engine->leaves[place] = leaves;
  engine->lateness[place] = cycle->now - cycle->nsec;
  engine->count++;
  fit(engine);
  if (!engine->is_card || !engine->is_driver) return;
  if (engine->card.rate != cycle->rate) ccardclock_clear(&engine->card, cycle->rate);
  ccardclock_add(&engine->card, played(engine, cycle), cycle->nsec, cycle->now);
  if (!has_course(engine)) return;
  engine->slope = engine->card.slope;
  engine->offset = ccardclock_moment(&engine->card, (double)cycle->position) - (double)leaves;
}

// A card's clock as the mean of all lines between the bounds.

#include "CardClock.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/// The most that a card's clock differs from the computer's, as a share: crystals keep 0.0001.
static const double steepest = 0.0005;
/// The readings after which the steps are known.
static const int64_t enough = 16;
/// Rounds of a search, each of which leaves 0.62 of what is searched.
enum { rounds = 28 };
/// The slopes whose lines are summed up.
enum { parts = 24 };

/// Adds a point; `side` is 1 for the hull below the points, and -1 for the one above.
static void add(ccardclock_hull *hull, double x, double y, double side) {
  while (hull->count > 1) {
    int last = hull->count - 1;
    double run = hull->x[last] - hull->x[last - 1], rise = hull->y[last] - hull->y[last - 1];
    if (side * (run * (y - hull->y[last - 1]) - rise * (x - hull->x[last - 1])) > 0) break;
    hull->count--;
  }
  hull->x[hull->count] = x;
  hull->y[hull->count++] = y;
}

/// How high a line of this slope that touches the hull is at `x`.
static double height(const ccardclock_hull *hull, double slope, double x, double side) {
  double found = INFINITY;
  for (int index = 0; index < hull->count; index++)
    found = fmin(found, side * (hull->y[index] - slope * (hull->x[index] - x)));
  return side * found;
}

/// What is searched for the highest value of.
typedef struct {
  const ccardclock *clock;
  double x;
  enum { room, highest, lowest } goal;
} question;

static double value(const question *question, double slope) {
  double slack = question->clock->slack, x = question->x;
  double top = height(&question->clock->latest, slope, x, 1) + slack;
  double bottom = height(&question->clock->earliest, slope, x, -1) - slack - ccardclock_step(question->clock);
  return question->goal == room ? top - bottom : question->goal == highest ? top : -bottom;
}

/// The slope with the highest value between two, by golden section: the values are concave.
static double best(const question *question, double low, double high) {
  static const double share = 0.6180339887498949;
  double left = high - share * (high - low), right = low + share * (high - low);
  double at_left = value(question, left), at_right = value(question, right);
  for (int round = 0; round < rounds; round++) {
    if (at_left > at_right) {
      high = right;
      right = left;
      at_right = at_left;
      at_left = value(question, left = high - share * (high - low));
    } else {
      low = left;
      left = right;
      at_left = at_right;
      at_right = value(question, right = low + share * (high - low));
    }
  }
  return (low + high) / 2;
}

/// The last slope with room, from one that has it on to `limit`.
static double edge(const question *question, double slope, double limit) {
  if (value(question, limit) >= 0) return limit;
  for (int round = 0; round < rounds; round++) {
    double middle = (slope + limit) / 2;
    if (value(question, middle) >= 0)
      slope = middle;
    else
      limit = middle;
  }
  return slope;
}

static int place(int64_t count) { return (int)((count - 1) % ccardclock_window); }

/// A position counts whole frames.
static double rounding(const ccardclock *clock) { return 1e9 / clock->rate; }

/// The nanoseconds from the origin to a frame, on an even course.
static double course(const ccardclock *clock, int64_t played) {
  return (double)(played - clock->origin_played) * 1e9 / clock->rate;
}

/// How far a time is off that course.
static double beyond(const ccardclock *clock, int64_t time, double x) {
  return (double)(time - clock->origin_time) - x;
}

static void take(ccardclock *clock, int index) {
  double x = course(clock, clock->played[index]);
  add(&clock->latest, x, beyond(clock, clock->until[index], x), 1);
  add(&clock->earliest, x, beyond(clock, clock->from[index], x), -1);
}

/// Begins with the last readings again.
static void begin(ccardclock *clock) {
  int64_t known = clock->count < ccardclock_window ? clock->count : ccardclock_window;
  int oldest = place(clock->count - known + 1);
  clock->origin_played = clock->played[oldest];
  clock->origin_time = clock->from[oldest];
  clock->latest.count = clock->earliest.count = 0;
  clock->slack = rounding(clock);
  for (int64_t count = clock->count - known + 1; count <= clock->count; count++) take(clock, place(count));
}

/// The slope with the most room; what room there is goes to `left`.
static double find(question *question, double *left) {
  question->x = course(question->clock, question->clock->played[place(question->clock->count)]);
  double slope = best(question, -steepest, steepest);
  *left = value(question, slope);
  return slope;
}

/// Takes the mean of all lines that are possible, each as probable as any other, and how far the others are from it.
static void settle(ccardclock *clock, question *question, double slope) {
  double low = edge(question, slope, -steepest), high = edge(question, slope, steepest);
  double sum = 0, slopes = 0, heights = 0;
  for (int part = 0; part < parts; part++) {
    double at = low + (high - low) * (part + 0.5) / parts;
    question->goal = room;
    double weight = fmax(value(question, at), 0);
    question->goal = highest;
    sum += weight;
    slopes += weight * at;
    heights += weight * (value(question, at) - weight / 2);
  }
  question->goal = highest;
  double top = value(question, best(question, low, high)), middle = sum > 0 ? heights / sum : value(question, slope);
  question->goal = lowest;
  double bottom = -value(question, best(question, low, high));
  clock->slope = (sum > 0 ? slopes / sum : slope) * rounding(clock);
  clock->offset = middle - beyond(clock, clock->from[place(clock->count)], question->x);
  // Where bounds contradict each other, any may be right.
  clock->uncertainty = fmax(top - middle, middle - bottom) + clock->slack - rounding(clock);
}

/// Finds the steps in which the position moves: what was played changes by multiples of them.
static void measure_step(ccardclock *clock, int64_t played) {
  if (clock->count == 0) clock->first_played = played;
  int64_t a = llabs(played - clock->first_played), b = clock->step;
  while (a) {
    int64_t rest = b % a;
    b = a;
    a = rest;
  }
  clock->same = clock->step == b ? clock->same + 1 : 0;
  clock->step = b;
}

/// Whether the position has left its steps, as after a restart.
static bool has_left_steps(const ccardclock *clock, int64_t played) {
  return clock->step > 0 && clock->same > enough && (played - clock->first_played) % clock->step != 0;
}

void ccardclock_clear(ccardclock *clock, uint32_t rate) {
  int64_t starts = clock->starts;
  memset(clock, 0, sizeof *clock);
  clock->starts = starts + 1;
  clock->rate = rate;
}

/// Keeps a reading, and finds the steps.
static void keep(ccardclock *clock, int64_t played, int64_t from, int64_t until) {
  measure_step(clock, played);
  int newest = place(++clock->count);
  clock->played[newest] = played;
  clock->from[newest] = from;
  clock->until[newest] = until;
}

void ccardclock_add(ccardclock *clock, int64_t played, int64_t from, int64_t until) {
  if (has_left_steps(clock, played)) ccardclock_clear(clock, clock->rate);
  keep(clock, played, from, until);
  if (!ccardclock_is_known(clock)) return;
  bool is_full = clock->latest.count == ccardclock_corners || clock->earliest.count == ccardclock_corners;
  if (clock->latest.count == 0 || is_full)
    begin(clock);
  else
    take(clock, place(clock->count));
  question question = {clock, 0, room};
  double left, slope = find(&question, &left);
  if (left < 0 && clock->count > ccardclock_window) {
    // The clock has changed its pace, or the card was restarted: old readings are not valid any more.
    begin(clock);
    clock->starts++;
    slope = find(&question, &left);
  }
  if (left < -2 * ccardclock_most_off) {
    // The card was restarted, perhaps before its steps were known.
    ccardclock_clear(clock, clock->rate);
    return keep(clock, played, from, until);
  }
  // Where no line is possible all the same, a bound is wrong by as much.
  if (left < 0) clock->slack -= left / 2;
  settle(clock, &question, slope);
}

bool ccardclock_is_known(const ccardclock *clock) { return clock->count > enough && clock->step > 0; }

double ccardclock_step(const ccardclock *clock) { return (double)clock->step * rounding(clock); }

double ccardclock_moment(const ccardclock *clock, double frame) {
  int newest = place(clock->count);
  double on = frame - (double)clock->played[newest];
  return (double)clock->from[newest] + clock->offset + on * (rounding(clock) + clock->slope);
}

double ccardclock_uncertainty(const ccardclock *clock) { return clock->uncertainty; }

bool ccardclock_excludes(const ccardclock *clock, int64_t played, int64_t from, int64_t until) {
  if (!ccardclock_is_known(clock)) return false;
  double moment = ccardclock_moment(clock, (double)played);
  double off = ccardclock_uncertainty(clock) + ccardclock_most_off;
  return (double)from - ccardclock_step(clock) > moment + off || (double)until < moment - off ||
    has_left_steps(clock, played);
}

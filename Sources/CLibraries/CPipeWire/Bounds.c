// When the frames of a card leave it. Its position is read at some moment between the one at which a cycle should have begun
// and the one at which our work on it began, and lags by less than a step. So each cycle bounds the moment at which its first
// frame leaves the card from both sides, and a clock that runs evenly is a line between all of these bounds: the one that
// stays furthest from them, of those with a possible slope.

#include "Engine.h"
#include <math.h>

/// The most that a card's clock differs from the computer's, as a share: crystals keep 0.0001.
static const double steepest = 0.0005;
/// Rounds of a search, each of which leaves 0.62 of what is searched.
enum { rounds = 40 };

/// Adds a point; `side` is 1 for the hull below the points, and -1 for the one above.
static void add(cpipewire_hull *hull, double x, double y, double side) {
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
static double height(const cpipewire_hull *hull, double slope, double x, double side) {
  double found = INFINITY;
  for (int index = 0; index < hull->count; index++)
    found = fmin(found, side * (hull->y[index] - slope * (hull->x[index] - x)));
  return side * found;
}

/// What is searched for the highest value of.
typedef struct {
  const cpipewire_engine *engine;
  double x, step;
  enum { room, highest, lowest } goal;
} question;

static double value(const question *question, double slope) {
  double step = question->step + question->engine->slack, x = question->x;
  double top = height(&question->engine->latest, slope, x, 1) + question->engine->slack;
  double bottom = height(&question->engine->earliest, slope, x, -1) - step;
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

static int place(int64_t count) { return (int)((count - 1) % window); }

/// The nanoseconds from the first frame that is counted from to this one, on an even course.
static double course(const cpipewire_engine *engine, int index) {
  return (double)(engine->position[index] - engine->first_position) * 1e9 / engine->last.rate;
}

/// A position counts whole frames.
static double rounding(const cpipewire_engine *engine) { return 1e9 / engine->last.rate; }

static void take(cpipewire_engine *engine, int index) {
  double x = course(engine, index), y = (double)(engine->leaves[index] - engine->first_leaves) - x;
  add(&engine->latest, x, y + (double)engine->lateness[index], 1);
  add(&engine->earliest, x, y, -1);
}

/// Begins with the last cycles again.
static void begin(cpipewire_engine *engine) {
  int64_t known = engine->agreeing < window ? engine->agreeing : window;
  int oldest = place(engine->count - known + 1);
  engine->first_position = engine->position[oldest];
  engine->first_leaves = engine->leaves[oldest];
  engine->latest.count = engine->earliest.count = 0;
  engine->slack = rounding(engine);
  for (int64_t count = engine->count - known + 1; count <= engine->count; count++) take(engine, place(count));
}

void cpipewire_bounds_add(cpipewire_engine *engine, double step) {
  bool is_new = engine->count == 1 || engine->latest.count == 0;
  bool is_full = engine->latest.count == corners || engine->earliest.count == corners;
  if (is_new || is_full)
    begin(engine);
  else
    take(engine, place(engine->count));
  int newest = place(engine->count);
  question question = {engine, course(engine, newest), step, room};
  double slope = best(&question, -steepest, steepest), left = value(&question, slope);
  if (left < 0 && engine->count > window) {
    // The clock has changed its pace: old cycles are not valid any more.
    begin(engine);
    question.x = course(engine, newest);
    slope = best(&question, -steepest, steepest);
    left = value(&question, slope);
  }
  if (left < -2 * most_off) {
    // The card was restarted.
    engine->agreeing = 1;
    begin(engine);
    question.x = course(engine, newest);
    slope = best(&question, -steepest, steepest);
    left = value(&question, slope);
  }
  // Where no line is possible all the same, a bound is wrong by as much.
  if (left < 0) engine->slack -= left / 2;
  question.goal = highest;
  double middle = value(&question, slope) - fmax(left, 0) / 2;
  engine->slope = slope * 1e9 / engine->last.rate;
  engine->offset = middle + question.x - (double)(engine->leaves[newest] - engine->first_leaves);
}

double cpipewire_bounds_uncertainty(const cpipewire_engine *engine, double step) {
  int newest = place(engine->count);
  question question = {engine, course(engine, newest), step, room};
  double slope = engine->slope * engine->last.rate / 1e9;
  double low = edge(&question, slope, -steepest), high = edge(&question, slope, steepest);
  double middle = engine->offset - question.x + (double)(engine->leaves[newest] - engine->first_leaves);
  question.goal = highest;
  double above = value(&question, best(&question, low, high)) - middle;
  question.goal = lowest;
  double below = middle + value(&question, best(&question, low, high));
  // Where bounds contradict each other, any may be right.
  return fmax(above, below) + engine->slack - rounding(engine);
}

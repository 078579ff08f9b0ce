#pragma once
#include <stdbool.h>
#include <stdint.h>

// When the frames of a sound card leave it. Its position is read at some moment between two times, and lags by less than the
// step in which it moves: each reading bounds the moment at which a frame leaves the card from both sides, and a clock that
// runs evenly is a line between all of these bounds. Nothing here allocates, locks or calls the system.

enum {
  /// The readings that are kept one by one; all others only as corners of the hulls.
  ccardclock_window = 64,
  /// The corners that a hull can have: thousands of readings have some dozens.
  ccardclock_corners = 256,
  /// How far a reading may be off what all others allow, in nanoseconds, and still be on the same course.
  ccardclock_most_off = 100000,
};

/// The convex hull of points from one side, by rising x.
typedef struct {
  double x[ccardclock_corners], y[ccardclock_corners];
  int count;
} ccardclock_hull;

/// What is known of a card's clock.
typedef struct {
  /// Frames per second.
  uint32_t rate;
  /// What the card had played first, the greatest common divisor of all distances from it, and the readings since that last
  /// changed.
  int64_t first_played, step, same;
  /// The last readings, the newest at `(count - 1) % ccardclock_window`, and how many there were.
  int64_t played[ccardclock_window], from[ccardclock_window], until[ccardclock_window];
  int64_t count;
  /// How often a course began: with the first reading, and where one contradicted all before it, as after a restart.
  int64_t starts;
  /// The latest and the earliest moments that the readings allow, in relation to an even course from an origin, and how far
  /// they may be wrong.
  ccardclock_hull latest, earliest;
  int64_t origin_played, origin_time;
  double slack;
  /// The line: nanoseconds from `from` of the newest reading on, nanoseconds per frame beyond the nominal ones, and how many
  /// nanoseconds the newest moment may be from the truth.
  double offset, slope, uncertainty;
} ccardclock;

/// Forgets all readings, and begins a new course at this rate. A new clock's memory is all zeros before.
void ccardclock_clear(ccardclock *clock, uint32_t rate);
/// Takes a reading: at a moment between these two, in nanoseconds, the card had played so many frames. One that all others
/// exclude begins a new course.
void ccardclock_add(ccardclock *clock, int64_t played, int64_t from, int64_t until);
/// Whether the steps are known, and so the line.
bool ccardclock_is_known(const ccardclock *clock);
/// The steps of the position, in nanoseconds.
double ccardclock_step(const ccardclock *clock);
/// When a frame leaves the card, in nanoseconds.
double ccardclock_moment(const ccardclock *clock, double frame);
/// How far the moment may be from the truth for a frame next to the newest reading's, in nanoseconds.
double ccardclock_uncertainty(const ccardclock *clock);
/// Whether a reading contradicts those before it, as after a restart of the card.
bool ccardclock_excludes(const ccardclock *clock, int64_t played, int64_t from, int64_t until);

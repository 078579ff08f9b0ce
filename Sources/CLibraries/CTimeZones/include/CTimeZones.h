#pragma once
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A time zone of the system's IANA database, or null for a name that it does not hold. cctz is C++ and reads the files
/// once a process.
const void *ctimezones_open(const char *name);

void ctimezones_close(const void *zone);

/// How many seconds east of UTC the zone's clocks are at that many seconds after 1970.
int32_t ctimezones_offset(const void *zone, int64_t seconds);

/// The instant (seconds after 1970) at which the zone's clocks show the time that they show at `seconds`, that many months
/// and days later. A day that the month does not have becomes its last; a time that the clocks skip is counted from the
/// clocks before the change; of a time that they show twice it is the first.
int64_t ctimezones_advance(const void *zone, int64_t seconds, int64_t months, int64_t days);

/// The first instant of the day in which `seconds` lies.
int64_t ctimezones_start_of_day(const void *zone, int64_t seconds);

#ifdef __cplusplus
}
#endif

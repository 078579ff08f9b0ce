#include "CTimeZones.h"

#include <algorithm>
#include <cctz/civil_time.h>
#include <cctz/time_zone.h>
#include <chrono>

namespace {

using Instant = cctz::time_point<cctz::seconds>;

const cctz::time_zone &zone_of(const void *zone) { return *static_cast<const cctz::time_zone *>(zone); }

Instant instant(int64_t seconds) { return Instant(cctz::seconds(seconds)); }

int64_t seconds(Instant instant) { return instant.time_since_epoch().count(); }

} // namespace

const void *ctimezones_open(const char *name) {
  cctz::time_zone zone;
  return cctz::load_time_zone(name, &zone) ? new cctz::time_zone(zone) : nullptr;
}

void ctimezones_close(const void *zone) { delete static_cast<const cctz::time_zone *>(zone); }

int32_t ctimezones_offset(const void *zone, int64_t seconds) { return zone_of(zone).lookup(instant(seconds)).offset; }

int64_t ctimezones_advance(const void *zone, int64_t start, int64_t months, int64_t days) {
  if (months == 0 && days == 0) return start;
  const cctz::civil_second civil = zone_of(zone).lookup(instant(start)).cs;
  const cctz::civil_month month = cctz::civil_month(civil) + months;
  const int length = static_cast<int>(cctz::civil_day(month + 1) - cctz::civil_day(month));
  const cctz::civil_day day =
      cctz::civil_day(month.year(), month.month(), std::min(civil.day(), length)) + days;
  const cctz::civil_second target(day.year(), day.month(), day.day(), civil.hour(), civil.minute(), civil.second());
  return seconds(zone_of(zone).lookup(target).pre);
}

int64_t ctimezones_start_of_day(const void *zone, int64_t start) {
  const cctz::civil_day day(zone_of(zone).lookup(instant(start)).cs);
  const auto found = zone_of(zone).lookup(cctz::civil_second(day));
  return seconds(found.kind == cctz::time_zone::civil_lookup::SKIPPED ? found.trans : found.pre);
}

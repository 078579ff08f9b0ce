#include "Functions.h"
#include "shim.h"
#include <stdlib.h>

struct cpipewire_functions cpipewire;

static const char *start(void) {
  cpipewire.pw_init(0, 0);
  // It would write warnings to the terminal, such as that real-time scheduling is not allowed.
  if (!getenv("PIPEWIRE_DEBUG")) cpipewire.pw_log_set_level(SPA_LOG_LEVEL_NONE);
  return 0;
}

#define functions cpipewire
LAZY_LIBRARY("libpipewire-0.3.so.0", CPIPEWIRE_FUNCTIONS, start)

const char *cpipewire_open(void) { return lazy_open(); }

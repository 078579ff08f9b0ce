#include "Functions.h"
#include "shim.h"
#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct cpipewire_functions cpipewire;

static pthread_once_t once = PTHREAD_ONCE_INIT;
static char problem[512];

static void open_library(void) {
  void *library = dlopen("libpipewire-0.3.so.0", RTLD_NOW | RTLD_LOCAL);
  const char *missing = library ? 0 : dlerror();
#define CPIPEWIRE_LOAD(name) \
  if (library && !missing && !(*(void **)&cpipewire.name = dlsym(library, "pw_" #name))) missing = "pw_" #name;
  CPIPEWIRE_FUNCTIONS(CPIPEWIRE_LOAD)
#undef CPIPEWIRE_LOAD
  if (missing) {
    strncpy(problem, missing, sizeof problem - 1);
    return;
  }
  cpipewire.init(0, 0);
  // It would write warnings to the terminal, such as that real-time scheduling is not allowed.
  if (!getenv("PIPEWIRE_DEBUG")) cpipewire.log_set_level(SPA_LOG_LEVEL_NONE);
}

int cpipewire_open(char *reason, size_t size) {
  pthread_once(&once, open_library);
  if (!problem[0]) return 0;
  strncpy(reason, problem, size - 1);
  reason[size - 1] = 0;
  return -1;
}

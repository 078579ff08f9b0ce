#pragma once
#include <dlfcn.h>
#include <pthread.h>
#include <string.h>

// A library that is opened when a command needs it: linked, it and what it needs would slow every command, and would have
// to be installed for all of them.
//
//     #define FUNCTIONS(entry) entry(soxr_create) entry(soxr_delete)
//     LAZY_FUNCTIONS(FUNCTIONS)
//     LAZY_LIBRARY("libsoxr.so.0", FUNCTIONS, 0)
//
// makes the table `functions` of pointers with the types of the library's own header: `functions.soxr_delete(…)` calls the
// library. `lazy_open()` opens the library at its first call, from any thread, and returns NULL, or why that is not possible.
// The third argument is a function that starts the library, and returns NULL, or why that is not possible.
//
// What follows a name in an entry is for the owner of the list.

#define LAZY_MEMBER(name, ...) __typeof__(&name) name;

#define LAZY_FUNCTIONS(LIST) \
  static struct { \
    LIST(LAZY_MEMBER) \
  } functions;

#define LAZY_FIND(name, ...) \
  if (!problem && !(*(void **)&functions.name = dlsym(library, #name))) problem = "it has no " #name;

/// Fills the table; returns NULL, or which function is missing.
#define LAZY_SEARCH(LIST) \
  static const char *lazy_search(void *library) { \
    const char *problem = 0; \
    LIST(LAZY_FIND) \
    return problem; \
  }

#define LAZY_LIBRARY(FILE, LIST, START) \
  LAZY_SEARCH(LIST) \
  static const char *lazy_problem; \
  static void lazy_open_once(void) { \
    const char *(*const begin)(void) = START; \
    void *library = dlopen(FILE, RTLD_NOW | RTLD_LOCAL); \
    /* The loader overwrites its text with the next one. */ \
    lazy_problem = library ? lazy_search(library) : strdup(dlerror()); \
    if (!lazy_problem && begin) lazy_problem = begin(); \
  } \
  static const char *lazy_open(void) { \
    static pthread_once_t once = PTHREAD_ONCE_INIT; \
    pthread_once(&once, lazy_open_once); \
    return lazy_problem; \
  }

#include <dlfcn.h>
#include <pthread.h>
#include <string.h>

#include "shim.h"

// The library's own functions are called through pointers; the macros of its header that check types would call them by name.
#undef curl_easy_setopt
#undef curl_easy_getinfo

#define CCURL_FUNCTIONS(entry) \
  entry(global_init) \
  entry(easy_init) \
  entry(easy_cleanup) \
  entry(easy_reset) \
  entry(easy_perform) \
  entry(easy_strerror) \
  entry(easy_setopt) \
  entry(easy_getinfo) \
  entry(slist_append) \
  entry(slist_free_all)

static struct {
#define CCURL_MEMBER(name) __typeof__(&curl_##name) name;
  CCURL_FUNCTIONS(CCURL_MEMBER)
#undef CCURL_MEMBER
} functions;

static pthread_once_t once = PTHREAD_ONCE_INIT;
static char problem[512];

static void open_library(void) {
  void *library = dlopen("libcurl.so.4", RTLD_NOW | RTLD_LOCAL);
  const char *missing = library ? 0 : dlerror();
#define CCURL_LOAD(name) \
  if (library && !missing && !(*(void **)&functions.name = dlsym(library, "curl_" #name))) missing = "curl_" #name;
  CCURL_FUNCTIONS(CCURL_LOAD)
#undef CCURL_LOAD
  if (!missing && functions.global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK) missing = "libcurl did not start";
  if (missing) strncpy(problem, missing, sizeof problem - 1);
}

int ccurl_open(char *reason, size_t size) {
  pthread_once(&once, open_library);
  if (!problem[0]) return 0;
  strncpy(reason, problem, size - 1);
  reason[size - 1] = 0;
  return -1;
}

CURL *ccurl_new(void) { return functions.easy_init(); }
void ccurl_free(CURL *handle) { functions.easy_cleanup(handle); }
void ccurl_reset(CURL *handle) { functions.easy_reset(handle); }
const char *ccurl_meaning(CURLcode code) { return functions.easy_strerror(code); }

CURLcode ccurl_perform(CURL *handle, char *reason) {
  reason[0] = 0;
  functions.easy_setopt(handle, CURLOPT_ERRORBUFFER, reason);
  CURLcode code = functions.easy_perform(handle);
  functions.easy_setopt(handle, CURLOPT_ERRORBUFFER, (char *)0);
  return code;
}

CURLcode ccurl_set_number(CURL *handle, CURLoption option, long value) {
  return functions.easy_setopt(handle, option, value);
}
CURLcode ccurl_set_size(CURL *handle, CURLoption option, long long value) {
  return functions.easy_setopt(handle, option, (curl_off_t)value);
}
CURLcode ccurl_set_text(CURL *handle, CURLoption option, const char *value) {
  return functions.easy_setopt(handle, option, value);
}
CURLcode ccurl_set_list(CURL *handle, CURLoption option, struct curl_slist *value) {
  return functions.easy_setopt(handle, option, value);
}

/// Sets a callback and what it is called with.
static CURLcode set(CURL *handle, CURLoption option, void *function, CURLoption boxOption, void *box) {
  CURLcode code = functions.easy_setopt(handle, option, function);
  return code != CURLE_OK ? code : functions.easy_setopt(handle, boxOption, box);
}

CURLcode ccurl_set_reader(CURL *handle, size_t (*function)(char *, size_t, size_t, void *), void *box) {
  return set(handle, CURLOPT_READFUNCTION, (void *)function, CURLOPT_READDATA, box);
}
CURLcode ccurl_set_rewinder(CURL *handle, int (*function)(void *, curl_off_t, int), void *box) {
  return set(handle, CURLOPT_SEEKFUNCTION, (void *)function, CURLOPT_SEEKDATA, box);
}
CURLcode ccurl_set_writer(CURL *handle, size_t (*function)(char *, size_t, size_t, void *), void *box) {
  return set(handle, CURLOPT_WRITEFUNCTION, (void *)function, CURLOPT_WRITEDATA, box);
}
CURLcode ccurl_set_header_taker(CURL *handle, size_t (*function)(char *, size_t, size_t, void *), void *box) {
  return set(handle, CURLOPT_HEADERFUNCTION, (void *)function, CURLOPT_HEADERDATA, box);
}
CURLcode ccurl_set_progress(
  CURL *handle, int (*function)(void *, curl_off_t, curl_off_t, curl_off_t, curl_off_t), void *box) {
  return set(handle, CURLOPT_XFERINFOFUNCTION, (void *)function, CURLOPT_XFERINFODATA, box);
}

long ccurl_status(CURL *handle) {
  long status = 0;
  functions.easy_getinfo(handle, CURLINFO_RESPONSE_CODE, &status);
  return status;
}

struct curl_slist *ccurl_append(struct curl_slist *list, const char *text) {
  return functions.slist_append(list, text);
}
void ccurl_free_list(struct curl_slist *list) { functions.slist_free_all(list); }

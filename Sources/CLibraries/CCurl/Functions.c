#include "shim.h"
#include <lazy.h>

// The library's own functions are called through pointers; the macros of its header that check types would call them by name.
#undef curl_easy_setopt
#undef curl_easy_getinfo

#define CCURL_FUNCTIONS(entry) \
  entry(curl_global_init) \
  entry(curl_easy_init) \
  entry(curl_easy_cleanup) \
  entry(curl_easy_reset) \
  entry(curl_easy_perform) \
  entry(curl_easy_strerror) \
  entry(curl_easy_setopt) \
  entry(curl_easy_getinfo) \
  entry(curl_slist_append) \
  entry(curl_slist_free_all)

LAZY_FUNCTIONS(CCURL_FUNCTIONS)

static const char *start(void) {
  return functions.curl_global_init(CURL_GLOBAL_DEFAULT) == CURLE_OK ? 0 : "libcurl did not start";
}

LAZY_LIBRARY("libcurl.so.4", CCURL_FUNCTIONS, start)

const char *ccurl_open(void) { return lazy_open(); }

CURL *ccurl_new(void) { return functions.curl_easy_init(); }
void ccurl_free(CURL *handle) { functions.curl_easy_cleanup(handle); }
void ccurl_reset(CURL *handle) { functions.curl_easy_reset(handle); }
const char *ccurl_meaning(CURLcode code) { return functions.curl_easy_strerror(code); }

CURLcode ccurl_perform(CURL *handle, char *reason) {
  reason[0] = 0;
  functions.curl_easy_setopt(handle, CURLOPT_ERRORBUFFER, reason);
  CURLcode code = functions.curl_easy_perform(handle);
  functions.curl_easy_setopt(handle, CURLOPT_ERRORBUFFER, (char *)0);
  return code;
}

CURLcode ccurl_set_number(CURL *handle, CURLoption option, long value) {
  return functions.curl_easy_setopt(handle, option, value);
}
CURLcode ccurl_set_size(CURL *handle, CURLoption option, long long value) {
  return functions.curl_easy_setopt(handle, option, (curl_off_t)value);
}
CURLcode ccurl_set_text(CURL *handle, CURLoption option, const char *value) {
  return functions.curl_easy_setopt(handle, option, value);
}
CURLcode ccurl_set_list(CURL *handle, CURLoption option, struct curl_slist *value) {
  return functions.curl_easy_setopt(handle, option, value);
}

/// Sets a callback and what it is called with.
static CURLcode set(CURL *handle, CURLoption option, void *function, CURLoption boxOption, void *box) {
  CURLcode code = functions.curl_easy_setopt(handle, option, function);
  return code != CURLE_OK ? code : functions.curl_easy_setopt(handle, boxOption, box);
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
  functions.curl_easy_getinfo(handle, CURLINFO_RESPONSE_CODE, &status);
  return status;
}

struct curl_slist *ccurl_append(struct curl_slist *list, const char *text) {
  return functions.curl_slist_append(list, text);
}
void ccurl_free_list(struct curl_slist *list) { functions.curl_slist_free_all(list); }

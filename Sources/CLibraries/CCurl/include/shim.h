#pragma once
#include <curl/curl.h>
#include <stddef.h>

// libcurl as the station uses it: opened when the first bundle is sent, since it and what it needs (Kerberos, LDAP, SSH,
// HTTP/2) would slow every command. The functions below hand on to the library, whose own setters are variadic, which Swift
// cannot call.

/// Opens libcurl and finds every function that the station calls; NULL, or why that is not possible. Only the
/// first call does anything, from any thread; before it succeeds no other function of this header may be called.
const char *ccurl_open(void);

/// A handle for transfers one after the other, which keeps its connections; `NULL` without memory.
CURL *ccurl_new(void);
/// Ends a handle and its connections.
void ccurl_free(CURL *handle);
/// Forgets all options, and keeps the connections.
void ccurl_reset(CURL *handle);
/// Performs the transfer that the options describe; `reason` has room for CURL_ERROR_SIZE characters.
CURLcode ccurl_perform(CURL *handle, char *reason);
/// What a code means.
const char *ccurl_meaning(CURLcode code);

CURLcode ccurl_set_number(CURL *handle, CURLoption option, long value);
CURLcode ccurl_set_size(CURL *handle, CURLoption option, long long value);
CURLcode ccurl_set_text(CURL *handle, CURLoption option, const char *value);
CURLcode ccurl_set_list(CURL *handle, CURLoption option, struct curl_slist *value);
CURLcode ccurl_set_reader(CURL *handle, size_t (*function)(char *, size_t, size_t, void *), void *box);
CURLcode ccurl_set_rewinder(CURL *handle, int (*function)(void *, curl_off_t, int), void *box);
CURLcode ccurl_set_writer(CURL *handle, size_t (*function)(char *, size_t, size_t, void *), void *box);
CURLcode ccurl_set_header_taker(CURL *handle, size_t (*function)(char *, size_t, size_t, void *), void *box);
CURLcode ccurl_set_progress(
  CURL *handle, int (*function)(void *, curl_off_t, curl_off_t, curl_off_t, curl_off_t), void *box);

/// The status of the last answer; 0 if there was none.
long ccurl_status(CURL *handle);

struct curl_slist *ccurl_append(struct curl_slist *list, const char *text);
void ccurl_free_list(struct curl_slist *list);

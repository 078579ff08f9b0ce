// The functions of liblsl that the station calls, found when a stream is looked for: most stations do not have the library.
// Their declarations are ours, from the library's documentation.

#include "shim.h"
#include <dlfcn.h>
#include <pthread.h>
#include <stdint.h>
#include <string.h>

#define CLSL_FUNCTIONS(entry) \
  entry(int, library_version, (void)) \
  entry(double, local_clock, (void)) \
  entry(int, resolve_bypred, (clsl_info *, uint32_t, const char *, int32_t, double)) \
  entry(int, resolve_all, (clsl_info *, uint32_t, double)) \
  entry(clsl_info, create_streaminfo, (const char *, const char *, int32_t, double, int, const char *)) \
  entry(clsl_info, streaminfo_from_xml, (const char *)) \
  entry(void, destroy_streaminfo, (clsl_info)) \
  entry(const char *, get_name, (clsl_info)) \
  entry(const char *, get_type, (clsl_info)) \
  entry(const char *, get_source_id, (clsl_info)) \
  entry(const char *, get_hostname, (clsl_info)) \
  entry(const char *, get_uid, (clsl_info)) \
  entry(int32_t, get_channel_count, (clsl_info)) \
  entry(double, get_nominal_srate, (clsl_info)) \
  entry(int, get_channel_format, (clsl_info)) \
  entry(clsl_element, get_desc, (clsl_info)) \
  entry(clsl_element, child, (clsl_element, const char *)) \
  entry(clsl_element, next_sibling_n, (clsl_element, const char *)) \
  entry(int32_t, empty, (clsl_element)) \
  entry(const char *, child_value_n, (clsl_element, const char *)) \
  entry(clsl_element, append_child, (clsl_element, const char *)) \
  entry(clsl_element, append_child_value, (clsl_element, const char *, const char *)) \
  entry(clsl_inlet, create_inlet, (clsl_info, int32_t, int32_t, int32_t)) \
  entry(void, destroy_inlet, (clsl_inlet)) \
  entry(clsl_info, get_fullinfo, (clsl_inlet, double, int32_t *)) \
  entry(void, open_stream, (clsl_inlet, double, int32_t *)) \
  entry(double, time_correction_ex, (clsl_inlet, double *, double *, double, int32_t *)) \
  entry(unsigned long, pull_chunk_d, \
    (clsl_inlet, double *, double *, unsigned long, unsigned long, double, int32_t *)) \
  entry(uint32_t, samples_available, (clsl_inlet)) \
  entry(double, pull_sample_str, (clsl_inlet, char **, int32_t, double, int32_t *)) \
  entry(void, destroy_string, (char *)) \
  entry(clsl_outlet, create_outlet, (clsl_info, int32_t, int32_t)) \
  entry(void, destroy_outlet, (clsl_outlet)) \
  entry(int32_t, have_consumers, (clsl_outlet)) \
  entry(int32_t, push_sample_strtp, (clsl_outlet, const char **, double, int32_t)) \
  entry(int32_t, push_sample_dtp, (clsl_outlet, const double *, double, int32_t))

static struct {
#define CLSL_MEMBER(type, name, parameters) type(*name) parameters;
  CLSL_FUNCTIONS(CLSL_MEMBER)
#undef CLSL_MEMBER
} functions;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int is_open;

static const char *find_functions(void *library) {
  const char *missing = 0;
#define CLSL_LOAD(type, name, parameters) \
  if (!missing && !(*(void **)&functions.name = dlsym(library, "lsl_" #name))) missing = "it has no lsl_" #name;
  CLSL_FUNCTIONS(CLSL_LOAD)
#undef CLSL_LOAD
  return missing;
}

int clsl_open(const char *const *paths, char *reason, size_t size, const char *configuration) {
  pthread_mutex_lock(&lock);
  reason[0] = 0;
  for (; !is_open && *paths; paths++) {
    void *library = dlopen(*paths, RTLD_NOW | RTLD_LOCAL);
    const char *missing = library ? find_functions(library) : dlerror();
    if (!missing) {
      is_open = 1;
      // Of version 1.16 and later; before it is used for the first time.
      void (*configure)(const char *);
      *(void **)&configure = dlsym(library, "lsl_set_config_content");
      if (configure && configuration) configure(configuration);
    }
    // The first reason is that of the path that was given.
    if (missing && !reason[0]) strncat(reason, missing, size - 1);
    if (missing && library) dlclose(library);
  }
  int result = is_open ? 0 : -1;
  pthread_mutex_unlock(&lock);
  return result;
}

int clsl_version(void) { return functions.library_version(); }
double clsl_clock(void) { return functions.local_clock(); }
int clsl_resolve(clsl_info *found, int room, const char *predicate, int least, double seconds) {
  return functions.resolve_bypred(found, room, predicate, least, seconds);
}
int clsl_resolve_all(clsl_info *found, int room, double seconds) { return functions.resolve_all(found, room, seconds); }
clsl_info clsl_info_new(const char *name, const char *type, int channels, double rate, int format, const char *source) {
  return functions.create_streaminfo(name, type, channels, rate, format, source);
}
clsl_info clsl_info_read(const char *xml) { return functions.streaminfo_from_xml(xml); }
void clsl_info_free(clsl_info info) { functions.destroy_streaminfo(info); }
const char *clsl_name(clsl_info info) { return functions.get_name(info); }
const char *clsl_type(clsl_info info) { return functions.get_type(info); }
const char *clsl_source(clsl_info info) { return functions.get_source_id(info); }
const char *clsl_host(clsl_info info) { return functions.get_hostname(info); }
const char *clsl_identifier(clsl_info info) { return functions.get_uid(info); }
int clsl_channels(clsl_info info) { return functions.get_channel_count(info); }
double clsl_rate(clsl_info info) { return functions.get_nominal_srate(info); }
int clsl_format(clsl_info info) { return functions.get_channel_format(info); }

clsl_element clsl_first_channel(clsl_info info) {
  return functions.child(functions.child(functions.get_desc(info), "channels"), "channel");
}
clsl_element clsl_next_channel(clsl_element channel) { return functions.next_sibling_n(channel, "channel"); }
int clsl_is_empty(clsl_element element) { return functions.empty(element); }
const char *clsl_text(clsl_element element, const char *member) { return functions.child_value_n(element, member); }

void clsl_add_channel(clsl_info info, const char *label, const char *type, const char *unit) {
  clsl_element channels = functions.child(functions.get_desc(info), "channels");
  if (functions.empty(channels)) channels = functions.append_child(functions.get_desc(info), "channels");
  clsl_element channel = functions.append_child(channels, "channel");
  functions.append_child_value(channel, "label", label);
  functions.append_child_value(channel, "type", type);
  functions.append_child_value(channel, "unit", unit);
}

clsl_inlet clsl_inlet_new(clsl_info info, int seconds) { return functions.create_inlet(info, seconds, 0, 0); }
void clsl_inlet_free(clsl_inlet inlet) { functions.destroy_inlet(inlet); }
clsl_info clsl_full_info(clsl_inlet inlet, double seconds, int *error) {
  return functions.get_fullinfo(inlet, seconds, error);
}
void clsl_open_stream(clsl_inlet inlet, double seconds, int *error) { functions.open_stream(inlet, seconds, error); }
double clsl_correction(clsl_inlet inlet, double *uncertainty, double seconds, int *error) {
  double remote;
  return functions.time_correction_ex(inlet, &remote, uncertainty, seconds, error);
}
unsigned long clsl_pull(
  clsl_inlet inlet, double *values, double *times, unsigned long room, unsigned long frames, double seconds,
  int *error) {
  return functions.pull_chunk_d(inlet, values, times, room, frames, seconds, error);
}
unsigned int clsl_available(clsl_inlet inlet) { return functions.samples_available(inlet); }
double clsl_pull_texts(clsl_inlet inlet, char **texts, int channels, double seconds, int *error) {
  return functions.pull_sample_str(inlet, texts, channels, seconds, error);
}
void clsl_text_free(char *text) { functions.destroy_string(text); }

clsl_outlet clsl_outlet_new(clsl_info info) { return functions.create_outlet(info, 0, 360); }
void clsl_outlet_free(clsl_outlet outlet) { functions.destroy_outlet(outlet); }
int clsl_is_received(clsl_outlet outlet) { return functions.have_consumers(outlet); }
int clsl_push_text(clsl_outlet outlet, const char *text, double time) {
  return functions.push_sample_strtp(outlet, &text, time, 1);
}
int clsl_push(clsl_outlet outlet, const double *values, double time) {
  return functions.push_sample_dtp(outlet, values, time, 1);
}

#pragma once
#include <stddef.h>
#include <stdint.h>

/// Opens liblsl and finds every function that the station calls; 0, or −1 and the reason. `paths` are tried in order and end
/// with NULL; `configuration` is given to a library that can take it, unless it is NULL. Once it has succeeded it does
/// nothing; before that no other function here may be called.
int clsl_open(const char *const *paths, char *reason, size_t size, const char *configuration);

/// The library's version: 100 · major + minor.
int clsl_version(void);

/// A stream of the network, an end of one, and a part of a description: pointers into the library.
typedef struct clsl_info *clsl_info;
typedef struct clsl_inlet *clsl_inlet;
typedef struct clsl_outlet *clsl_outlet;
typedef struct clsl_element *clsl_element;

/// The formats of values.
static const int clsl_doubles = 2;
static const int clsl_strings = 3;

/// The errors of functions that wait.
static const int clsl_timed_out = -1;
static const int clsl_is_lost = -2;

/// Time on the library's clock, which is CLOCK_MONOTONIC, in seconds.
double clsl_clock(void);

/// Waits for so many streams that match a predicate; returns how many were found.
int clsl_resolve(clsl_info *found, int room, const char *predicate, int least, double seconds);

/// The streams that answer within a time; returns how many.
int clsl_resolve_all(clsl_info *found, int room, double seconds);

/// A stream to be offered, or one that an XML header describes; NULL where that cannot be.
clsl_info clsl_info_new(const char *name, const char *type, int channels, double rate, int format, const char *source);
clsl_info clsl_info_read(const char *xml);
void clsl_info_free(clsl_info);

const char *clsl_name(clsl_info);
const char *clsl_type(clsl_info);
const char *clsl_source(clsl_info);
const char *clsl_host(clsl_info);
const char *clsl_identifier(clsl_info);
int clsl_channels(clsl_info);
double clsl_rate(clsl_info);
int clsl_format(clsl_info);

/// The first channel of the description, the one after it, and the text of a member of it. The library reads the XML.
clsl_element clsl_first_channel(clsl_info);
clsl_element clsl_next_channel(clsl_element channel);
int clsl_is_empty(clsl_element);
const char *clsl_text(clsl_element, const char *member);

/// Adds a channel to the description of a stream that is to be offered.
void clsl_add_channel(clsl_info, const char *label, const char *type, const char *unit);

/// An inlet that reports a lost stream instead of waiting for it to return; NULL where it cannot be made.
clsl_inlet clsl_inlet_new(clsl_info, int seconds);
void clsl_inlet_free(clsl_inlet);

/// The whole description, which the caller frees; NULL and an error.
clsl_info clsl_full_info(clsl_inlet, double seconds, int *error);
void clsl_open_stream(clsl_inlet, double seconds, int *error);

/// What is added to the sender's times to get times of this computer, and how far that may be off, in seconds; the library
/// measures it every few seconds.
double clsl_correction(clsl_inlet, double *uncertainty, double seconds, int *error);

/// Takes values, and waits until all that there is room for have come; returns how many, all channels counted.
unsigned long clsl_pull(clsl_inlet, double *values, double *times, unsigned long room, unsigned long frames,
  double seconds, int *error);

/// How many samples wait to be taken.
unsigned int clsl_available(clsl_inlet);

/// Takes one sample of texts, each of which the caller frees with `clsl_text_free`; 0 where none came.
double clsl_pull_texts(clsl_inlet, char **texts, int channels, double seconds, int *error);
void clsl_text_free(char *);

/// The end that sends; NULL where it cannot be made.
clsl_outlet clsl_outlet_new(clsl_info);
void clsl_outlet_free(clsl_outlet);

/// Whether any inlet receives the stream now.
int clsl_is_received(clsl_outlet);

/// Sends a sample with the time to which it belongs; 0, or an error.
int clsl_push_text(clsl_outlet, const char *text, double time);
int clsl_push(clsl_outlet, const double *values, double time);

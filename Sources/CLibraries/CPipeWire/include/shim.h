#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// What the station uses of PipeWire. The library's own interface is made of macros, inline functions and tables of functions,
// which Swift cannot call, so the calls are made in C: Graph.c speaks to the server, Engine.c works on the real-time thread.

/// Opens libpipewire and finds every function that the station calls; NULL, or why that is not possible. Only the
/// first call does anything, from any thread; before it succeeds no function of Graph.c may be called.
const char *cpipewire_open(void);

// MARK: The engine, which plays a stimulus cycle by cycle

/// One cycle of the graph, as its driver's clock describes it.
typedef struct {
  /// When the cycle begins, in nanoseconds of CLOCK_MONOTONIC.
  int64_t nsec;
  /// The number of its first frame; it goes on by `duration` from cycle to cycle.
  int64_t position;
  /// The frames of the cycle.
  int64_t duration;
  /// Frames in the card's buffer before this cycle, in frames of the card.
  int64_t delay;
  /// Frames per second.
  uint32_t rate;
  /// The driver's identifier.
  uint32_t driver;
  /// When the cycle's work began here.
  int64_t now;
} cpipewire_cycle;

/// What an engine reports.
enum {
  /// The first frame is on the graph; `moment` is when it leaves the sink.
  cpipewire_started = 1,
  /// The last frame is on the graph; `moment` is when the sound ends, `frames` what was played.
  cpipewire_ended,
  /// From `moment` on, `frames` of the stimulus were not played.
  cpipewire_lost,
  /// What follows leaves the sink later than before by `moment` nanoseconds.
  cpipewire_shifted,
  /// Another driver runs the graph: `frames` is its identifier.
  cpipewire_driver_changed,
  /// The graph runs at another rate, `frames`, so that the stimulus cannot go on.
  cpipewire_rate_changed,
};

typedef struct {
  int kind;
  int64_t moment;
  int64_t uncertainty;
  int64_t frames;
} cpipewire_event;

/// What the last cycle was like.
typedef struct {
  /// The cycles since the last disturbance of the clock.
  int64_t steady;
  /// When the last cycle's work was done.
  int64_t finished;
  int64_t duration;
  uint32_t rate;
  uint32_t driver;
  /// The delay of the card's buffer in nanoseconds.
  int64_t delay;
  /// The frames by which the card's position moves at once; 0 while that is not known.
  int64_t step;
  /// How often the course of the card's position began again, as after a restart of the card; 0 where the card has another rate
  /// than the graph, which hides its steps.
  int64_t starts;
} cpipewire_status;

typedef struct cpipewire_engine cpipewire_engine;

/// An engine with a buffer of so many frames, a power of two, for so many ports.
cpipewire_engine *cpipewire_engine_new(int ports, int64_t capacity);
void cpipewire_engine_free(cpipewire_engine *engine);

/// Says what the clock's numbers mean.
///
/// `card_rate` counts the frames of the delay, 0 where it is the graph's; `granularity` is the step of the card's position in
/// nanoseconds that is allowed for until it is measured, as it can be where the card drives the graph (`is_driver`); where `is_card` is set, the position is read later than the clock says,
/// by what this thread is late at most; a clock that deviates from its course by more than `tolerance` nanoseconds has shifted.
void cpipewire_engine_tune(
  cpipewire_engine *engine, uint32_t card_rate, int64_t granularity, bool is_card, bool is_driver,
  int64_t tolerance);

/// Begins with a stimulus of so many frames at this rate, due at this moment; only while nothing plays. Its first frames are
/// written between this and `cpipewire_engine_start`.
bool cpipewire_engine_load(cpipewire_engine *engine, int64_t due, int64_t frames, uint32_t rate);
/// The frames that can be written now.
int64_t cpipewire_engine_room(cpipewire_engine *engine);
/// Writes frames, interleaved; at most as many as there is room for.
void cpipewire_engine_write(cpipewire_engine *engine, const float *samples, int64_t frames);
/// Lets the loaded stimulus sound when it is due.
void cpipewire_engine_start(cpipewire_engine *engine);
/// Says how many frames there are, where that was not known when the stimulus was loaded.
void cpipewire_engine_limit(cpipewire_engine *engine, int64_t frames);
/// Ends the stimulus with a ramp to silence over so many frames, as soon as possible.
void cpipewire_engine_stop(cpipewire_engine *engine, int64_t fade);
/// Whether a stimulus is loaded and not over.
bool cpipewire_engine_is_busy(cpipewire_engine *engine);
/// Takes the next event; false where there is none.
bool cpipewire_engine_next(cpipewire_engine *engine, cpipewire_event *event);
cpipewire_status cpipewire_engine_status(cpipewire_engine *engine);

/// Fills a cycle, a plane of samples for each port (NULL where a port has no buffer); runs on the real-time thread: no
/// allocation, no lock, no system call. Returns whether there are events.
bool cpipewire_engine_cycle(cpipewire_engine *engine, const cpipewire_cycle *cycle, float *const *planes);
/// Says when the work for the cycle was done: too late, and the graph went on without it.
void cpipewire_engine_finish(cpipewire_engine *engine, int64_t now);

// MARK: Capture, which keeps what a source delivers

typedef struct cpipewire_capture cpipewire_capture;

/// A capture with a buffer of so many frames for so many ports.
cpipewire_capture *cpipewire_capture_new(int ports, int64_t capacity);
void cpipewire_capture_free(cpipewire_capture *capture);
/// Keeps the samples of a cycle, a plane for each port (NULL is silence); runs on the real-time thread.
void cpipewire_capture_cycle(cpipewire_capture *capture, const cpipewire_cycle *cycle, float *const *planes);
/// The next block's cycle; false where there is none.
bool cpipewire_capture_next(cpipewire_capture *capture, cpipewire_cycle *cycle);
/// Takes the samples of that block, interleaved; there is room for all of its frames.
void cpipewire_capture_take(cpipewire_capture *capture, float *samples);

// MARK: The graph

/// What the server says, by kind; a message is valid during the call.
enum {
  /// The server's version: the property `core.version`.
  cpipewire_server = 1,
  /// A node, port, link or client with its properties; again when more of them are known.
  cpipewire_node,
  cpipewire_port,
  cpipewire_link_made,
  /// Whether a link of ours passes sound on: `number` is 1.
  cpipewire_link_state,
  cpipewire_client,
  /// An object is gone.
  cpipewire_removed,
  /// The default sink changed: the text is JSON.
  cpipewire_default_sink,
  /// The same of the default source.
  cpipewire_default_source,
  /// A node's volume: `values` are linear factors, `number` is 1 where it is muted, −1 where that is not said.
  cpipewire_volume,
  /// A node's rate in `number`.
  cpipewire_node_rate,
  /// What the user says a node's latency is beyond what its driver knows, in nanoseconds.
  cpipewire_latency_offset,
  /// A port's latency: `values` are the most quantums, frames and nanoseconds; `number` is 1 for that towards the sinks.
  cpipewire_port_latency,
  /// An object's error, or, with `id` 0, the connection's.
  cpipewire_error,
  /// The answer to `cpipewire_graph_sync`, whose result is `number`.
  cpipewire_done,
  /// The filter's state in `number`: −1 error, 0 unconnected, 1 connecting, 2 paused, 3 streaming.
  cpipewire_filter_state,
  /// Time has passed, or the engine has events.
  cpipewire_tick,
};

typedef struct {
  int kind;
  uint32_t id;
  int64_t number;
  const char *text;
  const float *values;
  uint32_t count;
  /// For `cpipewire_property`.
  const void *properties;
} cpipewire_message;

/// A property of a message; NULL where it has none of that name.
const char *cpipewire_property(const cpipewire_message *message, const char *name);

typedef struct cpipewire_graph cpipewire_graph;

/// What is known of a graph's clock: frames per second, and per cycle.
typedef struct {
  uint32_t rate;
  int64_t duration;
} cpipewire_clock;

/// Called on the connection's own thread with its lock held.
typedef void (*cpipewire_listener)(const cpipewire_message *message, void *box);

/// Connects to a server, by its socket's name or path, or the user's own where that is NULL; NULL with `errno` where none
/// answers. It begins to listen with `cpipewire_graph_listen`.
cpipewire_graph *cpipewire_graph_connect(const char *remote);
/// Begins to listen, on a thread of its own; 0, or a negative error.
int cpipewire_graph_listen(cpipewire_graph *graph, cpipewire_listener listener, void *box);
/// Ends the connection with its thread and filter, before the engine is freed.
void cpipewire_graph_close(cpipewire_graph *graph);
void cpipewire_graph_lock(cpipewire_graph *graph);
void cpipewire_graph_unlock(cpipewire_graph *graph);
// The rest is called with the lock held.

/// Asks for an answer to everything before; the number comes back with it.
int cpipewire_graph_sync(cpipewire_graph *graph);
/// Makes the filter that plays for the engine, with an output port for each channel name, and asks for short cycles where
/// the latency has to be low; 0, or a negative error.
int cpipewire_graph_play(
  cpipewire_graph *graph, cpipewire_engine *engine, const char *const *channels, int count, bool is_low_latency);
/// Makes the filter that records for the capture, with an input port for each channel name; 0, or a negative error.
int cpipewire_graph_record(cpipewire_graph *graph, cpipewire_capture *capture, const char *const *channels, int count);
/// Listens to a port, whose latency is told.
void cpipewire_graph_watch_port(cpipewire_graph *graph, uint32_t port);
/// Makes the graph's cycles so long while the filter is linked, in frames; 0 leaves them as they are.
void cpipewire_graph_force_quantum(cpipewire_graph *graph, int frames);
/// The filter's node; UINT32_MAX while the server has not made it.
uint32_t cpipewire_graph_filter(cpipewire_graph *graph);
/// The clock of the graph that the filter is part of, before its first cycle too; zeros where that is not known.
cpipewire_clock cpipewire_graph_clock(cpipewire_graph *graph);
/// Links two ports while the connection lasts, whose state is told; 0, or a negative error.
int cpipewire_graph_link(cpipewire_graph *graph, uint32_t output, uint32_t input);
/// Sends `cpipewire_tick` at this interval in nanoseconds; 0 ends it.
void cpipewire_graph_tick(cpipewire_graph *graph, int64_t interval);

import CPulse
import CSystem
import Glibc
import Synchronization

/// A connection to a sound server, with PulseAudio's own thread.
///
/// That thread makes no callback while another thread is inside ``locked(_:)``. The last reference to the connection
/// must not be released on that thread: it cannot wait for its own end.
@safe final class PulseConnection: Sendable {
  /// PulseAudio's thread and its lock.
  nonisolated(unsafe) private let loop: OpaquePointer  // thread-safe by design
  /// PulseAudio's context; used inside ``locked(_:)`` or on PulseAudio's thread.
  nonisolated(unsafe) let context: OpaquePointer
  /// The server's name for messages.
  let name: String
  /// The streams that are notified of changes.
  let listeners = StreamListeners()
  /// An event counter for threads that must not wait for PulseAudio's thread, and the loop's watch on it.
  private let bell: Int32
  nonisolated(unsafe) private let watch: OpaquePointer?  // used with PulseAudio's lock held

  /// Connects to a running server; never starts one.
  init(to server: String? = nil) async throws {
    try PulseLibrary.open()
    let name = server.map { "PulseAudio at “\($0)”" } ?? "PulseAudio"
    let bell = csystem_alarm_open()
    guard bell >= 0, let loop = unsafe pa_threaded_mainloop_new() else {
      if bell >= 0 { close(bell) }
      throw SoundServerError(action: "connect to \(name)", reason: "no memory or no descriptor for its thread")
    }
    guard let context = unsafe pa_context_new(pa_threaded_mainloop_get_api(loop), "station") else {
      unsafe pa_threaded_mainloop_free(loop)
      close(bell)
      throw SoundServerError(action: "connect to \(name)", reason: "no memory for the connection")
    }
    self.name = name
    unsafe self.loop = loop
    unsafe self.context = context
    self.bell = bell
    let listening = unsafe Unmanaged.passUnretained(listeners).toOpaque()
    unsafe watch = cpulse_watch(pa_threaded_mainloop_get_api(loop), bell, bellRang, listening)
    unsafe pa_context_set_subscribe_callback(context, outputChanged, listening)
    unsafe pa_threaded_mainloop_start(loop)
    try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
      let ready = Retained(Opening(Once(continuation), name: name))
      locked {
        unsafe pa_context_set_state_callback(context, contextChanged, ready.pointer)
        let result = unsafe pa_context_connect(context, server, PA_CONTEXT_NOAUTOSPAWN, nil)
        // Some failures arrive as a state change, and some do not.
        if result < 0, unsafe pa_context_get_state(context) != PA_CONTEXT_FAILED {
          // If it failed after its first steps, the callback has already run and released the object.
          if unsafe pa_context_get_state(context) == PA_CONTEXT_UNCONNECTED { ready.release() }
          unsafe pa_context_set_state_callback(context, nil, nil)
          ready.object.fail(code: unsafe pa_context_errno(context))
        }
      }
    }
    try locked { try subscribe() }
  }

  private func subscribe() throws {
    let mask = PA_SUBSCRIPTION_MASK_SINK.rawValue | PA_SUBSCRIPTION_MASK_SINK_INPUT.rawValue
    guard let operation = unsafe pa_context_subscribe(context, pa_subscription_mask_t(rawValue: mask), nil, nil) else {
      throw lastError("hear of changes of the volume")
    }
    unsafe pa_operation_unref(operation)
  }

  deinit {
    locked {
      unsafe pa_context_disconnect(context)
      if let api = unsafe api, let watch = unsafe watch { unsafe cpulse_unwatch(api, watch) }
    }
    unsafe pa_threaded_mainloop_stop(loop)
    unsafe pa_context_unref(context)
    unsafe pa_threaded_mainloop_free(loop)
    close(bell)
  }

  /// Makes the streams look for abandoned requests soon; takes no lock and does not wait.
  ///
  /// A task's cancellation handler may do no more: it runs with the task's own lock held, which PulseAudio's thread
  /// needs to resume that task.
  func ring() { csystem_alarm_ring(bell) }

  /// Runs `body` with PulseAudio's lock held; it never suspends, so it cannot be `async`.
  func locked<Value: ~Copyable, Failure: Error>(_ body: () throws(Failure) -> Value) throws(Failure) -> Value {
    unsafe pa_threaded_mainloop_lock(loop)
    defer { unsafe pa_threaded_mainloop_unlock(loop) }
    return try body()
  }

  var api: UnsafeMutablePointer<pa_mainloop_api>? { unsafe pa_threaded_mainloop_get_api(loop) }

  /// Whether the server still answers.
  var isOpen: Bool { locked { unsafe pa_context_get_state(context) == PA_CONTEXT_READY } }

  func lastError(_ action: String) -> SoundServerError {
    SoundServerError(action: action, code: unsafe pa_context_errno(context))
  }
}

/// The wait for a connection to open.
private final class Opening: Sendable {
  private let ready: Once<Void>
  private let name: String

  init(_ ready: Once<Void>, name: String) {
    self.ready = ready
    self.name = name
  }

  func finish() { ready.finish(.success(())) }

  func fail(code: Int32) {
    ready.finish(
      .failure(
        SoundServerError(
          action: "connect to \(name)", code: code,
          advice: "start PipeWire or PulseAudio, or rehearse with --speaker silent",
          isUnreachable: true)))
  }
}

/// An object that C retains once, until it is released explicitly.
@safe struct Retained<Object: AnyObject> {
  let object: Object

  init(_ object: Object) {
    self.object = object
    unsafe _ = Unmanaged.passRetained(object)
  }

  var pointer: UnsafeMutableRawPointer { unsafe Unmanaged.passUnretained(object).toOpaque() }

  func release() { Self.release(object) }

  /// Balances the one retain.
  static func release(_ object: Object) { unsafe Unmanaged.passUnretained(object).release() }

  /// The object behind C's pointer, still retained by C.
  static func object(_ pointer: UnsafeMutableRawPointer?) -> Object {
    guard let pointer = unsafe pointer else { preconditionFailure("PulseAudio gave no object back") }
    return unsafe Unmanaged<Object>.fromOpaque(pointer).takeUnretainedValue()
  }
}

private func bellRang(
  _ api: UnsafeMutablePointer<pa_mainloop_api>?, _ watch: OpaquePointer?, _ bell: Int32, _ events: pa_io_event_flags_t,
  _ pointer: UnsafeMutableRawPointer?
) {
  csystem_alarm_clear(bell)
  unsafe Retained<StreamListeners>.object(pointer).bellRang()
}

private func outputChanged(
  _ context: OpaquePointer?, _ event: pa_subscription_event_type_t, _ index: UInt32, _ pointer: UnsafeMutableRawPointer?
) {
  let facility = pa_subscription_event_type_t(
    rawValue: event.rawValue & PA_SUBSCRIPTION_EVENT_FACILITY_MASK.rawValue)
  unsafe Retained<StreamListeners>.object(pointer).changed(facility, index: index)
}

private func contextChanged(_ context: OpaquePointer?, _ pointer: UnsafeMutableRawPointer?) {
  let opening = unsafe Retained<Opening>.object(pointer)
  switch unsafe pa_context_get_state(context) {
  case PA_CONTEXT_READY: opening.finish()
  case PA_CONTEXT_FAILED, PA_CONTEXT_TERMINATED:
    opening.fail(code: unsafe pa_context_errno(context))
    // The last state of a context: C releases the object.
    unsafe pa_context_set_state_callback(context, nil, nil)
    Retained.release(opening)
  default: break
  }
}

/// The streams of a connection that are notified of external events: changes of sinks and streams, and abandoned
/// requests.
///
/// The connection retains this object; this object does not retain the streams.
final class StreamListeners: Sendable {
  private struct Listener: Sendable {
    weak let stream: HeldStream?
  }

  private let listeners = Mutex<[Listener]>([])

  func add(_ stream: HeldStream) {
    listeners.withLock { listeners in
      listeners.removeAll { $0.stream == nil }
      listeners.append(Listener(stream: stream))
    }
  }

  private var streams: [HeldStream] { listeners.withLock { $0.compactMap(\.stream) } }

  func changed(_ facility: pa_subscription_event_type_t, index: UInt32) {
    for stream in streams { stream.outputChanged(facility, index: index) }
  }

  /// Makes the streams look for abandoned requests.
  func bellRang() {
    for stream in streams { stream.dropAbandoned() }
  }
}

import CPulse
import Synchronization

/// The streams of a connection that hear what happens beside them: changes of sinks and streams, and requests that
/// were given up.
///
/// The connection holds it; the streams are not held.
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

  /// Something about a sink or a stream has changed.
  func changed(_ facility: pa_subscription_event_type_t, index: UInt32) {
    for stream in streams { stream.outputChanged(facility, index: index) }
  }

  /// Somebody may have given up a request.
  func bellRang() {
    for stream in streams { stream.dropAbandoned() }
  }
}

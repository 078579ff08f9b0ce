import CPulse
import Synchronization

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

  /// Forwards a change of a sink or a stream.
  func changed(_ facility: pa_subscription_event_type_t, index: UInt32) {
    for stream in streams { stream.outputChanged(facility, index: index) }
  }

  /// Makes the streams look for abandoned requests.
  func bellRang() {
    for stream in streams { stream.dropAbandoned() }
  }
}

/// The playback of a stimulus on a held stream.
final class PulsePlayback: Playback {
  let events: AsyncStream<PlaybackEvent>
  private let stream: HeldStream
  private let connection: PulseConnection

  init(_ events: AsyncStream<PlaybackEvent>, on stream: HeldStream, of connection: PulseConnection) {
    self.events = events
    self.stream = stream
    self.connection = connection
  }

  func stop(fade: Duration) async {
    connection.locked { stream.stop(fade: fade) }
  }
}

package import Quantities
import Study

/// What records from a source of a sound server: a microphone, or the monitor of a sink.
package protocol Capture: Sendable {
  var description: CaptureDescription { get }

  /// Ends the recording; the listener hears nothing after that.
  func close()
}

/// A source that is recorded.
package struct CaptureDescription: Hashable, Sendable {
  /// The server and its version.
  package var server: String
  package var source: String
  /// Whether it hears what a sink was given, and not a room.
  package var isMonitor: Bool
  /// Frames per second.
  package var rate: Int
  package var channels: Int
  /// The delay from the air to the server, by the server; the times of blocks take it into account.
  package var inputLatency: Duration

  init(
    server: String, source: String, isMonitor: Bool, rate: Int, channels: Int, inputLatency: Duration = .zero
  ) {
    self.server = server
    self.source = source
    self.isMonitor = isMonitor
    self.rate = rate
    self.channels = channels
    self.inputLatency = inputLatency
  }
}

/// What a source delivers.
package enum CaptureEvent: Hashable, Sendable {
  /// Frames that follow each other.
  case block(CapturedBlock)
  /// The source is lost: nothing comes after this.
  case failed(reason: String)
}

/// Frames that a source delivered together.
package struct CapturedBlock: Hashable, Sendable {
  /// The number of the first frame; it goes on by the frames of each block, unless some were lost.
  package var frame: Int
  /// When the first frame was in the air, as far as the server knows.
  package var start: Moment
  /// From −1 to 1, in the order of time.
  package var samples: [Float]
}

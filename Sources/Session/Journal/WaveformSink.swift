package import Bundles

/// Where the blocks of a waveform go.
package protocol WaveformSink: Sendable {
  /// Takes a block without waiting for the disk; its number, or `nil` if there is no room for it.
  @discardableResult
  func append(_ block: WaveformBlock) -> Int?

  /// How many frames found no room.
  var droppedFrames: Int { get }
}

extension WaveformWriter: WaveformSink {}

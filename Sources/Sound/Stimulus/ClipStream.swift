import Synchronization

/// The sound of a clip that is decoded while it is played, so that a long one begins as soon as a short one and takes no
/// more memory.
///
/// The frames that were decoded last are kept, for a sound server to which they must be written again.
final class ClipStream: Sendable {
  private struct State: ~Copyable, Sendable {
    var reader: ClipReader
    var samples: [Float] = []
    /// The first frame of ``samples``.
    var start = 0
    var end: Int?
    var failure: ClipError?
  }

  let format: SoundFormat
  private let state: Mutex<State>

  /// The number of samples that are kept: as many as ``HeldStream`` can have written ahead.
  private let kept: Int
  /// The number of frames that are decoded together.
  private static let piece = 8 * 1152

  /// Decodes what a reader has not read yet.
  init(_ reader: consuming ClipReader) {
    format = reader.format
    kept = 1 << 18 + 3 * format.sampleRate * format.channels
    var state = State(reader: reader)
    // Memory that is not written to is not taken.
    state.samples.reserveCapacity(kept + 9 * Self.piece * format.channels)
    self.state = Mutex(state)
  }

  /// The number of frames; `nil` until the end is decoded.
  var end: Int? { state.withLock { $0.end } }

  /// Why the sound ends before its clip; `nil` if it does not.
  var failure: ClipError? { state.withLock { $0.failure } }

  /// The samples of some frames, fewer beyond the end; of frames that are no longer kept there are none.
  func samples(_ frames: Range<Int>) -> ArraySlice<Float> {
    let channels = format.channels
    return state.withLock { state in
      while state.end == nil, state.start + state.samples.count / channels < frames.upperBound {
        if state.samples.count > kept + 8 * Self.piece * channels {
          let dropped = (state.samples.count - kept) / channels
          state.samples.removeFirst(dropped * channels)
          state.start += dropped
        }
        let count = state.samples.count
        do throws(ClipError) {
          _ = try state.reader.read(upTo: Self.piece, into: &state.samples)
        } catch {
          state.failure = error
        }
        if state.failure != nil || state.samples.count - count < Self.piece * channels {
          state.end = state.start + state.samples.count / channels
        }
      }
      guard frames.lowerBound >= state.start else { return [] }
      let from = min((frames.lowerBound - state.start) * channels, state.samples.count)
      return state.samples[from..<min(from + frames.count * channels, state.samples.count)]
    }
  }
}

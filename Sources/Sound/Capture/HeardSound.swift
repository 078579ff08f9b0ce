import Basics
import Quantities
import Synchronization

/// The last seconds of what a source delivered, in one channel.
package final class HeardSound: Sendable {
  private static let kept = Duration.seconds(20)

  private struct State: Sendable {
    var pieces: [Piece] = []
    var failure: String?
  }

  /// A block whose channels are mixed.
  private struct Piece: Sendable {
    let frame: Int
    let start: Moment
    let samples: [Float]
  }

  /// A part of the sound without a gap.
  struct Excerpt: Sendable {
    fileprivate(set) var samples: [Float] = []
    /// The starts of blocks, by the index of their first sample.
    fileprivate var starts: [(index: Int, moment: Moment)] = []
    fileprivate let rate: Int

    /// When a sample was delivered, by its index.
    func moment(of index: Double) -> Moment {
      guard let start = starts.last(where: { Double($0.index) <= index }) ?? starts.first else {
        return Moment(nanoseconds: 0)
      }
      return start.moment.advanced(by: .seconds((index - Double(start.index)) / Double(rate)))
    }

    /// The index of what was delivered at a moment, between two samples.
    func index(of moment: Moment) -> Double {
      guard let start = starts.last(where: { $0.moment <= moment }) ?? starts.first else { return 0 }
      return Double(start.index) + start.moment.duration(to: moment).seconds * Double(rate)
    }
  }

  private let state = Mutex(State())

  package init() {}

  package func take(_ event: CaptureEvent, channels: Int) {
    state.withLock { state in
      switch event {
      case .failed(let reason): state.failure = reason
      case .block(let block):
        let count = max(channels, 1)
        let mixed =
          count == 1
          ? block.samples
          : stride(from: 0, to: block.samples.count - count + 1, by: count).map { first in
            block.samples[first..<first + count].reduce(0, +) / Float(count)
          }
        state.pieces.append(Piece(frame: block.frame, start: block.start, samples: mixed))
        let first = state.pieces.firstIndex { $0.start.duration(to: block.start) < Self.kept } ?? 0
        state.pieces.removeFirst(first)
      }
    }
  }

  /// Why the source is lost; `nil` while it is not.
  private var failure: String? { state.withLock { $0.failure } }

  /// The excerpt of a time, once it was heard.
  ///
  /// What was in the air by the end arrives later by the latency of the source.
  ///
  /// - Returns: the excerpt; `nil` where frames are missing, or did not come within the patience.
  /// - Throws: `LoopbackFailure.lost` and `CancellationError`.
  func excerpt(from start: Moment, to end: Moment, rate: Int, patience: Duration) async throws -> Excerpt? {
    let clock = MonotonicClock()
    try await clock.sleep(until: end, tolerance: nil)
    let deadline = clock.now.advanced(by: patience)
    while clock.now < deadline, failure == nil {
      if let excerpt = excerpt(from: start, to: end, rate: rate) { return excerpt }
      try await clock.sleep(until: clock.now.advanced(by: .milliseconds(20)), tolerance: nil)
    }
    if let failure { throw LoopbackFailure.lost(reason: failure) }
    return nil
  }

  /// The blocks that begin in a time, and the one before them; `nil` if frames are missing between them, or none were heard.
  private func excerpt(from start: Moment, to end: Moment, rate: Int) -> Excerpt? {
    let pieces = state.withLock { $0.pieces }
    guard let last = pieces.lastIndex(where: { $0.start <= end }), last < pieces.count - 1 else { return nil }
    let first = pieces.lastIndex { $0.start <= start } ?? 0
    guard first <= last else { return nil }
    var excerpt = Excerpt(rate: rate)
    var next = pieces[first].frame
    for piece in pieces[first...last] {
      guard piece.frame == next else { return nil }
      next += piece.samples.count
      excerpt.starts.append((excerpt.samples.count, piece.start))
      excerpt.samples += piece.samples
    }
    return excerpt
  }
}

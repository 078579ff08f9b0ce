package import Basics

/// A run of heartbeats that were detected one by one.
package struct HeartbeatSeries: Hashable, Sendable {
  /// HealthKit's name of such series.
  package static let healthKitIdentifier = "HKDataTypeIdentifierHeartbeatSeries"

  /// One beat of a series.
  package struct Beat: Hashable, Sendable {
    /// When it came, counted from the start of its series; above zero.
    package var timeSinceStart: Duration

    /// Whether beats may have been missed between the one before and this one.
    package var isPrecededByGap: Bool

    /// A beat.
    package init(timeSinceStart: Duration, isPrecededByGap: Bool = false) {
      self.timeSinceStart = timeSinceStart
      self.isPrecededByGap = isPrecededByGap
    }
  }

  /// What tells it from every other sample.
  package let uuid: UUID
  /// The instant from which its beats are counted.
  package let start: WallTime
  /// Its beats, each after the one before.
  package let beats: [Beat]
  /// Who wrote it.
  package let sourceRevision: SourceRevision
  /// What it was measured with.
  package let device: Device?
  /// What else is known about it.
  package let metadata: Metadata

  /// A series.
  ///
  /// - Parameters:
  ///   - uuid: what tells it from every other sample.
  ///   - start: the instant from which its beats are counted.
  ///   - beats: its beats, each after the one before and all of them after the start, in whole nanoseconds; what is finer
  ///     is cut off.
  ///   - sourceRevision: who wrote it.
  ///   - device: what it was measured with.
  ///   - metadata: what else is known about it.
  /// - Throws: when a beat does not come after the one before it, and when the series lies in year 1 or after the year
  ///   4000.
  package init(
    uuid: UUID, start: WallTime, beats: [Beat], sourceRevision: SourceRevision, device: Device? = nil,
    metadata: Metadata = Metadata()
  ) throws(QuantityError) {
    // Stores keep whole nanoseconds: beats that would fall together there are refused here.
    let beats = beats.map { beat in
      Beat(
        timeSinceStart: .nanoseconds(beat.timeSinceStart.nanoseconds), isPrecededByGap: beat.isPrecededByGap)
    }
    var last = Duration.zero
    for (index, beat) in beats.enumerated() {
      guard beat.timeSinceStart > last else {
        let before = index == 0 ? "the series' start" : "the beat before it, at \(last.seconds) s"
        throw .beatOutOfOrder(
          index: index, reason: "is at \(beat.timeSinceStart.seconds) s, which is not after \(before)")
      }
      last = beat.timeSinceStart
    }
    try QuantitySample.check(start, start.advanced(by: last))
    self.uuid = uuid
    self.start = start
    self.beats = beats
    self.sourceRevision = sourceRevision
    self.device = device
    self.metadata = metadata
  }

  /// When its last beat came; its start when it has none.
  package var end: WallTime { start.advanced(by: beats.last?.timeSinceStart ?? .zero) }
}

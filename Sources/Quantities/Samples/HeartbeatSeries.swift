package import Basics

/// A series of individually detected heartbeats.
package struct HeartbeatSeries: Hashable, Sendable {
  /// HealthKit's identifier of such series.
  package static let healthKitIdentifier = "HKDataTypeIdentifierHeartbeatSeries"

  /// A beat of a series.
  package struct Beat: Hashable, Sendable {
    /// The time from the start of the series; positive.
    package var timeSinceStart: Duration

    /// Whether beats may be missing before this one.
    package var isPrecededByGap: Bool

    package init(timeSinceStart: Duration, isPrecededByGap: Bool = false) {
      self.timeSinceStart = timeSinceStart
      self.isPrecededByGap = isPrecededByGap
    }
  }

  /// The unique identifier.
  package let uuid: UUID
  /// The start, from which beat times count.
  package let start: WallTime
  /// The beats in ascending order.
  package let beats: [Beat]
  /// The source that wrote the series.
  package let sourceRevision: SourceRevision
  /// The measuring device.
  package let device: Device?
  /// Additional information.
  package let metadata: Metadata

  /// Creates a series.
  ///
  /// - Parameters:
  ///   - uuid: the unique identifier.
  ///   - start: the start, from which beat times count.
  ///   - beats: the beats in ascending order, all after the start; their times are truncated to whole nanoseconds.
  ///   - sourceRevision: the source that wrote the series.
  ///   - device: the measuring device.
  ///   - metadata: additional information.
  /// - Throws: an error if a beat does not follow the preceding one, or if the series lies in year 1 or after the year
  ///   4000.
  package init(
    uuid: UUID, start: WallTime, beats: [Beat], sourceRevision: SourceRevision, device: Device? = nil,
    metadata: Metadata = Metadata()
  ) throws(QuantityError) {
    // Stores keep whole nanoseconds: refuse beats that would coincide there.
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

  /// The time of the last beat; the start without beats.
  package var end: WallTime { start.advanced(by: beats.last?.timeSinceStart ?? .zero) }
}

package import Quantities

/// A recording during a step; the station determines its sensor.
package struct RecorderConfiguration: Hashable, Sendable {
  /// The recorder's identifier, unique in its protocol.
  package var identifier: String
  /// The quantity to record.
  package var quantityType: QuantityType
  /// The unit of the written values.
  package var unit: Unit
  /// How long after the step's end the recorder accepts samples whose time lies within the step.
  package var settle: Duration
  /// The participant's motion context, as the protocol declares it: the station does not measure it.
  package var motionContext: Metadata.MotionContext
  /// How long it records.
  package var scope = Scope.step
  /// The words at the ends of the scale of a continuous rating, by percent.
  package var anchors: [Int: String] = [:]

  /// How long a recorder records.
  package enum Scope: String, Sendable, CaseIterable, Codable {
    /// While its step is active.
    case step
    /// From the beginning of a trial to its end.
    case trial
    /// From the beginning of a session to its end, through all its trials.
    case session
  }

  /// Whether it records heart rates or RR intervals, which share a file of the bundle.
  package var isOfHeartbeats: Bool { QuantityType.ofHeartbeats.contains(quantityType) }

  /// The names of a bundle's own files, in lower case: what is recorded in a file of its own cannot have them.
  package static let reservedNames = ["heart", "result", "events", "journal", "protocol", "clip", "waveforms"]

  /// Whether a bundle can have a file of the recorder's name.
  package var namesFile: Bool {
    isOfHeartbeats
      || !Self.reservedNames.contains(identifier.lowercased()) && !identifier.contains("/")
        && !identifier.hasPrefix(".") && identifier.utf8.count <= 64
  }

  /// Creates a configuration.
  package init(
    identifier: String, quantityType: QuantityType, unit: Unit, settle: Duration = .seconds(3),
    motionContext: Metadata.MotionContext = .notSet
  ) {
    self.motionContext = motionContext
    self.identifier = identifier
    self.quantityType = quantityType
    self.unit = unit
    self.settle = settle
  }
}

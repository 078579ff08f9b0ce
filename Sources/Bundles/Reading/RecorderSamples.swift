internal import Digests
internal import Quantities

/// Makes the samples of one recorder's items.
struct RecorderSamples {
  /// Beats one after another, counted from the trial's zero.
  struct Chain {
    /// The number of the journal record with its first beat.
    let sequence: Int
    /// The beginning of its first interval.
    let start: Duration
    var beats: [(time: Duration, isPrecededByGap: Bool)] = []
    var isLate = false
  }

  let identifier: String
  private(set) var chains: [Chain] = []
  private let trial: String
  private let zero: WallTime
  private let type: QuantityType
  private let sourceRevision: SourceRevision
  private let device: Device?
  private let metadata: [String: Metadata.Value]
  // The journal record of the last item, and how many items it had before.
  private var last = (sequence: -1, count: 0)

  // A sensor's intervals are exact to about a millisecond each; where more is missing, a beat may be.
  private static let longestSlip = Duration.milliseconds(100)

  init(_ recording: JournalFields, of result: JournalFields, zero: WallTime) throws(FieldProblem) {
    let identifier = try recording.string("identifier")
    let name = try recording.string("quantityType")
    guard let type = QuantityType(name) else { throw FieldProblem(reason: "“\(name)” is no quantity type") }
    let sensor = try recording.object("sensor")
    let sensorName = try sensor.string("name")
    let station = try result.object("station")
    self.identifier = identifier
    self.type = type
    self.zero = zero
    trial = try result.string("trial")
    sourceRevision = SourceRevision(
      source: Source(name: sensorName, bundleIdentifier: "station.\(sensorName)"),
      version: try station.optionalString("version"), operatingSystemVersion: try station.optionalString("system"))
    device = try sensor.device()
    let clip = try recording.optionalObject("clip")
    let texts: [String: String?] = [
      BundleSamples.Key.trial: trial, BundleSamples.Key.recorder: identifier,
      Metadata.Key.participant: try result.object("participant").optionalString("id"),
      BundleSamples.Key.session: try result.optionalString("session"),
      BundleSamples.Key.clip: try clip?.optionalString("name"),
      BundleSamples.Key.clipSHA256: try clip?.optionalString("sha256"),
      Metadata.Key.timeZone: try station.optionalString("timeZone"),
    ]
    var metadata: [String: Metadata.Value] = texts.compactMapValues { $0.map { .string($0) } }
    metadata[Metadata.Key.heartRateSensorLocation] = try sensor.location().map { .number(Double($0.rawValue)) }
    let motion = try recording.motionContext()
    if motion != .notSet { metadata[Metadata.Key.heartRateMotionContext] = .number(Double(motion.rawValue)) }
    self.metadata = metadata
  }

  /// The sample of an item; its intervals join the beats before them.
  mutating func take(_ item: JournalFields) throws -> QuantitySample {
    let sequence = try item.count("seq")
    let end = try item.time("t_ns")
    let isLate = try item.optionalBool("late") ?? false
    let quantity = try Quantity(try item.number("value"), try Unit(try item.string("unit")))
    last = sequence == last.sequence ? (sequence, last.count + 1) : (sequence, 0)
    // An RR interval lasts as long as it is.
    let length = type == .rrInterval ? Duration(seconds: try quantity.value(in: .second)) : .zero
    let sample = try QuantitySample(
      uuid: uuid(type.identifier, sequence, last.count), type: type, quantity: quantity,
      start: zero.advanced(by: end - length), end: zero.advanced(by: end), sourceRevision: sourceRevision,
      device: device, metadata: try metadata(isLate: isLate, contact: try item.optionalBool("contact")))
    if item.members["rr_ms"] != nil {
      join(try item.numbers("rr_ms", in: Plausible.intervals), end, sequence, isLate)
    }
    return sample
  }

  private mutating func join(_ intervals: [Double], _ end: Duration, _ sequence: Int, _ isLate: Bool) {
    // An interval of no length is no beat.
    let lengths = intervals.map { Duration(milliseconds: $0) }.filter { $0 > .zero }
    var time = end - lengths.reduce(.zero, +)
    var isGap = false
    guard let first = lengths.first else { return }
    if let beat = chains.last?.beats.last?.time, time + first > beat {
      isGap = time - beat > Self.longestSlip
    } else {
      chains.append(Chain(sequence: sequence, start: time))
    }
    for length in lengths {
      time += length
      chains[chains.count - 1].beats.append((time, isGap))
      isGap = false
    }
    if isLate { chains[chains.count - 1].isLate = true }
  }

  /// The series of a chain.
  func series(_ chain: Chain) throws(QuantityError) -> HeartbeatSeries {
    try HeartbeatSeries(
      uuid: uuid("heartbeatSeries", chain.sequence, 0), start: zero.advanced(by: chain.start),
      beats: chain.beats.map { .init(timeSinceStart: $0.time - chain.start, isPrecededByGap: $0.isPrecededByGap) },
      sourceRevision: sourceRevision, device: device, metadata: try metadata(isLate: chain.isLate, contact: nil))
  }

  private func metadata(isLate: Bool, contact: Bool?) throws(QuantityError) -> Metadata {
    var values = metadata
    if isLate { values[BundleSamples.Key.late] = .bool(true) }
    if let contact { values[BundleSamples.Key.contact] = .bool(contact) }
    return try Metadata(values)
  }

  private func uuid(_ kind: String, _ sequence: Int, _ index: Int) -> UUID {
    let name = ["station-bundle/1", trial, identifier, kind, "\(sequence)", "\(index)"].joined(separator: "\u{0}")
    let words = SHA256.digest(of: Array(name.utf8)).words
    return UUID(derivedFrom: words.high, words.low)
  }
}

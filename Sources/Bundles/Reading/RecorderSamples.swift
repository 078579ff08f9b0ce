import Basics
import Quantities
import Recordings
import Study

/// Makes the samples of one recorder's items.
struct RecorderSamples {
  let identifier: String
  /// The name of its sensor.
  let sensor: String
  private let trial: String
  private let zero: WallTime
  private let type: QuantityType
  private let sourceRevision: SourceRevision
  private let device: Device?
  private let metadata: [String: Metadata.Value]
  // Metadata and units by what makes them differ: items by the million share them.
  private var metadataKept: [MetadataKey: Metadata] = [:]
  private var units: [Int: Unit] = [:]

  private struct MetadataKey: Hashable {
    let isLate: Bool
    let contact: Bool?
  }

  // The journal record of the last item, and how many items it had before.
  private var last = (sequence: -1, count: 0)

  // The journal records whose intervals it has, and whether they came late.
  private var sequences: [Int: Bool] = [:]

  init(_ recording: TrialRecord.Recording, of record: TrialRecord) {
    let (recorder, station) = (recording.recorder, record.station)
    identifier = recorder.identifier
    sensor = recorder.sensor.name
    type = recorder.configuration.quantityType
    zero = record.zero.wall
    trial = record.trial
    sourceRevision = SourceRevision(
      source: Source(name: sensor, bundleIdentifier: "station.\(sensor)"),
      version: station.version, operatingSystemVersion: station.system)
    device = recorder.sensor.device
    let texts: [String: String?] = [
      BundleSamples.Key.trial: trial, BundleSamples.Key.recorder: identifier,
      Metadata.Key.participant: record.participant, BundleSamples.Key.session: record.session,
      BundleSamples.Key.step: recorder.step, BundleSamples.Key.clip: recording.clip?.name,
      BundleSamples.Key.clipSHA256: recording.clip?.sha256, Metadata.Key.timeZone: station.timeZone,
    ]
    var metadata: [String: Metadata.Value] = texts.compactMapValues { $0.map { .string($0) } }
    metadata[Metadata.Key.heartRateSensorLocation] = recorder.sensor.location.map { .number(Double($0.rawValue)) }
    let motion = recorder.configuration.motionContext
    if motion != .notSet { metadata[Metadata.Key.heartRateMotionContext] = .number(Double(motion.rawValue)) }
    self.metadata = metadata
  }

  /// The sample of an item.
  ///
  /// - Parameters:
  ///   - item: the item.
  ///   - texts: the file's texts by their numbers.
  /// - Returns: the sample.
  /// - Throws: why it is none.
  mutating func take(_ item: HeartItem, _ texts: [String]) throws -> QuantitySample {
    let sequence = try Self.whole(item.sequence, .sequence, within: Plausible.counts)
    let end = Duration.nanoseconds(try Self.whole(item.time, .time, within: Plausible.nanoseconds))
    guard let value = item.value, let unit = item.unit else { throw FieldProblem(reason: "it has no value or no unit") }
    let quantity = try Quantity(value, try self.unit(unit, texts))
    if let interval = item.intervals.first(where: { !Plausible.intervals.contains($0) }) {
      throw FieldProblem(reason: "the interval \(interval) ms is impossible for a heart")
    }
    last = sequence == last.sequence ? (sequence, last.count + 1) : (sequence, 0)
    // An RR interval lasts as long as it is.
    let length = type == .rrInterval ? Duration(seconds: try quantity.value(in: .second)) : .zero
    let sample = try QuantitySample(
      uuid: uuid(type.identifier, sequence, last.count), type: type, quantity: quantity,
      start: zero.advanced(by: end - length), end: zero.advanced(by: end), sourceRevision: sourceRevision,
      device: device, metadata: try keptMetadata(MetadataKey(isLate: item.isLate, contact: item.contact)))
    if !item.intervals.isEmpty { sequences[sequence] = (sequences[sequence] ?? false) || item.isLate }
    return sample
  }

  private mutating func unit(_ text: Int, _ texts: [String]) throws(QuantityError) -> Unit {
    if let unit = units[text] { return unit }
    let unit = try Unit(texts[text])
    units[text] = unit
    return unit
  }

  private mutating func keptMetadata(_ key: MetadataKey) throws(QuantityError) -> Metadata {
    if let kept = metadataKept[key] { return kept }
    let made = try metadata(isLate: key.isLate, contact: key.contact)
    metadataKept[key] = made
    return made
  }

  private static func whole(
    _ number: Double?, _ key: HeartItem.Key, within range: ClosedRange<Int>
  ) throws(FieldProblem) -> Int {
    guard let number else { throw FieldProblem(reason: "it has no “\(key.name)”") }
    guard let whole = Int(exactly: number), range.contains(whole) else {
      throw FieldProblem(
        reason: "“\(key.name)” is \(number), and no whole number from \(range.lowerBound) to \(range.upperBound)")
    }
    return whole
  }

  /// The series of the beats that it has recorded; what would overlap begins another, and what would be too long.
  ///
  /// - Returns: the series, and how many of them only begin because the one before would have been too long.
  func series(of beats: SensorBeats) throws(QuantityError) -> (series: [HeartbeatSeries], continuations: Int) {
    let chains = [beats.counted, beats.overlapping].flatMap { self.chains($0, of: beats) }
    var series: [HeartbeatSeries] = []
    var counts: [Int: Int] = [:]
    for chain in chains where !chain.beats.isEmpty {
      let count = counts[chain.sequence, default: 0]
      counts[chain.sequence] = count + 1
      series.append(
        try HeartbeatSeries(
          uuid: uuid("heartbeatSeries", chain.sequence, count), start: zero.advanced(by: chain.start),
          beats: chain.beats, sourceRevision: sourceRevision, device: device,
          metadata: try metadata(isLate: chain.isLate, contact: nil)))
    }
    return (series, chains.count { $0.isContinuation })
  }

  private func chains(_ placed: [BeatPlacement.Beat], of beats: SensorBeats) -> [Chain] {
    var chains: [Chain] = []
    // Whether beats came in between that it has not recorded.
    var isInterrupted = false
    for beat in placed {
      guard let sequence = beats.reading(of: beat).sequence.flatMap({ Int(exactly: $0) }),
        let isLate = sequences[sequence]
      else {
        isInterrupted = true
        continue
      }
      let time = Duration(seconds: beat.end)
      let isTooLong = chains.last.map { !$0.hasRoom(until: time) } ?? false
      if chains.isEmpty || beat.joint == .overlaps || isTooLong {
        chains.append(
          Chain(
            sequence: sequence, start: time - Duration(milliseconds: beat.interval),
            isContinuation: isTooLong && beat.joint != .overlaps))
      }
      let place = chains.count - 1
      let hasGap = !chains[place].beats.isEmpty && (isInterrupted || beat.joint == .afterGap)
      chains[place].append(time, hasGap: hasGap, isLate: isLate)
      isInterrupted = false
    }
    return chains
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

/// The beats of a sensor, from all of its recorders, where an analysis places them.
struct SensorBeats {
  /// Those that an analysis counts, and those that it leaves out since they overlap others.
  let counted: [BeatPlacement.Beat]
  let overlapping: [BeatPlacement.Beat]
  private let readings: [RecordedReading]
  private let deliveries: [Int]

  init(_ readings: RecordedReadings) {
    var readings = readings
    readings.order()
    self.readings = readings.all
    deliveries = readings.beats
    (counted, overlapping) = readings.placement().series
  }

  /// The reading that a beat came with.
  func reading(of beat: BeatPlacement.Beat) -> RecordedReading { readings[deliveries[beat.delivery]] }
}

/// Beats one after another, counted from the trial's zero.
private struct Chain {
  /// The number of the journal record with its first beat.
  let sequence: Int
  /// The beginning of its first interval.
  let start: Duration
  /// Whether it begins because the one before would have been too long.
  let isContinuation: Bool
  private(set) var beats: [HeartbeatSeries.Beat] = []
  private(set) var isLate = false

  init(sequence: Int, start: Duration, isContinuation: Bool) {
    self.sequence = sequence
    self.start = start
    self.isContinuation = isContinuation
  }

  /// Whether a beat at that time belongs to the longest series that is kept.
  func hasRoom(until time: Duration) -> Bool {
    time - start <= Storable.maxSample && beats.count < Storable.maxBeats
  }

  mutating func append(_ time: Duration, hasGap: Bool, isLate: Bool) {
    let time = time - start
    // What is not a nanosecond later is no beat of its own.
    guard time > beats.last?.timeSinceStart ?? .zero else { return }
    beats.append(HeartbeatSeries.Beat(timeSinceStart: time, isPrecededByGap: hasGap))
    if isLate { self.isLate = true }
  }
}

internal import HeartFiles
internal import JSON
public import Quantities

/// The samples of a bundle as a store of samples keeps them.
///
/// Every item of a heart file is a quantity sample: a heart rate, or an RR interval where a recorder was told to record
/// those. The intervals that come along with heart rates are heartbeat series for each recorder, so that no beat is
/// counted twice as the same kind of sample: its sensor's beats where an analysis places them, with the same gaps, less
/// what came without contact with the skin. UUIDs follow from trial, recorder and journal record, so that a bundle goes
/// into a store once, however often it is added.
public struct BundleSamples: Hashable, Sendable {
  /// What the station says of a sample besides what HealthKit has a key for.
  public enum Key: Sendable {
    /// The trial's identifier.
    public static let trial = "station.trial"
    /// The recorder's identifier.
    public static let recorder = "station.recorder"
    /// The session's number or name.
    public static let session = "station.session"
    /// The name of the clip that was played meanwhile.
    public static let clip = "station.clip"
    /// The SHA-256 of that clip's file.
    public static let clipSHA256 = "station.clipSHA256"
    /// Whether it arrived after its recorder had stopped.
    public static let late = "station.late"
    /// Whether the sensor touched the skin.
    public static let contact = "station.contact"
  }

  /// The quantity samples, in the order of the heart file.
  public private(set) var samples: [QuantitySample] = []

  /// The heartbeat series, by recorder in the result's order.
  public private(set) var series: [HeartbeatSeries] = []

  /// Items that are no samples, and why: `item 12: …`, counted from 1.
  public private(set) var problems: [String] = []

  /// Reads the samples of a bundle's documents.
  ///
  /// - Parameters:
  ///   - result: the document `result.json`.
  ///   - heart: the text of `heart.json`.
  /// - Throws: ``FieldProblem`` where one of them is not such a document.
  init(result: JSONValue, heart: [UInt8]) throws(FieldProblem) {
    let trial = try JournalFields(result)
    let zero = try trial.object("clock").wall("zero")
    var recorders: [String: RecorderSamples] = [:]
    var order: [String] = []
    for recording in try trial.objects("recordings") {
      let recorder = try RecorderSamples(recording, of: trial, zero: zero)
      recorders[recorder.identifier] = recorder
      order.append(recorder.identifier)
    }
    // All that a sensor said, whoever has recorded it, is one stream of beats.
    var streams: [String: RecordedReadings] = [:]
    try Self.read(heart) { (item, number, reader) throws(FieldProblem) in
      guard item.isListed else { throw FieldProblem(reason: "it has no “items”") }
      do {
        let identifier = try reader.name(of: item)
        guard let sensor = recorders[identifier]?.sensor else {
          throw FieldProblem(reason: "its recorder “\(identifier)” is none of the result's")
        }
        let value = try reader.knownValue(of: item)
        if let sample = try recorders[identifier]?.take(item, reader.texts) { samples.append(sample) }
        let time = (reader.time(of: item) ?? 0) / 1e9
        switch value {
        case .rate(let rate): streams[sensor, default: RecordedReadings()].take(rate: rate, item, at: time)
        case .interval(let length): streams[sensor, default: RecordedReadings()].take(interval: length, item, at: time)
        case .none: break
        }
      } catch let error as FieldProblem {
        problems.append("item \(number): \(error.reason)")
      } catch {
        problems.append("item \(number): \(error)")
      }
    }
    let beats = streams.mapValues { SensorBeats($0) }
    for identifier in order {
      guard let recorder = recorders[identifier], let beats = beats[recorder.sensor] else { continue }
      do throws(QuantityError) {
        series += try recorder.series(of: beats)
      } catch {
        problems.append("the beats of “\(identifier)”: \(error)")
      }
    }
  }

  // So many bytes are read at once, of which few are held.
  private static let size = 1 << 16

  private static func read(
    _ heart: [UInt8], _ take: (HeartItem, _ number: Int, inout HeartFileReader) throws(FieldProblem) -> Void
  ) throws(FieldProblem) {
    guard heart.contains(where: { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }) else {
      throw FieldProblem(reason: "“\(BundleFile.heart)” is empty")
    }
    var reader = HeartFileReader()
    var number = 0
    for start in stride(from: 0, through: heart.count, by: size) {
      let items: [HeartItem]
      do throws(HeartFileReader.Fault) {
        let end = min(start + size, heart.count)
        items = try reader.take(Array(heart[start..<end]), isLast: start + size > heart.count)
      } catch {
        throw FieldProblem(reason: "“\(BundleFile.heart)”, line \(error.line): \(error.reason)")
      }
      for item in items {
        number += 1
        try take(item, number, &reader)
      }
    }
  }
}

extension HeartFileReader {
  /// The name of an item's recorder.
  fileprivate func name(of item: HeartItem) throws(FieldProblem) -> String {
    if let fault = item.fault { throw FieldProblem(reason: fault) }
    guard let recorder = item.recorder else { throw FieldProblem(reason: "it has no recorder") }
    return texts[recorder]
  }

  /// What an item says, where it says something of a heart.
  fileprivate mutating func knownValue(of item: HeartItem) throws(FieldProblem) -> HeartValue {
    let value = value(of: item)
    if case .none(let reason) = value { throw FieldProblem(reason: reason) }
    return value
  }
}

extension Bundle {
  /// The bundle's samples.
  ///
  /// - Throws: ``BundleError/unreadable(path:reason:)`` where the heart file cannot be read.
  public func readSamples() throws(BundleError) -> BundleSamples {
    do {
      return try BundleSamples(result: result, heart: try heart())
    } catch let error as FieldProblem {
      throw .unreadable(path: path, reason: error.reason)
    } catch {
      throw .unreadable(path: path, reason: "“\(BundleFile.heart)”: \(error)")
    }
  }
}

import HeartFiles
import JSON
import Quantities

/// Makes samples of a heart file's items while it is read, piece by piece.
///
/// Of what it has given it keeps the beats alone, since where a beat lies depends on all of them.
struct SampleExtraction {
  /// So many bytes are read at once, of which few are held.
  static let size = 1 << 16

  /// So many problems are worded; the others are counted.
  static let mostProblems = 1000

  private(set) var problems: [String] = []
  private(set) var problemCount = 0

  private var reader = HeartFileReader()
  private var recorders: [String: RecorderSamples] = [:]
  private var order: [String] = []
  // All that a sensor said, whoever has recorded it, is one stream of beats.
  private var streams: [String: RecordedReadings] = [:]
  // The last heart rate of each sensor that came without intervals: the item of another recorder may have them.
  private var waiting: [String: (rate: Double, item: HeartItem)] = [:]
  private var number = 0
  private var isBlank = true

  /// An extraction for the recorders of a result.
  init(of result: JSONValue) throws(FieldProblem) {
    let trial = try JournalFields(result)
    let zero = try trial.object("clock").wall("zero")
    for recording in try trial.objects("recordings") {
      let recorder = try RecorderSamples(recording, of: trial, zero: zero)
      recorders[recorder.identifier] = recorder
      order.append(recorder.identifier)
    }
  }

  /// Takes the next bytes of the heart file; the samples of the items that end in them.
  mutating func take(_ bytes: [UInt8], isLast: Bool) throws(FieldProblem) -> [QuantitySample] {
    if isBlank { isBlank = !bytes.contains { ![0x20, 0x09, 0x0A, 0x0D].contains($0) } }
    if isBlank, isLast { throw FieldProblem(reason: "“\(BundleFile.heart)” is empty") }
    let items: [HeartItem]
    do throws(HeartFileReader.Fault) {
      items = try reader.take(bytes, isLast: isLast)
    } catch {
      throw FieldProblem(reason: "“\(BundleFile.heart)”, line \(error.line): \(error.reason)")
    }
    var samples: [QuantitySample] = []
    samples.reserveCapacity(items.count)
    for item in items {
      number += 1
      guard item.isListed else { throw FieldProblem(reason: "it has no “items”") }
      do {
        if let sample = try self.sample(of: item) { samples.append(sample) }
      } catch let error as FieldProblem {
        note("item \(number): \(error.reason)")
      } catch {
        note("item \(number): \(error)")
      }
    }
    return samples
  }

  private mutating func note(_ problem: String) {
    problemCount += 1
    if problems.count < Self.mostProblems { problems.append(problem) }
  }

  private mutating func sample(of item: HeartItem) throws -> QuantitySample? {
    let identifier = try reader.name(of: item)
    guard let sensor = recorders[identifier]?.sensor else {
      throw FieldProblem(reason: "its recorder “\(identifier)” is none of the result's")
    }
    let value = try reader.knownValue(of: item)
    let sample = try recorders[identifier]?.take(item, reader.texts)
    let time = seconds(of: item)
    switch value {
    case .rate(let rate) where item.intervals.isEmpty: waiting[sensor] = (rate, item)
    case .rate(let rate): streams[sensor, default: RecordedReadings()].take(rate: rate, item, at: time)
    case .interval(let length):
      if let (rate, before) = waiting.removeValue(forKey: sensor), before.sequence == item.sequence {
        streams[sensor, default: RecordedReadings()].take(rate: rate, before, at: seconds(of: before))
      }
      streams[sensor, default: RecordedReadings()].take(interval: length, item, at: time)
    case .none: break
    }
    return sample
  }

  private mutating func seconds(of item: HeartItem) -> Double { (reader.time(of: item) ?? 0) / 1e9 }

  /// The heartbeat series, by recorder in the result's order, once everything was taken.
  mutating func series() -> [HeartbeatSeries] {
    var series: [HeartbeatSeries] = []
    let beats = streams.mapValues { SensorBeats($0) }
    streams = [:]
    for identifier in order {
      guard let recorder = recorders[identifier], let beats = beats[recorder.sensor] else { continue }
      do throws(QuantityError) {
        series += try recorder.series(of: beats)
      } catch {
        note("the beats of “\(identifier)”: \(error)")
      }
    }
    return series
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

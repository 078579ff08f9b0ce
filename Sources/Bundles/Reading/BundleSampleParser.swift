import Basics
import Quantities
import Recordings

/// Makes samples of the pieces of a bundle's files of samples, one file after the other.
///
/// Only what is needed to place beats is kept of a piece: the readings that came with intervals.
struct BundleSampleParser {
  private var recorders: [String: RecorderSamples] = [:]
  private var order: [String] = []
  // Everything that a sensor sent is one stream of beats, whichever recorder kept it.
  private var streams: [String: RecordedReadings] = [:]
  private var reader = HeartFileReader()
  private var number = 0
  private var isEmpty = true
  private var file = BundleFile.heart

  /// Begins another file.
  mutating func begin(_ file: String) {
    self.file = file
    (reader, number, isEmpty) = (HeartFileReader(), 0, true)
  }

  init(_ record: TrialRecord) {
    for recording in record.recordings {
      recorders[recording.recorder.identifier] = RecorderSamples(recording, of: record)
      order.append(recording.recorder.identifier)
    }
  }

  /// Takes the next piece of the file.
  ///
  /// - Parameters:
  ///   - piece: the bytes.
  ///   - isLast: whether the file ends with them.
  ///   - problem: called with each item that is not a sample.
  /// - Returns: the piece's samples.
  /// - Throws: why the file is no heart file.
  mutating func take(
    _ piece: [UInt8], isLast: Bool, _ problem: (String) -> Void
  ) throws(FieldProblem) -> [QuantitySample] {
    isEmpty = isEmpty && piece.allSatisfy { [0x20, 0x09, 0x0A, 0x0D].contains($0) }
    if isLast, isEmpty { throw FieldProblem(reason: "“\(file)” is empty") }
    let items: [HeartItem]
    do throws(HeartFileReader.Fault) {
      items = try reader.take(piece, isLast: isLast)
    } catch {
      throw FieldProblem(reason: "“\(file)”, line \(error.line): \(error.reason)")
    }
    var samples: [QuantitySample] = []
    samples.reserveCapacity(items.count)
    for item in items {
      number += 1
      guard item.isListed else { throw FieldProblem(reason: "it has no “items”") }
      do {
        if let sample = try take(item) { samples.append(sample) }
      } catch let error as FieldProblem {
        problem("\(place): \(error.reason)")
      } catch {
        problem("\(place): \(error)")
      }
    }
    return samples
  }

  private var place: String { file == BundleFile.heart ? "item \(number)" : "“\(file)”, item \(number)" }

  private mutating func take(_ item: HeartItem) throws -> QuantitySample? {
    let identifier = try reader.name(of: item)
    guard let sensor = recorders[identifier]?.sensor else {
      throw FieldProblem(reason: "its recorder “\(identifier)” is none of the result's")
    }
    let value = try reader.knownValue(of: item)
    let sample = try recorders[identifier]?.take(item, reader.texts)
    let time = (reader.time(of: item) ?? 0) / 1e9
    switch value {
    case .rate(let rate):
      // What came without intervals places no beat.
      if !item.intervals.isEmpty { streams[sensor, default: RecordedReadings()].take(rate: rate, item, at: time) }
    case .interval(let length): streams[sensor, default: RecordedReadings()].take(interval: length, item, at: time)
    case .other, .none: break
    }
    return sample
  }

  /// The series of the beats, after the last piece.
  ///
  /// - Parameter problem: called with beats that are not kept, or not as one series.
  /// - Returns: the series, by recorder.
  func series(_ problem: (String) -> Void) -> [HeartbeatSeries] {
    let beats = streams.mapValues { SensorBeats($0) }
    var series: [HeartbeatSeries] = []
    for identifier in order {
      guard let recorder = recorders[identifier], let beats = beats[recorder.sensor] else { continue }
      do throws(QuantityError) {
        let (own, parts) = try recorder.series(of: beats)
        series += own
        if parts > 0 {
          problem(
            "the beats of “\(identifier)” last longer than the four days of the longest series that is kept; they are "
              + "kept as \(own.count) series")
        }
      } catch {
        problem("the beats of “\(identifier)”: \(error)")
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

/// Why an item is not what it should be.
struct FieldProblem: Error {
  let reason: String
}

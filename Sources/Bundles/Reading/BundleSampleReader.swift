import Basics
package import Quantities
import Recordings

/// Reads the samples of a bundle piece by piece: as much memory for a million as for a thousand, but for their beats.
package final class BundleSampleReader {
  /// The first items that are no samples, and why: `item 12: …`, counted from 1.
  package private(set) var problems: [String] = []

  /// How many such items there are.
  package private(set) var problemCount = 0

  private let bundle: Bundle
  private var file: File
  private var expected: String?
  /// The name of the file that is read, and those after it.
  private var name = BundleFile.heart
  private var rest: ArraySlice<String>
  private var parser: BundleSampleParser
  private var digest = SHA256()
  private var following: [UInt8]?
  private var isAtEnd = false

  /// The number of bytes read in one call; few of them are held.
  static let pieceSize = 1 << 16

  /// The maximum number of problems that are told one by one.
  private static let maxProblems = 1000

  /// Opens a bundle's heart file; the other recorders' files follow it.
  ///
  /// - Throws: ``BundleError/unreadable(path:reason:)``.
  package init(_ bundle: Bundle) throws(BundleError) {
    self.bundle = bundle
    rest = bundle.recordingFiles.dropFirst()
    do {
      parser = BundleSampleParser(bundle.record)
      file = try bundle.openHeart()
    } catch {
      throw Self.unreadable(bundle, BundleFile.heart, error)
    }
    expected = bundle.heartDigest
  }

  /// The next samples; after the last of them, the heartbeat series.
  ///
  /// - Returns: some of the samples, which may be none; `nil` at the end.
  /// - Throws: ``BundleError/unreadable(path:reason:)`` where the heart file cannot be read, and at its end where it is not
  ///   the one that the manifest lists: what was returned before must not be kept then.
  package func next() throws(BundleError) -> (samples: [QuantitySample], series: [HeartbeatSeries])? {
    guard !isAtEnd else { return nil }
    do {
      let piece = try following ?? file.read(upTo: Self.pieceSize)
      let next = piece.isEmpty ? [] : try file.read(upTo: Self.pieceSize)
      following = next
      digest.update(piece)
      let samples = try parser.take(piece, isLast: next.isEmpty) { take($0) }
      guard next.isEmpty else { return (samples, []) }
      guard try !hasChanged() else { throw changed }
      if let name = rest.popFirst() {
        try open(name)
        return (samples, [])
      }
      isAtEnd = true
      return (samples, parser.series { take($0) })
    } catch {
      // A file that has changed is not read as what it says now.
      isAtEnd = true
      if error is FieldProblem, (try? hasChanged()) ?? false { throw Self.unreadable(bundle, name, changed) }
      throw Self.unreadable(bundle, name, error)
    }
  }

  private func open(_ name: String) throws(FileError) {
    self.name = name
    file = try bundle.open(name)
    expected = bundle.digest(of: name)
    parser.begin(name)
    (digest, following) = (SHA256(), nil)
  }

  private var changed: FieldProblem {
    FieldProblem(
      reason: "“\(name)” has changed since the trial was finalised: its SHA-256 is not the one in "
        + "manifest-sha256.txt; “station verify” says what else has")
  }

  /// Whether the file, which is read to its end, is not the one that the manifest lists.
  private func hasChanged() throws(FileError) -> Bool {
    guard let expected else { return false }
    while let piece = following, !piece.isEmpty {
      following = try file.read(upTo: Self.pieceSize)
      digest.update(piece)
    }
    return digest.digest().description != expected
  }

  private func take(_ problem: String) {
    problemCount += 1
    if problems.count < Self.maxProblems { problems.append(problem) }
  }

  private static func unreadable(_ bundle: Bundle, _ name: String, _ error: any Error) -> BundleError {
    if let error = error as? FieldProblem { return .unreadable(path: bundle.path, reason: error.reason) }
    return .unreadable(path: bundle.path, reason: "“\(name)”: \(error)")
  }
}

@available(*, unavailable)
extension BundleSampleReader: Sendable {}

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

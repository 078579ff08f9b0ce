import Basics
import Quantities

/// The samples of a bundle as a store of samples keeps them.
///
/// Every item of a heart file, or of another recorder's file, is a quantity sample. The intervals that come along with heart rates are heartbeat series for each recorder, so that no beat is
/// counted twice as the same kind of sample: its sensor's beats where an analysis places them, with the same gaps, less
/// what came without contact with the skin. UUIDs follow from trial, recorder and journal record, so that a bundle goes
/// into a store once, however often it is added.
package struct BundleSamples: Hashable, Sendable {
  /// What the station says of a sample besides what HealthKit has a key for.
  package enum Key: Sendable {
    /// The trial's identifier.
    package static let trial = "station.trial"
    /// The recorder's identifier.
    package static let recorder = "station.recorder"
    /// The session's number or name.
    package static let session = "station.session"
    /// The step during which it was recorded.
    package static let step = "station.step"
    /// The name of the clip that was played meanwhile.
    package static let clip = "station.clip"
    /// The SHA-256 of that clip's file.
    static let clipSHA256 = "station.clipSHA256"
    /// Whether it arrived after its recorder had stopped.
    static let late = "station.late"
    /// Whether the sensor touched the skin.
    static let contact = "station.contact"
  }

  /// The quantity samples, in the order of the heart file.
  fileprivate(set) var samples: [QuantitySample] = []

  /// The heartbeat series, by recorder in the result's order.
  fileprivate(set) var series: [HeartbeatSeries] = []

  /// Items that are no samples, and why: `item 12: …`, counted from 1.
  fileprivate(set) var problems: [String] = []

  // Nothing yet.
  fileprivate init() {}

  /// Reads the samples of a bundle's documents.
  ///
  /// - Parameters:
  ///   - record: what `result.json` says.
  ///   - heart: the text of `heart.json`.
  /// - Throws: ``FieldProblem`` where one of them is not such a document.
  init(record: TrialRecord, heart: [UInt8]) throws(FieldProblem) {
    var parser = BundleSampleParser(record)
    for start in stride(from: 0, through: heart.count, by: BundleSampleReader.pieceSize) {
      let end = min(start + BundleSampleReader.pieceSize, heart.count)
      let isLast = start + BundleSampleReader.pieceSize > heart.count
      samples += try parser.take(Array(heart[start..<end]), isLast: isLast) { problems.append($0) }
    }
    series = parser.series { problems.append($0) }
  }
}

extension Bundle {
  /// The SHA-256 that the manifest lists for the heart file; `nil` where it lists none, or cannot be read.
  package var heartDigest: String? { digest(of: BundleFile.heart) }

  /// The SHA-256 that the manifest lists for a file inside the bundle; `nil` where it lists none, or cannot be read.
  package func digest(of file: String) -> String? {
    guard let files = try? listedFiles() else { return nil }
    return files.first { $0.path == file }?.sha256.lowercased()
  }

  /// The bundle's samples, all of them at once; ``BundleSampleReader`` gives them piece by piece.
  ///
  /// - Throws: ``BundleError/unreadable(path:reason:)`` where the heart file cannot be read, and where it is not the one
  ///   that the manifest lists.
  func readSamples() throws(BundleError) -> BundleSamples {
    let reader = try BundleSampleReader(self)
    var all = BundleSamples()
    while let piece = try reader.next() {
      all.samples += piece.samples
      all.series += piece.series
    }
    all.problems = reader.problems
    return all
  }
}

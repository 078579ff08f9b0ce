import Basics
package import Quantities

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

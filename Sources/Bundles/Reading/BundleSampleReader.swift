import Digests
import Files
public import Quantities

/// Reads the samples of a bundle a few at a time, in memory that does not grow with their number.
///
/// Take ``next()`` until it returns `nil`, then ``series()``, for which the beats are kept.
public struct BundleSampleReader: ~Copyable, Sendable {
  private let path: String
  private let file: File
  private var extraction: SampleExtraction
  private var hasEnded = false

  /// Items that are no samples, and why, the first ones: `item 12: …`, counted from 1.
  public var problems: [String] { extraction.problems }
  /// How many such items there are.
  public var problemCount: Int { extraction.problemCount }

  /// Begins with a bundle's heart file, once that is found to be the one that the manifest lists.
  ///
  /// - Throws: ``BundleError/unreadable(path:reason:)``.
  public init(_ bundle: Bundle) throws(BundleError) {
    let extraction = try Self.extraction(of: bundle)
    let file = try Self.file(of: bundle)
    self.path = bundle.path
    self.extraction = extraction
    self.file = file
  }

  private static func extraction(of bundle: Bundle) throws(BundleError) -> SampleExtraction {
    do {
      let digest = bundle.heartDigest
      guard try digest == nil || bundle.openHeart().digest().sha256 == digest else {
        throw FieldProblem(
          reason: "“\(BundleFile.heart)” has changed since the trial was finalised: its SHA-256 is not the one in "
            + "manifest-sha256.txt; “station verify” says what else has")
      }
      return try SampleExtraction(of: bundle.result)
    } catch let error as FieldProblem {
      throw .unreadable(path: bundle.path, reason: error.reason)
    } catch {
      throw .unreadable(path: bundle.path, reason: "“\(BundleFile.heart)”: \(error)")
    }
  }

  private static func file(of bundle: Bundle) throws(BundleError) -> File {
    do throws(FileError) {
      return try bundle.openHeart()
    } catch {
      throw .unreadable(path: bundle.path, reason: "“\(BundleFile.heart)”: \(error)")
    }
  }

  /// The next samples, in the order of the file; `nil` after the last ones.
  public mutating func next() throws(BundleError) -> [QuantitySample]? {
    while !hasEnded {
      do {
        let bytes = try file.read(upTo: SampleExtraction.size)
        hasEnded = bytes.isEmpty
        let samples = try extraction.take(bytes, isLast: hasEnded)
        if !samples.isEmpty { return samples }
      } catch let error as FieldProblem {
        throw .unreadable(path: path, reason: error.reason)
      } catch {
        throw .unreadable(path: path, reason: "“\(BundleFile.heart)”: \(error)")
      }
    }
    return nil
  }

  /// The heartbeat series, by recorder in the result's order.
  public mutating func series() -> [HeartbeatSeries] { extraction.series() }
}

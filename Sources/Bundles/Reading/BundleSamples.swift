internal import Digests
internal import JSON
public import Quantities

/// The samples of a bundle as a store of samples keeps them.
///
/// Every item of a heart file is a quantity sample: a heart rate, or an RR interval where a recorder was told to record
/// those. The intervals that come along with heart rates are a heartbeat series for each recorder, so that no beat is
/// counted twice as the same kind of sample. UUIDs follow from trial, recorder and journal record, so that a bundle goes
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
  ///   - heart: the document `heart.json`.
  /// - Throws: ``FieldProblem`` where one of them is not such a document.
  init(result: JSONValue, heart: JSONValue) throws(FieldProblem) {
    let trial = try JournalFields(result)
    let zero = try trial.object("clock").wall("zero")
    var recorders: [String: RecorderSamples] = [:]
    var order: [String] = []
    for recording in try trial.objects("recordings") {
      let recorder = try RecorderSamples(recording, of: trial, zero: zero)
      recorders[recorder.identifier] = recorder
      order.append(recorder.identifier)
    }
    guard let items = heart["items"]?.array else { throw FieldProblem(reason: "it has no “items”") }
    for (index, item) in items.enumerated() {
      do {
        let fields = try JournalFields(item)
        let identifier = try fields.string("recorder")
        guard let sample = try recorders[identifier]?.take(fields) else {
          throw FieldProblem(reason: "its recorder “\(identifier)” is none of the result's")
        }
        samples.append(sample)
      } catch let error as FieldProblem {
        problems.append("item \(index + 1): \(error.reason)")
      } catch {
        problems.append("item \(index + 1): \(error)")
      }
    }
    for identifier in order {
      for part in recorders[identifier]?.chains ?? [] {
        do throws(QuantityError) {
          if let recorder = recorders[identifier] { series.append(try recorder.series(part)) }
        } catch {
          problems.append("the beats of “\(identifier)”: \(error)")
        }
      }
    }
  }
}

extension Bundle {
  /// The bundle's samples.
  ///
  /// - Throws: ``BundleError/unreadable(path:reason:)`` where the heart file cannot be read.
  public func readSamples() throws(BundleError) -> BundleSamples {
    do {
      return try BundleSamples(result: result, heart: JSONReader.read(try heart()).value)
    } catch let error as FieldProblem {
      throw .unreadable(path: path, reason: error.reason)
    } catch {
      throw .unreadable(path: path, reason: "“\(BundleFile.heart)”: \(error)")
    }
  }
}

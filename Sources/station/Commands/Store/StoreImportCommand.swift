import Bundles
import HealthStore
import Imports
import Quantities

/// `station store import FILE…`: takes other programs' files into the store, each sample once.
struct StoreImportCommand: Command {
  static let syntax = CommandSyntax(
    "store import", operands: "FILE…", count: 1...100_000,
    "takes in Apple Health exports, tables (CSV) and Open mHealth documents",
    options: [
      .init("type", value: "TYPE", "the quantity type of a table's rows that name none"),
      .init("unit", value: "UNIT", "the unit of a table's rows that name none"),
      .init("source", value: "NAME", "the source of a table's rows that name none; the file's name unless it is given"),
      .init("times", value: "KIND", "calendar, seconds or milliseconds (since 1970); calendar unless it is given"),
      .init("offset", value: "HH:MM", "how far times without an offset are ahead of UTC, such as +01:00"),
      .init("participant", value: "ID", "whose samples they are"),
    ] + StoreLocation.options)

  private let location: StoreLocation
  private let files: [String]
  private let options: ImportOptions
  private let participant: String?

  init(_ arguments: Arguments) throws {
    location = StoreLocation(arguments)
    files = arguments.operands
    participant = try arguments["participant"].map { try RunCommand.code($0, of: "participant", Self.syntax) }
    var options = ImportOptions(source: arguments["source"])
    options.type = try arguments["type"].map { name in
      guard let type = QuantityType(name) else {
        throw UsageError(command: Self.syntax, reason: "there is no quantity type “\(name)”")
      }
      return type
    }
    options.unit = try arguments["unit"].map { try UnitOption.read($0, Self.syntax) }
    switch arguments["times"] ?? "calendar" {
    case "calendar": options.times = .calendar
    case "seconds": options.times = .secondsSince1970
    case "milliseconds": options.times = .millisecondsSince1970
    case let other:
      throw UsageError(
        command: Self.syntax, reason: "“\(other)” is none of “calendar”, “seconds” and “milliseconds”")
    }
    options.offset = try arguments["offset"].map { text in
      // What an offset is is what a time of RFC 3339 takes as one.
      guard let time = WallTime("2000-01-01T00:00:00\(text)"), text != "Z",
        let midnight = WallTime("2000-01-01T00:00:00Z")
      else { throw UsageError(command: Self.syntax, reason: "“\(text)” is not an offset; +01:00 is") }
      return time.duration(to: midnight)
    }
    self.options = options
  }

  func run() async throws -> ExitStatus {
    let store = try await location.openOrMake()
    var isWhole = true
    for path in files {
      do {
        try await take(path, into: store)
      } catch let error as ImportError {
        Console.standard.show(status: "")
        Console.standard.complain("\(error)")
        isWhole = false
      }
    }
    return isWhole ? .done : .failed
  }

  private func take(_ path: String, into store: SampleStore) async throws {
    var file = try SampleFile(path, options: options)
    var (samples, series): ([QuantitySample], [HeartbeatSeries]) = ([], [])
    var added = 0
    defer {
      Console.standard.show(status: "")
      for line in ImportSummary(report: file.report, added: added).lines(of: path) { Console.standard.line(line) }
    }
    // What came before a place at which a file goes wrong is kept.
    var fault: ImportError?
    while fault == nil {
      var batch: ImportBatch?
      do throws(ImportError) { batch = try file.next() } catch { fault = error }
      guard let batch else { break }
      samples += batch.samples
      series += batch.series
      guard samples.count >= Self.samplesPerWrite else { continue }
      added += try await save(&samples, &series, into: store)
      Console.standard.show(status: "\(path): \(file.position >> 20) of \(file.size >> 20) MiB")
    }
    added += try await save(&samples, &series, into: store)
    if let fault { throw fault }
  }

  private func save(
    _ samples: inout [QuantitySample], _ series: inout [HeartbeatSeries], into store: SampleStore
  ) async throws -> Int {
    try Task.checkCancellation()
    if let participant {
      let mark = Metadata.Value.string(participant)
      samples = try samples.map { try $0.marked(BundleSamples.Key.participant, mark) }
      series = try series.map { try $0.marked(BundleSamples.Key.participant, mark) }
    }
    let report = try await store.save(samples, series: series)
    samples.removeAll(keepingCapacity: true)
    series.removeAll()
    return report.added
  }

  /// So many samples are written at once: more cost memory, fewer cost time.
  private static let samplesPerWrite = 13_000
}

extension QuantitySample {
  /// The sample with a value more in its metadata.
  fileprivate func marked(_ key: String, _ value: Metadata.Value) throws(QuantityError) -> QuantitySample {
    try QuantitySample(
      uuid: uuid, type: type, quantity: quantity, start: start, end: end, sourceRevision: sourceRevision,
      device: device, metadata: Metadata(metadata.values.merging([key: value]) { _, new in new }))
  }
}

extension HeartbeatSeries {
  /// The series with a value more in its metadata.
  fileprivate func marked(_ key: String, _ value: Metadata.Value) throws(QuantityError) -> HeartbeatSeries {
    try HeartbeatSeries(
      uuid: uuid, start: start, beats: beats, sourceRevision: sourceRevision, device: device,
      metadata: Metadata(metadata.values.merging([key: value]) { _, new in new }))
  }
}

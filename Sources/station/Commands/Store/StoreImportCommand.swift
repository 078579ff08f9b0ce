import Basics
import Exchange
import HealthStore
import Quantities

/// `station store import FILE…`: imports other programs' files into the store, each sample once.
struct StoreImportCommand: Command {
  static let syntax = CommandSyntax(
    "store import", operands: "FILE…", count: 1...100_000,
    "imports Apple Health exports (zipped or not), CSV tables and Open mHealth documents",
    options: [
      .init("type", value: "TYPE", "the quantity type of table rows that do not name one"),
      .init("unit", value: "UNIT", "the unit of table rows that do not name one"),
      .init("source", value: "NAME", "the source of table rows that do not name one (default: the file's name)"),
      .init("times", value: "KIND", "calendar, or seconds or milliseconds since 1970 (default: calendar)"),
      .init("time-zone", value: "ZONE", "the time zone of table times without an offset, such as Europe/Amsterdam"),
      .init("offset", value: "HH:MM", "the UTC offset of table times without an offset, such as +01:00"),
      .init("decimal", value: "point|comma", "the decimal mark of tables (default: comma if separated by semicolons)"),
      .init("participant", value: "ID", "the participant, for files and table rows that do not name one"),
      .init("preview", "report what the files contain and what cannot be read; store nothing"),
      .init("json", "print one JSON array with an object for each file"),
    ] + StoreLocation.operatorOptions)

  private let location: StoreLocation
  private let files: [String]
  private let options: ImportOptions
  private let isPreview: Bool
  private let isJSON: Bool

  init(_ arguments: Arguments) throws {
    location = StoreLocation(arguments)
    files = arguments.operands
    isPreview = arguments.has("preview")
    isJSON = arguments.has("json")
    var options = ImportOptions(source: arguments["source"])
    options.participant = try arguments["participant"].map { try RunCommand.code($0, of: "participant", Self.syntax) }
    options.type = try arguments["type"].map { name in
      guard let type = QuantityType(healthKit: name) else {
        throw UsageError(command: Self.syntax, reason: SampleSelection.unknown(name))
      }
      return type
    }
    options.unit = try arguments["unit"].map { try UnitOption.read($0, Self.syntax) }
    options.times =
      try arguments.choice(
        "times",
        among: [("calendar", .calendar), ("seconds", .secondsSince1970), ("milliseconds", .millisecondsSince1970)])
      ?? .calendar
    options.decimalComma = try arguments.choice("decimal", among: [("point", false), ("comma", true)])
    options.localTime = try Self.localTime(arguments)
    self.options = options
  }

  private static func localTime(_ arguments: Arguments) throws -> ImportOptions.LocalTime? {
    guard !(arguments.has("offset") && arguments.has("time-zone")) else {
      throw UsageError(command: syntax, reason: "--offset and --time-zone cannot be combined")
    }
    if arguments.has("time-zone") {
      return .zone(try SampleSelection.zone(arguments, syntax))
    }
    return try arguments["offset"].map { text in
      // An offset is valid if it is valid in an RFC 3339 time.
      guard text.first == "+" || text.first == "-", let time = WallTime("2000-01-01T00:00:00\(text)"),
        let midnight = WallTime("2000-01-01T00:00:00Z")
      else {
        throw UsageError(
          command: syntax, reason: "invalid value “\(text)” for --offset: expected an offset such as +01:00")
      }
      return .offset(time.duration(to: midnight))
    }
  }

  func run() async throws -> ExitStatus {
    var store = isPreview ? nil : try await location.openIfThere()
    var isWhole = true
    var documents: [JSONValue] = []
    // Report what was imported, even if the store fails afterwards.
    defer { if isJSON { Console.standard.write(JSONValue.array(documents).encoded(pretty: true)) } }
    for path in files {
      var summary = ImportSummary(path: path, isPreview: isPreview)
      defer {
        Console.standard.show(status: "")
        if isJSON { documents.append(summary.json) } else { summary.tell(on: .standard) }
        isWhole = isWhole && summary.isWhole
      }
      try await take(path, into: &store, &summary)
    }
    return isWhole ? .done : .failed
  }

  /// Imports one file; the first file with something to store creates the store if there is none.
  ///
  /// - Throws: the store's errors; the file's errors are in the summary.
  private func take(_ path: String, into known: inout SampleStore?, _ summary: inout ImportSummary) async throws {
    var file: SampleFile
    do throws(ImportError) {
      file = try SampleFile(path, options: options)
    } catch {
      summary.fault = error
      return
    }
    defer { summary.report = file.report }
    summary.fault = try await withThrowingTaskGroup(of: SaveReport.self) { group -> ImportError? in
      var batch = ImportBatch()
      var fault: ImportError?
      var isAtEnd = false
      var told = 0
      while !isAtEnd {
        var next: ImportBatch?
        // Keep the records before the fault.
        do throws(ImportError) { next = try file.next() } catch { fault = error }
        isAtEnd = next == nil
        if let next { batch.append(next) }
        guard isAtEnd || batch.weight >= Self.samplesPerWrite else { continue }
        // One batch is written while the next is read; memory never holds more than these two.
        if let saved = try await group.next() { summary.count(saved) }
        try Task.checkCancellation()
        let full = batch
        batch = ImportBatch()
        guard !isPreview, !full.isEmpty else { continue }
        let store = if let known { known } else { try await location.openOrMake() }
        known = store
        group.addTask { try await store.save(full.samples, series: full.series, whenPresent: .keep) }
        Console.standard.show(status: Self.progress(path, file.position, file.size))
        let part = file.size < Self.sizeWithProgress ? 0 : 10 * file.position / file.size
        if part > told, part < 10, !Console.standard.isTerminal, !isJSON {
          Console.standard.line(Self.progress(path, file.position, file.size))
        }
        told = part
      }
      if let saved = try await group.next() { summary.count(saved) }
      return fault
    }
    guard !isPreview, file.report.person != Person() else { return }
    let store = if let known { known } else { try await location.openOrMake() }
    known = store
    summary.characteristics = try await takePerson(file.report.person, into: store)
  }

  /// Stores the date of birth and sex from the file, unless the store has them already.
  ///
  /// - Returns: the file's values, each with the value that the store had.
  private func takePerson(_ person: Person, into store: SampleStore) async throws -> [ImportSummary.Characteristic] {
    let code = options.participant ?? ""
    let whose = code.isEmpty ? "" : " of \(code)"
    let known = try await store.characteristics(of: code)
    try await store.changeCharacteristics(of: code) { characteristics in
      characteristics.dateOfBirth = characteristics.dateOfBirth ?? person.dateOfBirth
      if characteristics.biologicalSex == .notSet { characteristics.biologicalSex = person.sex }
    }
    var found: [ImportSummary.Characteristic] = []
    if let date = person.dateOfBirth {
      found.append(
        .init(
          name: "dateOfBirth", words: "date of birth\(whose)", value: "\(date)",
          known: known.dateOfBirth.map { "\($0)" }, doubt: Self.doubt(date)))
    }
    if person.sex != .notSet {
      found.append(
        .init(
          name: "biologicalSex", words: "biological sex\(whose)", value: person.sex.rawValue,
          known: known.biologicalSex == .notSet ? nil : known.biologicalSex.rawValue))
    }
    return found
  }

  /// Why a date of birth is implausible; `nil` if it is plausible.
  private static func doubt(_ date: CalendarDate) -> String? {
    guard let today = CalendarDate(String(TimeZone.current.text(.now).prefix(10))) else { return nil }
    let age = date.years(until: today)
    return age < 0 ? "it is in the future" : age > 130 ? "it is more than 130 years ago" : nil
  }

  // A pipe has no size.
  private static func progress(_ path: String, _ position: Int, _ size: Int) -> String {
    size == 0 ? "\(path): \(position >> 20) MiB" : "\(path): \(position >> 20) of \(size >> 20) MiB"
  }

  /// From this file size on, output that is not a terminal gets a progress line for every tenth.
  private static let sizeWithProgress = 64 << 20

  /// The number of samples in a write: more take more memory, fewer take more time.
  private static let samplesPerWrite = 13_000
}

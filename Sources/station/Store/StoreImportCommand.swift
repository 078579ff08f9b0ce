import Basics
import Export
import Laboratory
import Quantities
import Recordings
import Reports
import SampleStore
import Session

extension Command {
  /// Imports other programs' files into the store, each sample once.
  static let storeImport = Command(
    "store import", operands: "FILE…",
    "imports Apple Health exports (zipped or not), FIT, TCX, GPX and Polar files, CSV tables and Open mHealth documents",
    options: [
      .init("type", value: "TYPE", "the quantity type of table rows that do not name one"),
      .init("unit", value: "UNIT", "the unit of table rows that do not name one"),
      .init("source", value: "NAME", "the source of table rows that do not name one (default: the file's name)"),
      .init("times", value: "KIND", "calendar, or seconds or milliseconds since 1970 (default: calendar)"),
      .init("time-zone", value: "ZONE", "the time zone of times without an offset, such as Europe/Amsterdam"),
      .init("offset", value: "HH:MM", "the UTC offset of times without an offset, such as +01:00"),
      .init("date", value: "DAY", "the day of the first row of tables with times of day, such as 2026-11-20"),
      .init("sampling-rate", value: "HZ", "intervals without a unit are numbers of samples, so many a second"),
      .init("decimal", value: "point|comma", "the decimal mark of tables (default: comma if separated by semicolons)"),
      .init("participant", value: "ID", "the participant, for files and table rows that do not name one"),
      .init("preview", "report what the files contain and what cannot be read; store nothing"),
      .json("one JSON array with an object for each file"),
    ] + StoreLocation.operatorOptions
  ) { arguments in
    let location = StoreLocation(arguments)
    let options = try Self.importOptions(arguments)
    var store = arguments.has("preview") ? nil : try await location.openIfThere()
    var status = ExitStatus.done
    var documents: [JSONValue] = []
    // Report what was imported, even if the store fails afterwards.
    defer { if arguments.isJSON { Console.standard.write(.array(documents)) } }
    let files = FileImport(options: options, isPreview: arguments.has("preview"), open: location.openOrMake) {
      text, isTenth in
      Console.standard.show(status: text)
      if isTenth, !Console.standard.isTerminal, !arguments.isJSON { Console.standard.line(text) }
    }
    for path in arguments.operands {
      var summary = ImportSummary(path: path, isPreview: arguments.has("preview"))
      defer {
        Console.standard.show(status: "")
        if arguments.isJSON { documents.append(summary.json) } else { Self.show(summary) }
      }
      try await files.take(path, into: &store, &summary)
      if !summary.isWhole { status = .failed }
    }
    return status
  }

  private static func importOptions(_ arguments: Arguments) throws -> ImportOptions {
    var options = ImportOptions(source: arguments["source"])
    options.participant = try arguments.code("participant")
    options.type = try arguments["type"].map { name in
      guard let type = QuantityType(healthKit: name) else {
        throw arguments.refusal("\(UnknownName.type(name, others: []))")
      }
      return type
    }
    options.unit = try arguments.unit()
    options.times =
      try arguments.choice(
        "times",
        among: [("calendar", .calendar), ("seconds", .secondsSince1970), ("milliseconds", .millisecondsSince1970)])
      ?? .calendar
    options.decimalComma = try arguments.choice("decimal", among: [("point", false), ("comma", true)])
    options.samplingRate = try arguments.number("sampling-rate", 1...1_000_000, "samples a second")
    options.localTime = try localTime(arguments)
    options.date = try arguments["date"].map { text in
      guard let date = CalendarDate(text) else {
        throw arguments.invalid(text, "date", "expected a day such as 2026-11-20")
      }
      return date
    }
    return options
  }

  private static func localTime(_ arguments: Arguments) throws -> ImportOptions.LocalTime? {
    try arguments.atMostOne(of: ["offset", "time-zone"])
    if arguments.has("time-zone") { return .zone(try arguments.zone()) }
    return try arguments["offset"].map { text in
      // An offset is valid if it is valid in an RFC 3339 time.
      guard text.first == "+" || text.first == "-", let time = WallTime("2000-01-01T00:00:00\(text)"),
        let midnight = WallTime("2000-01-01T00:00:00Z")
      else {
        throw arguments.invalid(text, "offset", "expected an offset such as +01:00")
      }
      return .offset(time.duration(to: midnight))
    }
  }

  private static func show(_ summary: ImportSummary) {
    for line in summary.lines {
      switch line {
      case .outcome(let text): Console.standard.line(text)
      case .problem(let text): Console.standard.report(text)
      }
    }
  }
}

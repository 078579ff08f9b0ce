import Basics
package import Quantities

/// The columns of a table with heart rates or intervals, recognised by their names.
package struct TableColumns: Hashable, Sendable {
  /// The separator of the fields.
  package let delimiter: Unicode.Scalar

  /// The content of each column; `nil` for an ignored one.
  package let contents: [HeartColumn?]

  /// The ignored columns.
  package let unread: [Unread]

  private let header: [TableRow.Field]
  private let places: [HeartColumn: Int]
  private let units: [HeartColumn: TimeUnit]
  // Columns of one content of which neither takes precedence; the first of them is read.
  private let rivals: [Rival]
  private let misfits: [Misfit]
  private let notBeats: [Int]

  /// Whether the days of a column are the times, because there is no column of times.
  let isDayTime: Bool

  /// What a table is read for.
  package enum Use: Hashable, Sendable {
    /// An analysis or a replay: one time a row.
    case recordings
    /// An import of samples, which may have a start and an end, a source and a participant.
    case imports
  }

  /// An ignored column.
  package struct Unread: Hashable, Sendable {
    package let place: Int
    /// Its name in the header; may be empty.
    package let name: String

    /// The name for messages.
    package var shown: String {
      name.isEmpty ? "column \(place + 1), which has no name" : "“\(name.prefix(40).visible)”"
    }
  }

  private struct Rival: Hashable {
    let column: HeartColumn
    let places: [Int]
  }

  private struct Misfit: Hashable {
    let column: HeartColumn
    let place: Int
    let name: HeartColumn.Name
  }

  // How many rows columns are judged by.
  private static let judged = 200

  /// The number of columns.
  package var count: Int { contents.count }

  /// The index of a column.
  package subscript(column: HeartColumn) -> Int? { places[column] }

  /// The unit in a column's name.
  package func unit(of column: HeartColumn) -> TimeUnit? { units[column] }

  /// The column of times: those of beats take precedence over others.
  package var timeColumn: HeartColumn { places[.beat] == nil ? .time : .beat }

  /// Whether the intervals are the differences of the times of beats.
  package var isOfBeats: Bool { places[.beat] != nil && places[.interval] == nil }

  /// Whether the intervals are between pulses, as optical sensors send them: `PP-interval [ms]`.
  var isOfPulses: Bool { places[.interval].map { header[$0].text.lowercased().hasPrefix("pp") } ?? false }

  /// Whether there are values, each with its type.
  private var hasValues: Bool { places[.value] != nil }

  /// The type of the values that a column “unit” belongs to, if no column names the types.
  package var typeOfUnit: QuantityType? {
    places[.value] != nil || places[.unit] == nil
      ? nil : places[.rate] != nil ? .heartRate : places[.interval] != nil ? .rrInterval : nil
  }

  /// The second of two columns of one content, other than times; `nil` if there is none.
  var repeated: (column: HeartColumn, field: TableRow.Field)? {
    rivals.first { $0.column != .rate && $0.column != .interval }.map { ($0.column, header[$0.places[1]]) }
  }

  /// The columns that look like the hours, minutes and seconds of one time; empty if there are none.
  var partsOfTime: [String] {
    guard let place = places[.time], ["seconds", "sec"].contains(HeartColumn.words(in: header[place].text).joined())
    else { return [] }
    let others = unread.map(\.name).filter { name in
      ["h", "hh", "hour", "hours", "hrs", "m", "mm", "min", "mins", "minute", "minutes"].contains(name.lowercased())
    }
    return others.isEmpty ? [] : others + [header[place].text]
  }

  var fields: [TableRow.Field] { header }

  /// The columns of a content, in the order of the header.
  func places(of column: HeartColumn) -> [Int] {
    let others = rivals.filter { $0.column == column }.flatMap(\.places)
    return Set(others + (places[column].map { [$0] } ?? [])).sorted()
  }

  /// Whether there is a column of heart rates, intervals, beats or contact.
  package var areOfHeart: Bool { [.rate, .interval, .contact, .beat].contains { places[$0] != nil } }

  /// Whether a sensor can send such rows: a column that is no time is known, and each content is in one column.
  ///
  /// Of several times or sources the first counts.
  package var areOfSensor: Bool {
    guard hasValues || areOfHeart else { return false }
    return rivals.allSatisfy { $0.column == .time || $0.column == .source || places[$0.column] == nil }
  }

  /// Interprets a header.
  ///
  /// - Parameters:
  ///   - header: the header.
  ///   - rows: the first rows, by which columns are judged whose names leave their content open; `nil` for a stream.
  ///   - use: what the table is read for.
  ///   - options: the properties that the table does not declare.
  package init(
    _ header: String, rows: [String]? = nil, for use: Use = .recordings, _ options: ReadingOptions = ReadingOptions()
  ) {
    let (delimiter, fields, all) = HeartColumn.names(in: header)
    (self.delimiter, self.header) = (delimiter, fields)
    let judge = ColumnJudge(
      all, fields, rows: rows.map { $0.prefix(Self.judged).map { TableRow.fields(of: $0, delimiter).map(\.text) } },
      options)
    let names = judge.names
    notBeats = judge.notBeats
    var best: [HeartColumn: (place: Int, name: HeartColumn.Name)] = [:]
    var rivals: [Rival] = []
    for (place, name) in names.enumerated() {
      guard let name, case let column = name.column else { continue }
      // The better of two names of times counts; two columns of heart rates are ambiguous.
      if let other = best[column], column != .time || other.name.rank == name.rank {
        rivals.append(Rival(column: column, places: [other.place, place]))
      } else if name.rank < best[column]?.name.rank ?? .max {
        best[column] = (place, name)
      }
    }
    // Polar Sensor Logger's first column “contact” says whether there is contact, and its second whether that can be known.
    if let rival = rivals.first(where: { $0.column == .contact }),
      names[rival.places[0]]?.rank == names[rival.places[1]]?.rank
    {
      best[.contact] = nil
      rivals.removeAll { $0.column == .contact }
    }
    var isDayTime = false
    switch use {
    case .recordings:
      for column in HeartColumn.allCases where column.isOfImports { best[column] = nil }
      rivals.removeAll { $0.column.isOfImports }
      // A start and an end count as one time.
      best[.time] = best[.end] ?? best[.time] ?? best[.start]
      (best[.end], best[.start]) = (nil, nil)
      // Times of beats take precedence over other times, and a value column needs a type column.
      if best[.beat] != nil { best[.time] = nil }
      isDayTime = best[.time] == nil && best[.beat] == nil && best[.day] != nil
      if best[.value] == nil || best[.type] == nil {
        (best[.value], best[.type]) = (nil, nil)
        if best[.rate] == nil, best[.interval] == nil { best[.unit] = nil }
      }
    case .imports:
      (best[.beat], best[.contact]) = (nil, nil)
      rivals.removeAll { $0.column == .beat || $0.column == .contact }
      isDayTime = best[.time] == nil && best[.start] == nil && best[.day] != nil
    }
    if isDayTime { (best[.time], best[.day]) = (best[.day], nil) }
    self.isDayTime = isDayTime
    self.rivals = rivals
    places = best.mapValues(\.place)
    misfits = [.rate, .interval, .time, .beat].compactMap { column in
      best[column].flatMap { found in
        found.name.misfit.map { _ in Misfit(column: column, place: found.place, name: found.name) }
      }
    }
    units = best.compactMapValues { found in TimeUnit.allCases.first { $0.perSecond == found.name.perSecond } }
    let read = Dictionary(uniqueKeysWithValues: places.map { ($1, $0) })
    contents = names.indices.map { read[$0] }
    unread = fields.indices.filter { read[$0] == nil }.map { Unread(place: $0, name: fields[$0].text) }
  }

  /// Why the columns cannot be read, although they are known: a unit that is none of its content, or that belongs to
  /// two columns; `nil` if they can.
  package var problem: String? {
    if let misfit = misfits.first {
      let name = "the column “\(header[misfit.place].text.prefix(40).visible)”"
      let advice =
        misfit.column == .rate
        ? "heart rates are in beats a minute"
        : misfit.name.isInSamples && misfit.column != .time
          ? "give their number a second with --sampling-rate" : "times and intervals are in ms, s, us or ns"
      return "\(name) is in “\(misfit.name.misfit ?? "")”, which is not a unit of \(misfit.column.rawValue)s; \(advice)"
    }
    if places[.unit] != nil, places[.value] == nil, places[.rate] != nil, places[.interval] != nil {
      return "a column “unit” beside heart rates and intervals; leave it out, and name the columns “hr” and “rr_ms”"
    }
    return nil
  }

  /// Which two columns have one content; `nil` if there are none.
  package var ambiguity: String? {
    rivals.first.map { rival in
      let names = rival.places.map { "“\(header[$0].text.prefix(40).visible)”" }.joined(separator: " and ")
      return "two columns of \(rival.column.rawValue)s, \(names); leave one out"
    }
  }

  /// Interprets the header of a recording.
  ///
  /// - Throws: which columns are missing or duplicate, or that there are too many.
  init(_ header: String, rows: [String], line: Int, _ options: ReadingOptions) throws(RecordingFault) {
    guard !HeartColumn.isTooWide(header) else {
      throw RecordingFault(
        line: line,
        reason: "more than \(HeartColumn.maxCount) columns; a table of heart data needs a time and one value")
    }
    self.init(header, rows: rows, options)
    if let problem { throw RecordingFault(line: line, reason: problem) }
    if let ambiguity { throw RecordingFault(line: line, reason: ambiguity) }
    guard hasValues || [.rate, .interval, .beat].contains(where: { places[$0] != nil }) else {
      if let place = notBeats.first {
        throw RecordingFault(
          line: line,
          reason:
            "the numbers in the column “\(self.header[place].text.prefix(40).visible)” are not times of beats: they "
            + "number or mark the beats, or do not rise; give their times in a column “beat_s”")
      }
      throw RecordingFault(
        line: line,
        reason: "no column of heart rates (“hr”, “bpm”), of intervals (“rr_ms”, “ibi”), of the times of beats "
          + "(“beat_s”, “r_peaks”) or of values with their “type”")
    }
    guard [.time, .beat, .interval].contains(where: { places[$0] != nil }) else {
      throw RecordingFault(line: line, reason: "heart rates need their times, in a column “time”")
    }
  }
}

/// Interprets a table's values by their type and unit.
package struct TypedValues: Sendable {
  private var units = WrittenUnits()

  package init() {}

  /// The heart rate or interval that a row gives, or the quantity and unit of another value; otherwise why it is none.
  package mutating func value(_ number: Double, _ type: String, _ symbol: String?) -> HeartValue {
    guard let known = QuantityType(channel: type) else {
      return .none("the type “\(type.prefix(40).visible)” is not known")
    }
    guard let symbol else { return .none("a value without a unit") }
    do throws(QuantityError) {
      let unit = try units.unit(symbol, of: known)
      guard unit.isCompatible(with: known.canonicalUnit) else { return .none("“\(symbol)” is not a unit of \(known)") }
      switch known {
      case .heartRate: return .rate(unit.convert(number, to: .countPerMinute))
      case .rrInterval: return .interval(unit.convert(number, to: .millisecond))
      default: return .other(known, unit)
      }
    } catch {
      return .none("\(error)")
    }
  }
}

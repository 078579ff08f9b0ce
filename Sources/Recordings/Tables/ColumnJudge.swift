import Basics
import Quantities

/// Judges the columns whose names leave their content open, by the other names and by the table's first rows.
struct ColumnJudge {
  /// The names; `nil` for a column that is not read.
  private(set) var names: [HeartColumn.Name?]
  /// The columns whose names are of times of beats, and whose numbers are not.
  private(set) var notBeats: [Int] = []

  private let texts: [String]
  // `nil` where no rows are known, as in a stream.
  private let rows: [[String]]?
  private let options: ReadingOptions

  init(_ names: [HeartColumn.Name?], _ fields: [TableRow.Field], rows: [[String]]?, _ options: ReadingOptions) {
    (self.names, self.options) = (names, options)
    texts = fields.map(\.text)
    self.rows = rows?.filter { $0.count == fields.count }
    judgeSamples()
    judgePressures()
    judgeUnits()
    judgeMisfits()
    judgeBeats()
    judgeDays()
  }

  private func places(of column: HeartColumn) -> [Int] { names.indices.filter { names[$0]?.column == column } }

  // The best column of times, in a unit of time.
  private var time: Int? {
    places(of: .time).filter { names[$0]?.misfit == nil }.min { names[$0]?.rank ?? 0 < names[$1]?.rank ?? 0 }
      ?? (places(of: .end) + places(of: .start)).first
  }

  private func hasValues(besides place: Int) -> Bool {
    names.indices.contains { other in
      other != place && [.rate, .interval, .value].contains { $0 == names[other]?.column }
    }
  }

  /// The fields of a column that have a content.
  private func content(of place: Int) -> [String] {
    (rows ?? []).map { $0[place] }.filter { !$0.isEmpty && $0 != "NA" }
  }

  private static func number(_ text: String) -> Double? {
    Decimal.number(text.utf8.span) ?? Decimal.number(text.utf8.span, comma: true)
  }

  /// Beats and intervals “(samples)” are as good as those without a unit, if the sampling rate is known.
  private mutating func judgeSamples() {
    guard options.samplingRate != nil else { return }
    for place in places(of: .beat) + places(of: .interval) where names[place]?.isInSamples == true {
      names[place]?.misfit = nil
    }
  }

  /// Beside blood pressures “PP” is the pulse pressure.
  private mutating func judgePressures() {
    for place in names.indices where names[place]?.word == "pp" && names[place]?.perSecond == nil {
      let isBesidePressures = texts.contains { text in
        let word = HeartColumn.words(in: text).joined()
        return ["sbp", "dbp", "systol", "diastol"].contains { word.hasPrefix($0) } || ["sys", "dia"].contains(word)
      }
      let numbers = content(of: place).compactMap(Self.number).sorted()
      guard isBesidePressures || hasValues(besides: place) else { continue }
      let middle = numbers.isEmpty ? nil : numbers[numbers.count / 2]
      let areIntervals =
        middle.map { HeartInterval.plausible.contains($0) || HeartInterval.plausible.contains($0 * 1000) }
        ?? !isBesidePressures
      if !areIntervals, options.samplingRate == nil || isBesidePressures { names[place] = nil }
    }
  }

  /// A column “rr_unit” is the unit of the values, and a column “time_unit” that of the times.
  private mutating func judgeUnits() {
    guard places(of: .unit).isEmpty else { return }
    let values = [HeartColumn.rate, .interval, .value].filter { !places(of: $0).isEmpty }
    for place in names.indices where names[place] == nil {
      guard let owner = HeartColumn.owner(ofUnit: texts[place]) else { continue }
      let content = content(of: place)
      switch HeartColumn.named(owner)?.column {
      case .time?:
        guard let time, names[time]?.perSecond == nil, let unit = content.first, Set(content).count == 1 else {
          continue
        }
        let perSecond = HeartColumn.named("time (\(unit))")?.perSecond
        if let perSecond { names[time]?.perSecond = perSecond } else { names[time]?.misfit = unit.visible }
      case let column?:
        if values.contains(column) || column == .value && values.count == 1 { names[place] = .unit }
      case nil:
        let isOfOther = texts.contains { HeartColumn.words(in: $0) == HeartColumn.words(in: owner) }
        let areUnits = !content.isEmpty && content.allSatisfy { (try? Unit($0)) != nil }
        if values.count == 1, !isOfOther, areUnits { names[place] = .unit }
      }
    }
  }

  /// Times, heart rates and intervals in another unit are not read beside those that are in one of theirs.
  private mutating func judgeMisfits() {
    for column in [HeartColumn.time, .rate, .interval]
    where places(of: column).contains(where: { names[$0]?.misfit == nil }) {
      for place in places(of: column) where names[place]?.misfit != nil { names[place] = nil }
    }
  }

  // MARK: Beats

  /// A column “beat” may number the beats, or mark them, instead of having their times.
  private mutating func judgeBeats() {
    for place in places(of: .beat) where names[place]?.perSecond == nil {
      let isBesideOthers = time != nil && hasValues(besides: place)
      guard let rows, names[place]?.misfit == nil else {
        if isBesideOthers || rows == nil && !places(of: .interval).isEmpty { names[place] = nil }
        continue
      }
      let beats = rows.compactMap { Self.number($0[place]) }
      if !TimeSteps.mayBeOfBeats(beats) {
        notBeats.append(place)
        names[place] = nil
      } else if let time, isBesideOthers, !fits(place, time, rows) {
        names[place] = nil
      }
    }
  }

  /// Whether the beats advance as the times beside them do.
  private func fits(_ place: Int, _ time: Int, _ rows: [[String]]) -> Bool {
    let unit = options.timeUnit?.perSecond
    let pairs = rows.compactMap { row in
      Self.number(row[place]).flatMap { beat in
        Self.seconds(row[time], unit ?? names[time]?.perSecond ?? 1).map { (beat: beat, time: $0) }
      }
    }
    guard let first = pairs.first, let last = pairs.last, pairs.count > 1 else { return false }
    let span = last.time - first.time
    let beats = (last.beat - first.beat) / (options.samplingRate ?? unit ?? 1)
    return span > 0 && (beats - span).magnitude <= 0.05 * span + 1
  }

  private static func seconds(_ text: String, _ perSecond: Double) -> Double? {
    if let number = number(text) { return number / perSecond }
    if let clock = CalendarText.clock(text) { return Double(clock.microseconds) / 1e6 }
    let date = WallTime(text) ?? (CalendarText.instant(text) ?? text).wallTime
    return date.map { WallTime(milliseconds: 0).duration(to: $0).seconds }
  }

  // MARK: Days

  /// A column “day” may number the days of a study, and a column “tag” have words.
  private mutating func judgeDays() {
    guard let time else { return }
    for place in places(of: .day) {
      let isAmbiguous = ["tag", "dia"].contains(names[place]?.word)
      guard rows != nil else {
        if isAmbiguous { names[place] = nil }
        continue
      }
      let hasClock = content(of: time).contains { CalendarText.clock($0) != nil }
      // “Monday” tells nothing beside numbers.
      let hasDays = content(of: place).contains { text in
        CalendarText.likeness(ofDay: text) != nil && (hasClock || text.contains(where: \.isNumber))
      }
      if !hasDays, isAmbiguous || !hasClock { names[place] = nil }
    }
  }
}

extension String {
  // A local time as if it were in UTC.
  fileprivate var wallTime: WallTime? { WallTime(self + "Z") }
}

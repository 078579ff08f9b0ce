internal import Analysis
internal import JSON
internal import Quantities

/// Sorts the items of a heart file by their recorders or sensors, and finds what contradicts itself.
struct HeartDocument {
  /// How an item of a type and a unit is read: once for all of them.
  private enum Reading {
    /// A heart rate, with what makes beats a minute of the number.
    case rate((Double) -> Double)
    /// An interval, with what makes milliseconds of it.
    case interval((Double) -> Double)
    case unreadable(String)
  }

  private let grouping: Recording.Grouping
  private var reader = HeartItemReader()
  private var readings: [Int: Reading] = [:]
  private var groups: [ReadingGroup] = []
  private var places: [String: Int] = [:]
  // The group of the item before, which is that of the next nearly always.
  private var lastGroup: (name: Int?, place: Int)?
  private var zero: WallTime?
  /// How many items it has, of whatever kind.
  private(set) var count = 0

  /// A document whose items have no time of a trial counts their dates from the first.
  init(by grouping: Recording.Grouping) { self.grouping = grouping }

  /// Takes the text of one item.
  mutating func take(_ piece: JSONPieces.Piece) throws(RecordingFault) {
    count += 1
    let item: HeartItem
    do throws(JSONProblems) {
      item = try reader.read(piece.text)
    } catch {
      let problem = error.problems[0]
      let place = TextPlace(offset: problem.offset, in: piece.text)
      throw RecordingFault(line: piece.line + place.line - 1, reason: problem.reason)
    }
    let place = place(of: item)
    groups[place].count += 1
    guard let time = time(of: item) else { return groups[place].leaveOut(count, "it has no time") }
    guard let type = item.type, let unit = item.unit, let value = item.value else {
      return groups[place].leaveOut(count, "it has no type, no value or no unit")
    }
    // Texts are few; their numbers in one.
    let kind = type << 32 | unit
    let reading = readings[kind] ?? Self.reading(reader.texts[type], reader.texts[unit])
    readings[kind] = reading
    if let source = item.source { groups[place].sensor = reader.texts[source] }
    let texts = reader.texts
    switch reading {
    case .unreadable(let reason): groups[place].leaveOut(count, reason)
    case .rate(let convert): groups[place].take(rate: convert(value), item, at: time) { texts[$0] }
    case .interval(let convert): groups[place].take(interval: convert(value), item, at: time) { texts[$0] }
    }
  }

  /// Why nothing of it is of a heart; `nil` where an item is, or where there is none.
  var complaint: String? {
    guard count > 0, groups.allSatisfy({ $0.brokenCount > 0 && $0.brokenCount == $0.count }) else { return nil }
    return "it holds nothing of a heart: \(groups.first?.broken.first ?? "")"
  }

  /// The recordings, in the order in which their first items stand.
  ///
  /// - Throws: ``RecordingError`` where the numbers of a file that is no trial's cannot be a heart's; of a trial's
  ///   recording it is a remark, since what was recorded there is at least its sensor's.
  func recordings(path: String, trial: TrialFacts?) throws(RecordingError) -> [Recording] {
    var recordings: [Recording] = []
    // Dates are counted from the earliest.
    let start = zero == nil || trial != nil ? 0 : groups.compactMap(\.start).min() ?? 0
    for group in groups {
      var group = group
      var (recording, implausible) = group.recording(path: path, trial: trial, zero: start)
      if trial == nil, let reason = implausible.first {
        throw .unreadable(path: path, reason: "\(reason); correct the unit that the file says")
      }
      recording.remarks += implausible.map { "The recorder's units are in doubt: \($0)." }
      recordings.append(recording)
    }
    return recordings
  }

  private mutating func place(of item: HeartItem) -> Int {
    let name = grouping == .recorder ? item.recorder : item.source
    if let lastGroup, lastGroup.name == name { return lastGroup.place }
    let text = name.map { reader.texts[$0] } ?? ""
    let place = places[text] ?? groups.count
    if place == groups.count {
      places[text] = place
      groups.append(ReadingGroup())
    }
    lastGroup = (name, place)
    return place
  }

  private mutating func time(of item: HeartItem) -> Double? {
    if let nanoseconds = item.time { return nanoseconds / 1e9 }
    guard let date = item.endDate ?? item.startDate else { return nil }
    let first = zero ?? date
    zero = first
    return first.duration(to: date).seconds
  }

  private static func reading(_ type: String, _ symbol: String) -> Reading {
    guard let quantityType = QuantityType(type) else { return .unreadable("its type “\(type)” is not known") }
    let target: Unit
    switch quantityType {
    case .heartRate: target = .countPerMinute
    case .rrInterval: target = .millisecond
    default: return .unreadable("“\(type)” is neither a heart rate nor an interval between beats")
    }
    do throws(QuantityError) {
      let unit = try Unit(symbol)
      guard unit.isCompatible(with: target) else {
        return .unreadable("“\(symbol)” is no unit of \(quantityType)")
      }
      let convert: (Double) -> Double = unit == target ? { $0 } : { unit.convert($0, to: target) }
      return quantityType == .heartRate ? .rate(convert) : .interval(convert)
    } catch {
      return .unreadable("\(error)")
    }
  }
}

/// Why a file cannot be read from a place on.
struct RecordingFault: Error {
  let line: Int
  let reason: String
}

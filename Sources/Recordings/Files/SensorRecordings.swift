/// Reads the recordings of a heart file, one for each of its recorders or sensors.
package struct SensorRecordings {
  private let grouping: HeartRecording.Grouping
  private var reader = HeartFileReader()
  private var groups: [ReadingGroup] = []
  private var places: [String: Int] = [:]
  // The group of the previous item; the next one nearly always has the same.
  private var lastGroup: (name: Int?, place: Int)?
  /// The number of its items, of whatever kind.
  package private(set) var count = 0

  /// Creates an empty set; in a document whose items have no trial time, dates count from the first.
  init(by grouping: HeartRecording.Grouping) { self.grouping = grouping }

  /// Takes the file's next bytes.
  mutating func take(_ bytes: [UInt8], isLast: Bool) throws(RecordingFault) {
    do throws(HeartFileReader.Fault) {
      for item in try reader.take(bytes, isLast: isLast) { take(item) }
    } catch {
      throw RecordingFault(line: error.line, reason: error.reason)
    }
  }

  private mutating func take(_ item: HeartItem) {
    count += 1
    let place = place(of: item)
    groups[place].count += 1
    if let fault = item.fault { return groups[place].leaveOut(count, fault) }
    guard let time = reader.time(of: item) else { return groups[place].leaveOut(count, "it has no time") }
    switch reader.value(of: item) {
    case .none(let reason): return groups[place].leaveOut(count, reason)
    case .other(let type, _):
      return groups[place].leaveOut(count, "“\(type)” is neither a heart rate nor an interval between beats")
    case .rate(let rate): groups[place].readings.take(rate: rate, item, at: time / 1e9)
    case .interval(let interval): groups[place].readings.take(interval: interval, item, at: time / 1e9)
    }
    let texts = reader.texts
    if let source = item.source { groups[place].sensor = texts[source] }
    if let recorder = item.recorder { groups[place].note(recorder) { texts[recorder] } }
  }

  /// Why none of its items is heart data; `nil` if one is, or if there are no items.
  var problem: String? {
    guard count > 0, groups.allSatisfy({ $0.brokenCount > 0 && $0.brokenCount == $0.count }) else { return nil }
    return
      "it contains no heart data: \(groups.first?.broken.first.map { "\($0) " } ?? "")A heart file has items with “type”, “value”, "
      + "“unit” and “endDate”, as “data/heart.json” of a bundle; another way is a table whose first row is “time,hr”."
  }

  /// The recordings, in the order of their first items.
  ///
  /// - Parameters:
  ///   - path: the path it was read from.
  ///   - isTrial: whether it is the heart file of a trial's bundle.
  /// - Returns: the recordings.
  /// - Throws: ``RecordingError`` if the numbers of a file from outside a trial are implausible for a heart; for a
  ///   trial's recording this is a caveat, because the sensor did record those numbers.
  package func recordings(path: String, isTrial: Bool) throws(RecordingError) -> [HeartRecording] {
    var recordings: [HeartRecording] = []
    // Dates count from the earliest.
    let start = reader.zero == nil || isTrial ? 0 : groups.compactMap(\.start).min() ?? 0
    for group in groups {
      var group = group
      var (recording, implausible) = group.recording(path: path, zero: start)
      if !isTrial, let reason = implausible.first {
        throw .unreadable(
          path: path, reason: "\(reason.implausibility ?? reason.wording); correct the unit in the file")
      }
      recording.caveats += implausible
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
}

extension SensorRecordings {
  /// Reads a heart file to its end.
  ///
  /// - Parameters:
  ///   - file: the file.
  ///   - grouping: how its items are grouped into recordings.
  /// - Throws: ``RecordingError`` with the line that cannot be parsed.
  package init(_ file: consuming FilePieces, by grouping: HeartRecording.Grouping) throws(RecordingError) {
    self.init(by: grouping)
    var heart = self
    try file.read { (bytes, isLast) throws(RecordingFault) in
      try heart.take(bytes, isLast: isLast)
    }
    self = heart
  }
}

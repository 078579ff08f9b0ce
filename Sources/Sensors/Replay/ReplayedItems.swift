import Basics
import Quantities
import Recordings

/// The samples of a heart file, each once, as the analysis reads them.
///
/// Where several recorders cut the same sample out of one stream, it is replayed once; one recorder's items can be
/// chosen. A file with values that no sensor can send is rejected.
struct ReplayedItems {
  /// What a sensor sent in one message.
  struct Reading: Equatable, Sendable {
    /// Seconds since any origin.
    let time: Double
    let sample: Sample
  }

  /// In the order of time.
  let readings: [Reading]

  /// The source of the items, if the file names it.
  let source: String?

  /// Reads a file to its end.
  ///
  /// - Parameters:
  ///   - path: the file's path.
  ///   - choice: the source and recorder whose items are wanted.
  ///   - next: returns the next bytes of the file, none at its end.
  /// - Throws: ``SensorError`` with the line of the fault.
  init(
    _ path: String, _ choice: ReplayFile.Choice, _ next: () throws(SensorError) -> [UInt8]
  ) throws(SensorError) {
    var wanted = Wanted(choice, path)
    var reader = HeartFileReader()
    var readings = RecordedReadings()
    var others: [Reading] = []
    var isLast = false
    while !isLast {
      let bytes = try next()
      isLast = bytes.isEmpty
      let items: [HeartItem]
      do throws(HeartFileReader.Fault) {
        items = try reader.take(bytes, isLast: isLast)
      } catch {
        throw SensorError("replay", path, "line \(error.line): \(error.reason)")
      }
      for item in items {
        guard item.isListed else {
          throw SensorError("replay", path, "it is JSON, but has no “items”", advice: "a bundle's heart.json has")
        }
        guard wanted.take(item, reader.texts) else { continue }
        if let reason = Self.take(item, &reader, into: &readings, &others) {
          throw SensorError("replay", path, "line \(item.line): \(reason)")
        }
      }
    }
    try wanted.check()
    source = wanted.source
    readings.order()
    let beats = Self.samples(readings)
    self.readings = others.isEmpty ? beats : (beats + others).sorted { $0.time < $1.time }
  }

  /// Takes an item.
  ///
  /// - Returns: why no sensor can have sent it; `nil` if it is valid.
  private static func take(
    _ item: HeartItem, _ reader: inout HeartFileReader, into readings: inout RecordedReadings,
    _ others: inout [Reading]
  ) -> String? {
    let value = reader.value(of: item)
    if case .none(let reason) = value { return reason }
    guard let time = reader.time(of: item) else { return "it has neither “t_ns” nor a date" }
    guard time.magnitude < 1e18 else { return "its time \(time) ns is too large" }
    var sample = Sample(contact: item.contact, time: item.senderTime)
    switch value {
    case .rate(let rate): (sample.heartRate, sample.rrIntervals) = (rate, item.intervals)
    case .interval(let interval): sample.rrIntervals = [interval]
    case .other(let type, let unit):
      sample.values = [Sample.Value(channel: Channel(type, unit: unit), value: item.value ?? .nan)]
    case .none: break
    }
    if let problem = sample.check() { return problem }
    switch value {
    case .rate(let rate): readings.take(rate: rate, item, at: time / 1e9)
    case .interval(let interval): readings.take(interval: interval, item, at: time / 1e9)
    case .other: others.append(Reading(time: time / 1e9, sample: sample))
    case .none: break
    }
    return nil
  }

  /// The samples of a device's file, each beat at its end; implausible ones are left out.
  static func readings(of file: DeviceFile) -> [Reading] {
    let rates = zip(file.rates.times, file.rates.values).map { time, rate in
      Reading(time: time, sample: Sample(heartRate: rate))
    }
    let beats = file.beats.map { beats in
      zip(beats.ends, beats.intervals).map { time, interval in
        Reading(time: time, sample: Sample(rrIntervals: [interval]))
      }
    }
    // Swift's sort is stable.
    return (rates + (beats ?? [])).filter { reading in
      var sample = reading.sample
      return sample.check() == nil
    }.sorted { $0.time < $1.time }
  }

  // Intervals that are not beats of their own are dropped, except without contact: that sample records the loss.
  private static func samples(_ readings: RecordedReadings) -> [Reading] {
    var beats = readings.beats[...]
    return readings.all.enumerated().compactMap { place, reading in
      let isOfBeats = beats.first == place
      if isOfBeats { beats.removeFirst() }
      var sample = Sample(
        heartRate: reading.rate, rrIntervals: isOfBeats || !reading.hasContact ? reading.intervals : [],
        contact: reading.contact, time: reading.senderTime)
      return sample.check() == nil ? Reading(time: reading.time, sample: sample) : nil
    }
  }
}

/// The choice of source and recorder in a file.
private struct Wanted {
  private let choice: ReplayFile.Choice
  private let path: String
  private var sources: [String] = []
  private var recorders: [String] = []
  // The names of the previous item; the next one nearly always has the same.
  private var last: (source: Int?, recorder: Int?, isWanted: Bool)?

  init(_ choice: ReplayFile.Choice, _ path: String) {
    self.choice = choice
    self.path = path
  }

  /// Records an item's names and returns whether it is wanted; an item without a name is wanted if no name is chosen.
  mutating func take(_ item: HeartItem, _ texts: [String]) -> Bool {
    if let last, last.source == item.source, last.recorder == item.recorder { return last.isWanted }
    let (source, recorder) = (item.source.map { texts[$0] }, item.recorder.map { texts[$0] })
    var isWanted = true
    if let source, !sources.contains(source) { sources.append(source) }
    if let wanted = choice.source, wanted != source { isWanted = false }
    // Recorders of an unwanted source cannot be chosen.
    if isWanted, let recorder, !recorders.contains(recorder) { recorders.append(recorder) }
    if let wanted = choice.recorder, wanted != recorder { isWanted = false }
    last = (item.source, item.recorder, isWanted)
    return isWanted
  }

  /// Rejects a file without the chosen source or recorder, and one with several sources of which none is chosen.
  func check() throws(SensorError) {
    try check("source", choice.source, among: sources)
    try check("recorder", choice.recorder, among: recorders)
    guard choice.source != nil || sources.count <= 1 else {
      let list = sources.map { "“\($0)”" }.joined(separator: ", ")
      throw SensorError("replay", path, "it holds items of \(list)", advice: "choose one with ?source=NAME")
    }
  }

  private func check(_ kind: String, _ wanted: String?, among found: [String]) throws(SensorError) {
    guard let wanted, !found.contains(wanted) else { return }
    throw SensorError(
      "replay", path, "it holds no items of the \(kind) “\(wanted)”",
      advice: found.isEmpty ? nil : Spelling.advice(for: wanted, among: found))
  }

  /// The source of the wanted items, if the file names it.
  var source: String? { choice.source ?? sources.first }
}

internal import Analysis
internal import JSON
internal import Quantities

/// Sorts the items of a heart file by their recorders, and finds what contradicts itself.
struct HeartDocument {
  private struct Recorder {
    var beats = BeatTimes()
    var rates: [(time: Double, value: Double)] = []
    var sensor: String?
    var withoutContact = 0
    var late = 0
    var broken: [String] = []
    // The ratio of the sensor's rate to that of the intervals that came with it.
    var ratios: [Double] = []
  }

  private var recorders: [String: Recorder] = [:]
  private var order: [String] = []
  private var zero: WallTime?
  private var count = 0

  /// A document whose items have no time of a trial; their dates count from the first.
  init() {}

  /// Takes one item.
  mutating func take(_ item: JSONValue) {
    count += 1
    let name = item["recorder"]?.string ?? ""
    if recorders[name] == nil {
      recorders[name] = Recorder()
      order.append(name)
    }
    if let reason = Self.take(item, &zero, into: &recorders[name, default: Recorder()]) {
      recorders[name]?.broken.append("item \(count) is left out: \(reason)")
    }
  }

  /// The recordings, in the order in which their first items stand.
  func recordings(path: String, trial: TrialFacts?) -> [Recording] {
    order.compactMap { name in
      recorders[name].map { recorder in
        Recording(
          path: path, recorder: name.isEmpty ? nil : name, sensor: recorder.sensor, beats: recorder.beats.series,
          rates: HeartRates(recorder.rates), trial: trial, remarks: Self.remarks(recorder))
      }
    }
  }

  private static func take(_ item: JSONValue, _ zero: inout WallTime?, into recorder: inout Recorder) -> String? {
    guard let time = time(of: item, &zero) else { return "it has no time" }
    guard let name = item["type"]?.string, let type = QuantityType(name) else {
      return "its type is not known"
    }
    guard let value = item["value"]?.number, let symbol = item["unit"]?.string else { return "it has no value" }
    if let sensor = item["source"]?.string { recorder.sensor = sensor }
    if item["late"]?.bool == true { recorder.late += 1 }
    if item["contact"]?.bool == false {
      recorder.withoutContact += 1
      return nil
    }
    let number: Double
    do throws(QuantityError) {
      let quantity = try Quantity(value, try Unit(symbol))
      number = try quantity.value(in: type == .heartRate ? Unit("count/min") : Unit("ms"))
    } catch {
      return "\(error)"
    }
    switch type {
    case .rrInterval:
      recorder.beats.take([number], end: time)
    case .heartRate:
      if number > 0 { recorder.rates.append((time, number)) }
      let intervals = (item["rr_ms"]?.array ?? []).compactMap(\.number).filter { $0 > 0 }
      guard !intervals.isEmpty else { return nil }
      recorder.beats.take(intervals, end: time)
      let ofIntervals = 60_000 * Double(intervals.count) / intervals.reduce(0, +)
      if number > 0 { recorder.ratios.append(number / ofIntervals) }
    default:
      return "“\(name)” is neither a heart rate nor an interval between beats"
    }
    return nil
  }

  private static func time(of item: JSONValue, _ zero: inout WallTime?) -> Double? {
    if let nanoseconds = item["t_ns"]?.number { return nanoseconds / 1e9 }
    guard let text = (item["endDate"] ?? item["startDate"])?.string, let date = WallTime(text) else { return nil }
    let first = zero ?? date
    zero = first
    return first.duration(to: date).seconds
  }

  private static func remarks(_ recorder: Recorder) -> [String] {
    var remarks =
      recorder.broken.count > 3
      ? recorder.broken.prefix(3) + ["and \(recorder.broken.count - 3) more items are left out"] : recorder.broken
    if recorder.withoutContact > 0 {
      remarks.append("\(recorder.withoutContact) items are left out: the sensor did not touch the skin.")
    }
    if recorder.late > 0 { remarks.append("\(recorder.late) items arrived after the recorder had stopped.") }
    let ratios = recorder.ratios.sorted()
    if ratios.count >= 5, case let median = ratios[ratios.count / 2], (median - 1).magnitude > 0.1 {
      remarks.append(
        "The sensor's heart rates and its intervals contradict each other: the rates are "
          + "\((median * 100).rounded()) % of what the intervals say.")
    }
    return remarks
  }
}

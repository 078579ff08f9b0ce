import JSON
import Quantities
import Spelling

/// The items of a bundle's `heart.json`: `{"items":[{"type":…,"startDate":…,"unit":…,"value":…,"source":…,"t_ns":…}]}`.
///
/// Heart rates carry the intervals of their reading in `rr_ms`. Items of RR intervals repeat these, and are used only
/// where no heart rate of the file has any. Where two recorders have cut the same reading out of one stream, one of them must
/// be chosen; recorders of different times follow each other.
struct HeartDocument {
  struct Item: Equatable, Sendable {
    /// Nanoseconds since any origin.
    var time: Int64
    var sample: Sample
  }

  /// In the order of their times.
  let items: [Item]

  /// The source whose items they are, as far as the file says.
  let source: String?

  init(_ text: [UInt8], path: String, _ choice: Recording.Choice) throws(SensorError) {
    let root: JSONNode
    do {
      root = try JSONReader.read(text)
    } catch {
      let problem = error.problems[0]
      throw SensorError("replay", path, "\(TextPlace(offset: problem.offset, in: text)): \(problem.reason)")
    }
    guard case .object(let members) = root.content, let list = members.first(where: { $0.key == "items" })?.value,
      case .array(let nodes) = list.content
    else { throw SensorError("replay", path, "it is JSON, but has no “items”", advice: "a bundle's heart.json has") }

    var rates: [Item] = []
    var intervals: [Item] = []
    var sources = Names("source", of: choice.source)
    var recorders = Names("recorder", of: choice.recorder)
    var recorded: [Recorded: String] = [:]
    var doubled: [String] = []
    for node in nodes {
      let value = node.value
      guard sources.take(value["source"]?.string) else { continue }
      let recorder = value["recorder"]?.string
      guard recorders.take(recorder) else { continue }
      guard let type = QuantityType(value["type"]?.string ?? ""), QuantityType.recordable.contains(type) else {
        throw Self.fault(node, "an item of a type that no sensor records", text, path)
      }
      let item = try Self.item(node, value, type, text, path)
      if type == .heartRate { rates.append(item) } else { intervals.append(item) }
      guard let recorder else { continue }
      let other = recorded.updateValue(recorder, forKey: Recorded(type: type, time: item.time))
      if let other, other != recorder { doubled += [other, recorder].filter { !doubled.contains($0) } }
    }
    try sources.check(path)
    try recorders.check(path)
    guard choice.source != nil || sources.found.count <= 1 else {
      throw SensorError(
        "replay", path, "it holds items of \(sources.list)", advice: "choose one with ?source=NAME")
    }
    if let first = doubled.first {
      throw SensorError(
        "replay", path, "the recorders \(Names.list(doubled)) have recorded the same",
        advice: "choose one with \(path)#\(first)")
    }
    let repeated = rates.contains { !$0.sample.rrIntervals.isEmpty }
    items = (repeated ? rates : rates + intervals).enumerated()
      .sorted { ($0.element.time, $0.offset) < ($1.element.time, $1.offset) }.map(\.element)
    source = choice.source ?? sources.found.first
  }

  /// What one recorder has of each time.
  private struct Recorded: Hashable {
    let type: QuantityType
    let time: Int64
  }

  private static func item(
    _ node: JSONNode, _ value: JSONValue, _ type: QuantityType, _ text: [UInt8], _ path: String
  ) throws(SensorError) -> Item {
    guard let number = value["value"]?.number else { throw fault(node, "an item without a “value”", text, path) }
    guard let symbol = value["unit"]?.string, let unit = try? Unit(symbol), unit.isCompatible(with: type.defaultUnit)
    else {
      throw fault(node, "an item whose “unit” is none of its type", text, path)
    }
    let time: Int64
    if let nanoseconds = value["t_ns"]?.number, nanoseconds.magnitude < 1e18 {
      time = Int64(nanoseconds)
    } else if let date = value["startDate"]?.string.flatMap({ WallTime($0) }) {
      time = date.milliseconds * 1_000_000
    } else {
      throw fault(node, "an item with neither “t_ns” nor a “startDate”", text, path)
    }
    var sample = Sample(contact: value["contact"]?.bool, time: value["sender_s"]?.number)
    let converted = unit.convert(number, to: type.defaultUnit)
    if type == .heartRate {
      sample.heartRate = converted
      sample.rrIntervals = value["rr_ms"]?.array?.compactMap(\.number) ?? []
    } else {
      sample.rrIntervals = [converted]
    }
    if let complaint = sample.check() { throw fault(node, complaint, text, path) }
    return Item(time: time, sample: sample)
  }

  private static func fault(_ node: JSONNode, _ reason: String, _ text: [UInt8], _ path: String) -> SensorError {
    SensorError("replay", path, "\(TextPlace(offset: node.offset, in: text)): \(reason)")
  }
}

/// The names of one kind that stand in a document, and which of them is wanted.
private struct Names {
  private let kind: String
  private let wanted: String?
  private(set) var found: [String] = []

  init(_ kind: String, of wanted: String?) {
    self.kind = kind
    self.wanted = wanted
  }

  /// Notes an item's name, and says whether the item is wanted; one without a name is wanted where no name is.
  mutating func take(_ name: String?) -> Bool {
    if let name, !found.contains(name) { found.append(name) }
    return wanted == nil || name == wanted
  }

  /// Refuses a document in which what is wanted does not stand.
  func check(_ path: String) throws(SensorError) {
    guard let wanted, !found.contains(wanted) else { return }
    throw SensorError(
      "replay", path, "it holds no items of the \(kind) “\(wanted)”",
      advice: found.isEmpty ? nil : Spelling.advice(for: wanted, among: found))
  }

  var list: String { Self.list(found) }

  static func list(_ names: [String]) -> String { names.map { "“\($0)”" }.joined(separator: ", ") }
}

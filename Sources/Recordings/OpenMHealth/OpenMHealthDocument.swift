import Basics
import Quantities

/// One data point: what was measured, and a header that says where it comes from.
struct OpenMHealthDocument {
  private let header: JSONValue
  private let body: JSONValue
  /// The schema's name; `a document without a schema` where it says none.
  let name: String

  init(_ document: JSONValue) {
    header = document["header"] ?? .null
    body = document["body"] ?? .null
    name = header["schema_id"]?["name"]?.string ?? "a document without a schema"
  }

  /// What it measures; `nil` for what the station has no place for.
  var measure: OpenMHealthMeasure? { OpenMHealthMeasure.all[name] }

  /// The statistic that the value is, where it is none that stands for readings: a mean does, and of steps the sum.
  func statistic(otherThanReadingsOf measure: OpenMHealthMeasure) -> String? {
    guard let statistic = body["descriptive_statistic"]?.string else { return nil }
    let usual = measure.type.aggregationStyle.isCumulative ? ["sum"] : ["average", "median"]
    return usual.contains(statistic) ? nil : statistic
  }

  /// The sample; without a participant, of the one whose code the header has as its user.
  func sample(_ measure: OpenMHealthMeasure, participant: String?) throws(Refusal) -> QuantitySample {
    let participant = participant ?? header["user_id"]?.string.flatMap { StudyCode.isLegal($0) ? $0 : nil }
    let (value, unit) = try value(measure)
    let (start, end) = try times()
    let provenance = header["acquisition_provenance"] ?? .null
    let source = provenance["source_name"]?.string ?? "Open mHealth"
    let id = (header["id"] ?? header["uuid"])?.string
    let sample: QuantitySample
    do throws(QuantityError) {
      let quantity = try Quantity(value, unit)
      let metadata = try Metadata(metadata(provenance, id, participant))
      var identity = Identity("open-mhealth/2")
      identity.append(participant: participant)
      if let id {
        identity.append(id)
      } else {
        for text in [name, source, header["user_id"]?.string] { identity.append(text) }
        identity.append(start)
        identity.append(end)
        identity.append(try quantity.value(in: measure.type.canonicalUnit))
      }
      let revision = SourceRevision(source: Source(name: source, bundleIdentifier: "open-mhealth:\(source)"))
      sample = try QuantitySample(
        uuid: id.map { UUID($0) ?? identity.uuid } ?? identity.uuid(at: start), type: measure.type, quantity: quantity,
        start: start, end: end,
        sourceRevision: revision, metadata: metadata)
    } catch {
      throw Refusal(reason: "\(error)")
    }
    return try sample.kept()
  }

  private func value(_ measure: OpenMHealthMeasure) throws(Refusal) -> (Double, Unit) {
    let member = measure.member
    let written: (value: Double, unit: String)
    if let bare = measure.bareUnit, let number = body[member]?.number {
      written = (number, bare)
    } else if let number = body[member]?["value"]?.number, let unit = body[member]?["unit"]?.string {
      written = (number, unit)
    } else {
      throw Refusal(reason: "\(name) without “\(member)” with a value and a unit in its body")
    }
    guard let known = measure.units[written.unit] else {
      let units = measure.units.keys.sorted().map { "“\($0)”" }.joined(separator: ", ")
      throw Refusal(reason: "\(member) in “\(written.unit.prefix(40))”; its schema has \(units)")
    }
    return (written.value * known.factor, known.unit)
  }

  private func times() throws(Refusal) -> (WallTime, WallTime) {
    guard let frame = body["effective_time_frame"] else {
      throw Refusal(reason: "\(name) without “effective_time_frame” in its body")
    }
    if let time = frame["date_time"] {
      let time = try Self.time(time)
      return (time, time)
    }
    guard let interval = frame["time_interval"] else {
      throw Refusal(reason: "a time frame without “date_time” and without “time_interval”")
    }
    let start = try interval["start_date_time"].map { value throws(Refusal) in try Self.time(value) }
    let end = try interval["end_date_time"].map { value throws(Refusal) in try Self.time(value) }
    if let start, let end { return (start, end) }
    guard let number = interval["duration"]?["value"]?.number, let unit = interval["duration"]?["unit"]?.string,
      let duration = OpenMHealthMeasure.duration(number, unit)
    else { throw Refusal(reason: "a time interval without two of start, end and a duration in a unit of time") }
    if let start { return (start, start.advanced(by: duration)) }
    if let end { return (end.advanced(by: .zero - duration), end) }
    throw Refusal(reason: "a time interval without a start and without an end")
  }

  private static func time(_ value: JSONValue) throws(Refusal) -> WallTime {
    guard let time = value.string.flatMap({ WallTime($0) }) else {
      throw Refusal(reason: "the time \(value.text().prefix(60)) is not one such as “2026-11-20T11:08:31+01:00”")
    }
    return time
  }

  // What else the data point says, under its own names.
  private func metadata(
    _ provenance: JSONValue, _ id: String?, _ participant: String?
  ) -> [String: Metadata.Value] {
    var values: [String: Metadata.Value] = [:]
    values[Metadata.Key.participant] = participant.map { .string($0) }
    if let id, !id.isEmpty { values[Metadata.Key.externalUUID] = .string(id) }
    if let user = header["user_id"]?.string { values["user_id"] = .string(user) }
    let modality = (provenance["modality"] ?? header["modality"])?.string
    if let modality {
      values["modality"] = .string(modality)
      values[Metadata.Key.wasUserEntered] = .bool(modality == "self-reported")
    }
    for key in Self.kept {
      if let text = body[key]?.string { values[key] = .string(text) }
    }
    return values
  }

  // Members of the body that are kept as metadata where they are texts.
  private static let kept = [
    "descriptive_statistic", "temporal_relationship_to_physical_activity", "temporal_relationship_to_sleep",
    "user_notes",
  ]

  /// The members of the body that are not read, in the order of their names.
  func unread(_ measure: OpenMHealthMeasure) -> [String] {
    guard case .object(let members) = body else { return [] }
    return members.filter { name, value in
      name != measure.member && name != "effective_time_frame" && !(Self.kept.contains(name) && value.string != nil)
    }
    .map(\.key).sorted()
  }
}

package import Basics
package import Quantities
import SampleStore
import Synchronization

/// Samples as lines for people, rows of tables, and JSON.
package struct SampleRendering: Sendable {
  let unit: Unit
  let zone: TimeZone

  /// A sample as a line for people, in columns of fixed width.
  package func line(_ sample: QuantitySample) throws -> String {
    let value = try sample.quantity.plainValue(in: unit)
    let start = zone.text(sample.start)
    let lasting = sample.start == sample.end ? "" : "  until \(zone.text(sample.end))"
    let number = value.brief.padded(to: 10, isRight: true)
    return "\(start)  \(number) \(unit)  \(sample.sourceRevision.source.name.visible)\(lasting)"
      + (sample.metadata[Metadata.Key.foodType].map { "  \($0.text.visible)" } ?? "")
  }

  /// A sample as an item of ResearchKit's heart files, with HealthKit's names for the other members.
  package func json(_ sample: QuantitySample) throws -> JSONValue {
    var members = Self.members(
      sample.uuid, sample.type.healthKitIdentifier, sample.start, sample.end, sample.sourceRevision, sample.device,
      sample.metadata)
    members["unit"] = .string("\(unit)")
    members["value"] = .number(try sample.value(in: unit))
    return .object(members)
  }

  /// A series of heartbeats as JSON, with its beats in seconds after its start.
  package static func json(_ series: HeartbeatSeries) -> JSONValue {
    var members = members(
      series.uuid, SampleType.heartbeatSeries.healthKitIdentifier, series.start, series.end, series.sourceRevision,
      series.device, series.metadata)
    members["beats"] = .array(
      series.beats.map { beat in
        ["time_s": .number(beat.timeSinceStart.seconds), "precededByGap": .bool(beat.isPrecededByGap)]
      })
    return .object(members)
  }

  /// A series of heartbeats as a line for people.
  package static func line(_ series: HeartbeatSeries, _ zone: TimeZone) -> String {
    "\(zone.text(series.start))  \(series.beats.count.counted("beat"))  \(series.sourceRevision.source.name.visible)"
  }

  /// The header row of a table of heartbeats.
  package static let beatColumns = "uuid,startDate,time_s,precededByGap"

  /// The beats of a series as rows, each with its seconds after the start.
  package static func rows(_ series: HeartbeatSeries) -> [String] {
    series.beats.map { "\(series.uuid),\(series.start.precise),\($0.timeSinceStart.seconds),\($0.isPrecededByGap)" }
  }

  /// The header row of a table of samples.
  package static let columns =
    (["uuid,type,startDate,endDate,value,unit,sourceName,sourceBundleIdentifier,sourceVersion,device"]
    + SampleKey.all.map(\.name) + ["metadata"]).joined(separator: ",")

  /// A sample as an RFC 4180 row.
  package func row(_ sample: QuantitySample) throws -> String {
    let source = sample.sourceRevision
    return TableRow.text([
      "\(sample.uuid)", sample.type.healthKitIdentifier, sample.start.precise, sample.end.precise,
      "\(try sample.quantity.plainValue(in: unit))", "\(unit)", source.source.name, source.source.bundleIdentifier,
      source.version ?? "", sample.device?.name ?? "",
    ]) + "," + metadata.text(of: sample.metadata)
  }

  private let metadata = MetadataColumns()

  /// Renders values in a unit, and times in a zone.
  package init(unit: Unit, zone: TimeZone) {
    self.unit = unit
    self.zone = zone
  }

  /// The metadata columns: the keys that commands have names for, and the rest as a JSON object.
  private final class MetadataColumns: Sendable {
    // Samples of one trial mostly have the same metadata.
    private let last = Mutex<(metadata: Metadata, text: String)?>(nil)

    func text(of metadata: Metadata) -> String {
      last.withLock { last in
        if let last, last.metadata == metadata { return last.text }
        var rest = metadata.values
        let named = SampleKey.all.map { rest.removeValue(forKey: $0.key)?.text ?? "" }
        let others = rest.isEmpty ? "" : JSONValue.object(rest.mapValues(SampleRendering.json)).text()
        let text = TableRow.text(named + [others])
        last = (metadata, text)
        return text
      }
    }
  }

  private static func members(
    _ uuid: UUID, _ type: String, _ start: WallTime, _ end: WallTime, _ revision: SourceRevision, _ device: Device?,
    _ metadata: Metadata
  ) -> [String: JSONValue] {
    var source: [String: JSONValue] = [
      "name": .string(revision.source.name), "bundleIdentifier": .string(revision.source.bundleIdentifier),
    ]
    for (key, value) in [
      ("version", revision.version), ("productType", revision.productType),
      ("operatingSystemVersion", revision.operatingSystemVersion),
    ] { source[key] = value.map { .string($0) } }
    var members: [String: JSONValue] = [
      "uuid": .string("\(uuid)"), "type": .string(type), "startDate": .string(start.precise),
      "endDate": .string(end.precise), "source": .string(revision.source.name), "sourceRevision": .object(source),
    ]
    if let device { members["device"] = .object(json(device)) }
    if !metadata.isEmpty { members["metadata"] = .object(metadata.values.mapValues(json)) }
    return members
  }

  private static func json(_ device: Device) -> [String: JSONValue] {
    let texts: [(String, String?)] = [
      ("name", device.name), ("manufacturer", device.manufacturer), ("model", device.model),
      ("hardwareVersion", device.hardwareVersion), ("firmwareVersion", device.firmwareVersion),
      ("softwareVersion", device.softwareVersion), ("localIdentifier", device.localIdentifier),
      ("udiDeviceIdentifier", device.udiDeviceIdentifier),
    ]
    return Dictionary(uniqueKeysWithValues: texts.compactMap { key, text in text.map { (key, .string($0)) } })
  }

  fileprivate static func json(_ value: Metadata.Value) -> JSONValue {
    switch value {
    case .string(let text): .string(text)
    case .number(let number): .number(number)
    case .bool(let flag): .bool(flag)
    case .date(let time): .string(time.precise)
    case .quantity(let quantity): ["value": .number(quantity.value), "unit": .string("\(quantity.unit)")]
    }
  }
}

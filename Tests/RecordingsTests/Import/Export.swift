import Basics
import Quantities
import Recordings
import TestSupport
import Testing

/// What a file holds, read to its end.
struct Whole {
  var samples: [QuantitySample] = []
  var series: [HeartbeatSeries] = []
  var report = ImportReport()
  /// Why it could not be read to its end.
  var error: ImportError?

  init(_ path: String, options: ImportOptions = ImportOptions()) throws(ImportError) {
    var file = try SampleFile(path, options: options)
    do throws(ImportError) {
      while let batch = try file.next() {
        samples += batch.samples
        series += batch.series
      }
    } catch {
      self.error = error
    }
    report = file.report
  }

  /// What a text holds.
  init(text: String, options: ImportOptions = ImportOptions()) throws {
    let scratch = try ScratchFolder()
    try File.create(scratch["file"], Array(text.utf8))
    try self.init(scratch["file"], options: options)
  }
}

/// Apple Health exports for the tests.
enum Export {
  /// The document type as Apple writes it, shortened.
  static let definitions = """
    <?xml version="1.0" encoding="UTF-8"?>
    <!DOCTYPE HealthData [
    <!-- HealthKit Export Version: 13 -->
    <!ELEMENT HealthData (ExportDate,Me,(Record|Correlation|Workout|ActivitySummary)*)>
    <!ATTLIST HealthData
      locale CDATA #REQUIRED
    >
    <!ELEMENT Record ((MetadataEntry|HeartRateVariabilityMetadataList)*)>
    <!ATTLIST Record
      type          CDATA #REQUIRED
      unit          CDATA #IMPLIED
      value         CDATA #IMPLIED
    >
    <!-- Note: Any Records that appear as children of a correlation also appear as top-level records [here]. -->
    ]>

    """

  static let opening = """
    <HealthData locale="nl_NL">
     <ExportDate value="2026-11-20 10:00:00 +0100"/>
     <Me HKCharacteristicTypeIdentifierDateOfBirth="1990-01-02" \
    HKCharacteristicTypeIdentifierBiologicalSex="HKBiologicalSexFemale"/>

    """

  /// An export of these records, each on lines of its own; the first is on line 22.
  static func text(_ records: [String]) -> String {
    definitions + opening + records.map { $0 + "\n" }.joined() + "</HealthData>\n"
  }

  /// HealthKit's description of a watch, with an address that differs from export to export.
  static func watch(address: String = "0x2818c8a50") -> String {
    "&lt;&lt;HKDevice: \(address)&gt;, name:Apple Watch, manufacturer:Apple Inc., model:Watch, hardware:Watch6,2, "
      + "software:10.3.1, creation date:2023-05-01 08:00:00 +0000&gt;"
  }

  /// A record; what is `nil` is left out.
  static func record(
    type: String? = "HKQuantityTypeIdentifierHeartRate", source: String? = "Anna’s Apple&#160;Watch",
    device: String? = watch(), unit: String? = "count/min", created: String? = "2026-11-20 11:00:05 +0100",
    start: String? = "2026-11-20 11:00:00 +0100", end: String? = "2026-11-20 11:00:04 +0100", value: String? = "72",
    inside: String = ""
  ) -> String {
    let attributes = [
      ("type", type), ("sourceName", source), ("sourceVersion", "10.3.1"), ("device", device), ("unit", unit),
      ("creationDate", created), ("startDate", start), ("endDate", end), ("value", value),
    ].compactMap { name, value in value.map { " \(name)=\"\($0)\"" } }.joined()
    return inside.isEmpty ? " <Record\(attributes)/>" : " <Record\(attributes)>\n\(inside)\n </Record>"
  }

  /// A heart-rate variability with two of its beats.
  static var variability: String {
    record(
      type: "HKQuantityTypeIdentifierHeartRateVariabilitySDNN", unit: "ms", start: "2026-11-20 22:04:06 +0100",
      end: "2026-11-20 22:05:05 +0100", value: "45.5",
      inside: "<InstantaneousBeatsPerMinute bpm=\"64\" time=\"10:04:06.61\u{202F}PM\"/>\n"
        + "<InstantaneousBeatsPerMinute bpm=\"67\" time=\"10:04:07.50\u{202F}PM\"/>")
  }

  /// Many records of several types, sources and days.
  static func many(_ count: Int) -> [String] {
    (0..<count).map { index in
      let time = "2026-0\(1 + index / 2000 % 9)-1\(index % 7) 1\(index % 10):2\(index / 7 % 10):0\(index % 9) +0100"
      return switch index % 3 {
      case 0:
        record(
          start: time, end: time, value: "\(50 + index % 100)",
          inside: "  <MetadataEntry key=\"HKMetadataKeyHeartRateMotionContext\" value=\"\(index / 3 % 3)\"/>")
      case 1:
        record(type: "HKQuantityTypeIdentifierStepCount", unit: "count", start: time, end: time, value: "\(index)")
      default:
        record(
          type: "HKQuantityTypeIdentifierDistanceWalkingRunning", source: "Anna&apos;s iPhone", device: nil, unit: "km",
          start: time, end: time, value: "0.\(index)")
      }
    }
  }
}

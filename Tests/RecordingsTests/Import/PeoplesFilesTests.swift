import Basics
import Foundation
import Quantities
import Recordings
import TestSupport
import Testing

@Suite("Files as people have them")
struct PeoplesFilesTests {
  private static let time = "2026-11-20T11:00:00Z"

  @Test(
    "A table whose column says what it holds needs no other",
    arguments: [
      ("Time;HR", QuantityType.heartRate, Quantities.Unit.countPerMinute, 72.0),
      ("time,Heart Rate (bpm)", .heartRate, .countPerMinute, 72),
      ("timestamp,RR (ms)", .rrInterval, .millisecond, 800), ("time\trr_s", .rrInterval, .second, 0.8),
    ])
  func measures(header: String, type: QuantityType, unit: Quantities.Unit, value: Double) throws {
    let delimiter = header.first { ";,\t".contains($0) } ?? ","
    let number = delimiter == ";" ? "\(value)".replacingOccurrences(of: ".", with: ",") : "\(value)"
    let whole = try Whole(text: "\(header)\n\(Self.time)\(delimiter)\(number)\n")
    #expect(whole.report.problems == [] && whole.error == nil)
    let sample = try #require(whole.samples.first)
    #expect(sample.type == type)
    #expect(try sample.value(in: unit) == value)
    #expect(whole.report.ignoredColumns == [])
  }

  @Test("Two columns of values are refused, with their names")
  func twoMeasures() throws {
    let whole = try Whole(text: "time,hr,rr\n\(Self.time),60,1000\n")
    #expect(whole.samples.isEmpty)
    #expect("\(try #require(whole.error))".contains("“hr” and “rr” both hold values"))
  }

  @Test("Each row's participant is its own; what is not a code is refused with one that is")
  func participants() throws {
    let table =
      "time,value,unit,type,participant\n\(Self.time),60,bpm,heartRate,p01\n\(Self.time),60,bpm,heartRate,p02\n"
    let whole = try Whole(text: table + "\(Self.time),60,bpm,heartRate,p_3\n\(Self.time),60,bpm,heartRate,\n")
    #expect(whole.samples.map(\.metadata.participant) == ["p01", "p02", nil])
    #expect(Set(whole.samples.map(\.uuid)).count == 3)
    #expect(whole.report.refused == 1 && whole.report.problems[0].reason.contains("“p3”"))
    let other = try Whole(
      text: "time,value,unit,type\n\(Self.time),60,bpm,heartRate\n", options: .init(participant: "p01"))
    #expect(other.samples.first?.uuid == whole.samples[0].uuid)
  }

  @Test("A percent in a table is a hundredth, and what people cannot have is counted and kept")
  func percent() throws {
    let rows = ["98,%,oxygenSaturation", "0.98,count,oxygenSaturation", "98,count,oxygenSaturation", "175,m,height"]
    let whole = try Whole(text: "time,value,unit,type\n" + rows.map { "\(Self.time),\($0)\n" }.joined())
    #expect(whole.samples.map(\.value) == [0.98, 0.98, 98, 175])
    #expect(whole.report.implausible == [.oxygenSaturation: 1, .height: 1])
  }

  @Test("Rows that say the same at the same time are counted")
  func repeated() throws {
    let rows = ["60", "61", "60", "60"].map { "\(Self.time),\($0)\n" } + ["2026-11-20T11:00:01Z,60\n"]
    let whole = try Whole(text: "time,hr\n" + rows.joined())
    #expect(whole.report.samples == 5 && whole.report.repeated == 2 && whole.report.firstRepeated == 4)
  }

  @Test("An unreadable date of birth or sex is reported, an empty one says nothing")
  func person() throws {
    func text(_ birth: String, _ sex: String) -> String {
      Export.definitions + """
        <HealthData locale="nl_NL">
         <Me HKCharacteristicTypeIdentifierDateOfBirth="\(birth)" HKCharacteristicTypeIdentifierBiologicalSex="\(sex)"/>
        </HealthData>
        """
    }
    let bad = try Whole(text: text("31.05.1990", "woman"))
    #expect(bad.report.noted == 2 && bad.report.person == Person())
    let empty = try Whole(text: text("", "HKBiologicalSexNotSet"))
    #expect(empty.report.noted == 0)
  }

  @Test(
    "Beats go on where the clocks are put back or forward",
    arguments: [("02:59:59.50", "02:00:00.50", "02:00:01.40"), ("01:59:59.50", "03:00:00.50", "03:00:01.40")])
  func clocks(_ times: (String, String, String)) throws {
    let beats = [times.0, times.1, times.2].map { "<InstantaneousBeatsPerMinute bpm=\"60\" time=\"\($0)\"/>" }
    let record = Export.record(
      type: "HKQuantityTypeIdentifierHeartRateVariabilitySDNN", unit: "ms", start: "2026-10-25 02:59:59 +0200",
      end: "2026-10-25 02:00:59 +0100", value: "45.5",
      inside: "  <HeartRateVariabilityMetadataList>\n" + beats.joined(separator: "\n")
        + "\n  </HeartRateVariabilityMetadataList>")
    let whole = try Whole(text: Export.text([record]))
    #expect(whole.report.notes == [])
    let series = try #require(whole.series.first)
    #expect(series.beats.map(\.timeSinceStart) == [.seconds(1), .seconds(2), .milliseconds(2900)])
  }

  @Test("An export is read out of the archive that the phone wrote")
  func archive() throws {
    let scratch = try ScratchFolder()
    let folder = scratch["apple_health_export"]
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    let record = Export.record(
      type: "HKQuantityTypeIdentifierHeartRate", unit: "count/min", start: "2026-11-20 11:00:00 +0100",
      end: "2026-11-20 11:00:00 +0100", value: "62", inside: "")
    try File.create("\(folder)/Exportación [1].xml", Array(Export.text([record]).utf8))
    try File.create("\(folder)/export_cda.xml", Array("<ClinicalDocument/>".utf8))
    let zip = Process()
    zip.executableURL = URL(filePath: "/usr/bin/python3")
    zip.arguments = ["-m", "zipfile", "-c", scratch["export.zip"], folder]
    try zip.run()
    zip.waitUntilExit()
    let whole = try Whole(scratch["export.zip"])
    #expect(whole.error == nil && whole.samples.count == 1)
    #expect(try whole.samples.first?.value(in: .countPerMinute) == 62)
    // Half an archive is no whole file.
    let bytes = try File.contents(of: scratch["export.zip"])
    try File.create(scratch["half.zip"], Array(bytes.prefix(bytes.count / 2)))
    #expect(throws: ImportError.self) { _ = try Whole(scratch["half.zip"]) }
  }
}

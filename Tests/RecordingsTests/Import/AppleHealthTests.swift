import Basics
import TestSupport
import Testing

@testable import Quantities
@testable import Recordings

@Suite("An Apple Health export")
struct AppleHealthTests {
  @Test("A heart rate keeps its value, times, source, device and metadata")
  func heartRate() throws {
    let entries = """
        <MetadataEntry key="HKMetadataKeyHeartRateMotionContext" value="1"/>
        <MetadataEntry key="HKWasUserEntered" value="0"/>
        <MetadataEntry key="Note" value="after &quot;coffee&quot;"/>
      """
    let whole = try Whole(text: Export.text([Export.record(inside: entries)]))
    #expect(whole.error == nil)
    #expect(whole.report.problems == [])
    let sample = try #require(whole.samples.first)
    #expect(sample.type == .heartRate)
    let perMinute = try sample.value(in: .countPerMinute)
    #expect(perMinute == 72)
    #expect(sample.start == WallTime("2026-11-20T10:00:00Z"))
    #expect(sample.end == WallTime("2026-11-20T10:00:04Z"))
    #expect(sample.sourceRevision.source.name == "Anna’s Apple\u{A0}Watch")
    #expect(sample.sourceRevision.version == "10.3.1")
    #expect(
      sample.device
        == Device(
          name: "Apple Watch", manufacturer: "Apple Inc.", model: "Watch", hardwareVersion: "Watch6,2",
          softwareVersion: "10.3.1"))
    #expect(sample.metadata.motionContext == .sedentary)
    #expect(sample.metadata[Metadata.Key.wasUserEntered] == .bool(false))
    #expect(sample.metadata["Note"] == .string("after \"coffee\""))
    #expect(sample.uuid.version == 8)
  }

  @Test("The person and the day of the export are reported")
  func person() throws {
    let report = try Whole(text: Export.text([])).report
    #expect(report.person.dateOfBirth == CalendarDate("1990-01-02"))
    #expect(report.person.sex == .female)
    #expect(report.exported == WallTime("2026-11-20T09:00:00Z"))
  }

  @Test("A type of HealthKit's that is none of the station's own is kept under HealthKit's name")
  func otherTypes() throws {
    let record = Export.record(
      type: "HKQuantityTypeIdentifierVO2Max", unit: "mL/min·kg", value: "41.5")
    let sample = try #require(try Whole(text: Export.text([record])).samples.first)
    #expect(sample.type.identifier == "vo2Max")
    #expect(sample.type.healthKitIdentifier == "HKQuantityTypeIdentifierVO2Max")
    let uptake = try sample.value(in: Unit("mL/min·kg"))
    #expect(abs(uptake - 41.5) < 1e-9)
    let distance = Export.record(type: "HKQuantityTypeIdentifierDistanceCycling", unit: "km", value: "1.25")
    let ride = try #require(try Whole(text: Export.text([distance])).samples.first)
    #expect(ride.type.aggregationStyle == .cumulative)
    #expect(ride.value == 1250)
  }

  @Test("What is not a quantity is counted by name")
  func leftOut() throws {
    let whole = try Whole(
      text: Export.text([
        Export.record(
          type: "HKCategoryTypeIdentifierSleepAnalysis", unit: nil, value: "HKCategoryValueSleepAnalysisInBed"),
        Export.record(type: "HKQuantityTypeIdentifierOfTomorrow"), Export.record(),
        " <Workout workoutActivityType=\"HKWorkoutActivityTypeWalking\">\n <WorkoutEvent/>\n </Workout>",
        " <Correlation type=\"HKCorrelationTypeIdentifierBloodPressure\">\n\(Export.record())\n </Correlation>",
        Export.record(type: "HKQuantityTypeIdentifierOfTomorrow"),
      ]))
    #expect(whole.samples.count == 1)
    #expect(whole.report.refused == 0)
    #expect(
      whole.report.leftOut == [
        "HKCategoryTypeIdentifierSleepAnalysis": 1, "HKQuantityTypeIdentifierOfTomorrow": 2, "Workout": 1,
        "Correlation": 1,
      ])
  }

  @Test(
    "A record that cannot be read is told with its line and the reason",
    arguments: [
      (Export.record(unit: "count/hour"), "Unable to parse factorization string count/hour"),
      (Export.record(unit: nil), "heartRate without a unit"),
      (Export.record(unit: "kg"), "HKQuantityTypeIdentifierHeartRate"),
      (Export.record(value: "NaN"), "the value “NaN” is not a number"),
      (Export.record(value: "inf"), "the value “inf” is not a number"),
      (Export.record(value: "7,2"), "the value “7,2” is not a number"),
      (Export.record(value: "0x1p3"), "the value “0x1p3” is not a number"),
      (Export.record(value: nil), "a record without a value"),
      (Export.record(value: "-3"), "below zero"),
      (Export.record(start: "2026-02-30 11:00:00 +0100"), "the startDate “2026-02-30 11:00:00 +0100” is not a time"),
      (Export.record(start: nil), "a record without a startDate"),
      (Export.record(end: "yesterday"), "the endDate “yesterday” is not a time"),
      (Export.record(end: "2026-11-20 10:59:59 +0100"), "must not be later than endDate"),
      (Export.record(start: "0001-01-01 00:00:00 +0000"), "NSDate.distantPast"),
      (Export.record(created: "now"), "the creationDate “now” is not a time"),
      (Export.record(type: nil), "a record without a type"),
      (Export.record(source: nil), "a record without a source"),
      (Export.record(end: "2026-11-24 11:00:01 +0100"), "exceed the maximum allowed duration"),
      (Export.record(source: String(repeating: "é", count: 513)), "bytes, more than 1024"),
    ])
  func refused(_ record: String, _ reason: String) throws {
    let whole = try Whole(text: Export.text([Export.record(), record, Export.record(value: "80")]))
    #expect(whole.error == nil)
    let rates = try whole.samples.map { (sample) throws in try sample.value(in: .countPerMinute) }
    #expect(rates == [72, 80])
    #expect(whole.report.refused == 1)
    let problem = try #require(whole.report.problems.first)
    let text = Export.text([])
    #expect(problem.line == text.split(separator: "\n", omittingEmptySubsequences: false).count)
    #expect(problem.reason.contains(reason), "\(problem.reason)")
  }

  @Test(
    "A metadata entry that HealthKit would not take costs no value and no other entry, and is told",
    arguments: [
      (
        "<MetadataEntry key=\"HKMetadataKeyHeartRateMotionContext\" value=\"7\"/>",
        "HKMetadataKeyHeartRateMotionContext must be"
      ),
      ("<MetadataEntry key=\"x\"/>", "a metadata entry without a key or without a value"),
      ("<MetadataEntry key=\"HKMetadataKeySyncVersion\" value=\"1\"/>", "may not be provided if"),
      ("<MetadataEntry key=\"\(String(repeating: "k", count: 1025))\" value=\"1\"/>", "more than 1024"),
    ])
  func badEntry(_ entry: String, _ reason: String) throws {
    let good = "<MetadataEntry key=\"Note\" value=\"kept\"/>"
    let records = [Export.record(inside: entry + good), Export.record(value: "80", inside: entry + good)]
    let whole = try Whole(text: Export.text(records))
    #expect(whole.samples.map { $0.metadata["Note"] } == [.string("kept"), .string("kept")])
    #expect(whole.samples.allSatisfy { $0.metadata.values.count == 1 })
    #expect(whole.report.refused == 0)
    #expect(whole.report.noted == 2)
    #expect(whole.report.notes.first?.reason.contains(reason) == true, "\(whole.report.notes)")
  }

  @Test("Metadata without end are cut, and the values stay")
  func endlessMetadata() throws {
    let text = String(repeating: "a", count: 300_000)
    let long = (0..<5).map { "<MetadataEntry key=\"k\($0)\" value=\"\(text)\"/>\n" }.joined()
    let many = (0..<300).map { "<MetadataEntry key=\"k\($0)\" value=\"1\"/>" }.joined()
    let whole = try Whole(text: Export.text([Export.record(inside: long), Export.record(value: "80", inside: many)]))
    #expect(whole.samples.map(\.metadata.values.count) == [3, 256])
    #expect(whole.report.notes.count { $0.reason.contains("only the first") } == 2)
  }

  @Test("Remarks on what was read do not stand in the way of refusals")
  func notesAndProblems() throws {
    let note = Export.record(inside: "<MetadataEntry key=\"x\"/>")
    let bad = Export.record(value: "?")
    let report = try Whole(text: Export.text(Array(repeating: note, count: 50) + [bad])).report
    #expect(report.noted == 50)
    #expect(report.notes.count == ImportReport.maxProblems)
    #expect(report.problems.map(\.reason).count == 1)
  }

  @Test("Types have the styles and units of HealthKit's headers")
  func styles() throws {
    func type(_ name: String) -> QuantityType? { QuantityType(healthKit: name) }
    #expect(type("environmentalSoundReduction")?.aggregationStyle == .discreteEquivalentContinuousLevel)
    #expect(type("cyclingCadence")?.canonicalUnit == .countPerMinute)
    let centimetre = try Unit("cm")
    #expect(type("runningVerticalOscillation")?.canonicalUnit == centimetre)
    #expect(type("heartRate") == .heartRate)
    #expect(QuantityType.otherHealthKitNames.contains("vo2Max"))
  }

  @Test("Of many problems the first are reported, and all are counted")
  func manyProblems() throws {
    let report = try Whole(text: Export.text(Array(repeating: Export.record(value: "?"), count: 500))).report
    #expect(report.refused == 500)
    #expect(report.problems.count == ImportReport.maxProblems)
  }

  @Test("The export is found in the folder that it unpacks to, whatever the phone's language calls it")
  func folder() throws {
    let scratch = try ScratchFolder()
    try Folder.create(scratch["apple_health_export"])
    try File.create(scratch["apple_health_export/Exportación.xml"], Array(Export.text([Export.record()]).utf8))
    try File.create(
      scratch["apple_health_export/export_cda.xml"], Array("<?xml version=\"1.0\"?><ClinicalDocument/>".utf8))
    for path in [scratch.path, scratch["apple_health_export"]] { #expect(try Whole(path).samples.count == 1) }
    try Folder.create(scratch["empty"])
    #expect(throws: ImportError.self) { try Whole(scratch["empty"]) }
  }
}

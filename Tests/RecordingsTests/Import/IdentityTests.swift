import Basics
import Quantities
import Recordings
import Testing

@Suite("The identity of what is imported")
struct IdentityTests {
  @Test("A later export gives the same samples the same UUIDs")
  func laterExport() throws {
    let first = try Whole(text: Export.text([Export.record()]))
    let later = try Whole(
      text: Export.text([
        Export.record(value: "90"),
        // The same record from another process, in another time zone.
        Export.record(
          device: Export.watch(address: "0x99"), created: "2026-11-20 10:00:05 +0000",
          start: "2026-11-20 10:00:00 +0000", end: "2026-11-20 10:00:04 +0000", value: "72.0"),
      ]))
    #expect(later.samples[1] == first.samples[0])
    #expect(later.samples[0].uuid != first.samples[0].uuid)
  }

  @Test("Records that say the same are one; whatever tells them apart makes them two")
  func same() throws {
    let sync = { (id: String) in
      "<MetadataEntry key=\"HKMetadataKeySyncIdentifier\" value=\"\(id)\"/>"
        + "<MetadataEntry key=\"HKMetadataKeySyncVersion\" value=\"1\"/>"
    }
    let records = [
      Export.record(), Export.record(value: "73"), Export.record(source: "Ben’s Watch"), Export.record(device: nil),
      Export.record(created: "2026-11-20 11:00:06 +0100"), Export.record(end: "2026-11-20 11:00:05 +0100"),
      Export.record(start: "2026-11-20 10:59:59 +0100"), Export.record(inside: sync("a")),
      Export.record(inside: sync("b")), Export.record(type: "HKQuantityTypeIdentifierRestingHeartRate"),
    ]
    let whole = try Whole(text: Export.text(records + records))
    #expect(whole.report.problems == [])
    #expect(whole.samples.count == 2 * records.count)
    #expect(Set(whole.samples.map(\.uuid)).count == records.count)
  }

  @Test("Foods of one energy at one time are two; words that are added to a record later leave it the same")
  func food() throws {
    func food(_ name: String, _ more: String = "") -> String {
      Export.record(
        type: "HKQuantityTypeIdentifierDietaryEnergyConsumed", unit: "kcal", value: "95",
        inside: "<MetadataEntry key=\"HKFoodType\" value=\"\(name)\"/>\(more)")
    }
    let later = food("Apple", "<MetadataEntry key=\"HKFoodMeal\" value=\"breakfast\"/>")
    let uuids = try Whole(text: Export.text([food("Apple"), food("Pear"), later])).samples.map(\.uuid)
    #expect(uuids[0] == uuids[2])
    #expect(uuids[0] != uuids[1])
  }

  @Test("Participants' samples are different ones, and say whose they are, in every kind of file")
  func participants() throws {
    let texts = [
      Export.text([Export.record(), Export.record(value: "80", inside: "<MetadataEntry key=\"x\" value=\"1\"/>")]),
      "time,value,unit,type\n2026-11-20T10:00:00Z,72,bpm,heartRate\n", OpenMHealthTests.point(id: "1"),
      OpenMHealthTests.point(id: nil),
    ]
    for text in texts {
      let all = try [nil, "p01", "p02"].map { (code) throws in
        try Whole(text: text, options: ImportOptions(participant: code)).samples
      }
      let uuids = all.joined().map(\.uuid)
      #expect(Set(uuids).count == uuids.count, "\(text.prefix(40))")
      #expect(all[1].allSatisfy { $0.metadata.participant == "p01" })
    }
  }

  @Test("The unit in which a value is reported does not matter, whatever its last bits are")
  func units() throws {
    var generator = SplitMix64(seed: 11)
    var rows = ""
    let pairs = [
      ("bodyMass", "kg", "lb"), ("activeEnergyBurned", "kcal", "kJ"), ("distanceWalkingRunning", "km", "mi"),
    ]
    for index in 0..<1000 {
      let (type, unit, other) = pairs[index % 3]
      let value = Double(generator.next() % 1_000_000) / 1000 + 0.001
      let converted = try Quantity(value, Unit(unit)).value(in: Unit(other))
      for (number, unit) in [(value, unit), (converted, other)] {
        rows += "2026-11-20T10:00:00Z,\(number),\(unit),\(type),\(index)\n"
      }
    }
    let whole = try Whole(text: "time,value,unit,type,source\n" + rows)
    #expect(whole.samples.count == 2000)
    #expect(Set(whole.samples.map(\.uuid)).count == 1000)
  }

  @Test("Values that differ in their ninth digit are two, of any size")
  func digits() throws {
    let numbers = [
      "0", "1", "1.00000001", "9.99999999", "10", "99999999.9", "100000000", "1e-9", "1.00000001e-9", "1e30", "1e-250",
      "1.1e-250", "1e250", "123456789", "123456788", "999999999", "1000000000",
    ]
    let rows = numbers.map { "2026-11-20T10:00:00Z,\($0),count,stepCount\n" }.joined()
    let uuids = try Whole(text: "time,value,unit,type\n" + rows).samples.map(\.uuid)
    #expect(Set(uuids).count == numbers.count)
  }

  @Test("UUIDs sort by when their samples start, unless the file has identifiers")
  func order() throws {
    let records = ["10:59:59", "11:00:00", "11:00:01"].map {
      Export.record(start: "2026-11-20 \($0) +0100", end: "2026-11-20 11:00:04 +0100")
    }
    let uuids = try Whole(text: Export.text(records)).samples.map(\.uuid)
    #expect(uuids == uuids.sorted())
    #expect(uuids.allSatisfy { $0.version == 8 })
    func row(_ time: String) throws -> UUID? {
      try Whole(text: "time,value,unit,type,id\n\(time),72,bpm,heartRate,a\n").samples.first?.uuid
    }
    #expect(try row("2026-11-20T10:00:00Z") == row("2026-11-20T10:00:01Z"))
  }

  @Test("The UUID is the one that it always was")
  func fixed() throws {
    let sample = try #require(try Whole(text: Export.text([Export.record()])).samples.first)
    #expect(sample.uuid.description == "01a1f866-0d00-8cdc-af06-849f7631b26c")
    let row = "time,value,unit,type,source\n2026-11-20T11:00:00Z,72,count/min,heartRate,strap\n"
    #expect(try Whole(text: row).samples.first?.uuid.description == "01a1f89c-fb80-897a-9e2d-19a1f97d077c")
  }
}

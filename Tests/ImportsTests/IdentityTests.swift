import Imports
import Quantities
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

  @Test("The UUID is the one that it always was")
  func fixed() throws {
    let sample = try #require(try Whole(text: Export.text([Export.record()])).samples.first)
    #expect(sample.uuid.description == "50cd1e13-0f39-8eb5-b702-b97c2e107d32")
    let row = "time,value,unit,type,source\n2026-11-20T11:00:00Z,72,count/min,heartRate,strap\n"
    #expect(try Whole(text: row).samples.first?.uuid.description == "5856569d-c0f8-8fc3-8850-03405542cd1c")
  }
}

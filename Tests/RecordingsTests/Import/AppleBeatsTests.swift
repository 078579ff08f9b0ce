import Basics
import Quantities
import Recordings
import Testing

@Suite("The beats of an Apple Health export")
struct AppleBeatsTests {
  private static func record(_ beats: [(bpm: String, time: String)]) -> String {
    let entries = beats.map { "    <InstantaneousBeatsPerMinute bpm=\"\($0.bpm)\" time=\"\($0.time)\"/>" }
    return Export.record(
      type: "HKQuantityTypeIdentifierHeartRateVariabilitySDNN", unit: "ms", start: "2026-11-20 22:04:06 +0100",
      end: "2026-11-20 22:05:05 +0100", value: "45.5",
      inside: "  <HeartRateVariabilityMetadataList>\n" + entries.joined(separator: "\n")
        + "\n  </HeartRateVariabilityMetadataList>")
  }

  @Test(
    "Beats are read in the phone's language",
    arguments: [
      ["10:04:06.61 PM", "10:04:07.50 PM", "10:04:08.42 PM"],
      ["10:04:06.61\u{202F}PM", "10:04:07.50\u{202F}PM", "10:04:08.42\u{202F}PM"],
      ["22:04:06,61", "22:04:07,50", "22:04:08,42"],
      ["22.04.06,61", "22.04.07,50", "22.04.08,42"],
      ["下午10:04:06.61", "下午10:04:07.50", "下午10:04:08.42"],
      ["١٠:٠٤:٠٦٫٦١ م", "١٠:٠٤:٠٧٫٥٠ م", "١٠:٠٤:٠٨٫٤٢ م"],
      // Seen from a phone in a time zone that is a quarter of an hour off.
      ["02:49:06.61", "02:49:07.50", "02:49:08.42"],
    ])
  func languages(_ times: [String]) throws {
    let whole = try Whole(text: Export.text([Self.record(Array(zip(["64", "67", "65"], times)).map { ($0, $1) })]))
    #expect(whole.report.problems == [])
    #expect(whole.samples.map(\.value) == [45.5])
    let series = try #require(whole.series.first)
    // The first interval is that of 64 beats a minute.
    #expect(series.start == WallTime("2026-11-20T21:04:05.6725Z"))
    #expect(
      series.beats.map(\.timeSinceStart) == [
        .microseconds(937_500), .microseconds(1_827_500), .microseconds(2_747_500),
      ])
    #expect(series.beats.allSatisfy { !$0.isPrecededByGap })
    #expect(series.uuid != whole.samples[0].uuid)
    #expect(series.device == whole.samples[0].device)
  }

  @Test("A pause that is longer than the rate explains is a gap; midnight and noon are none")
  func gaps() throws {
    let record = Self.record([("60", "10:04:06.00 PM"), ("60", "10:04:07.00 PM"), ("60", "10:04:09.00 PM")])
    let series = try #require(try Whole(text: Export.text([record])).series.first)
    #expect(series.beats.map(\.isPrecededByGap) == [false, false, true])
    let midnight = Export.record(
      type: "HKQuantityTypeIdentifierHeartRateVariabilitySDNN", unit: "ms", start: "2026-11-20 23:59:58 +0100",
      end: "2026-11-21 00:01:00 +0100", value: "45",
      inside: "<InstantaneousBeatsPerMinute bpm=\"60\" time=\"11:59:59.50 PM\"/>"
        + "<InstantaneousBeatsPerMinute bpm=\"60\" time=\"12:00:00.50 AM\"/>")
    let night = try #require(try Whole(text: Export.text([midnight])).series.first)
    #expect(night.end == WallTime("2026-11-20T23:00:00.5Z"))
    #expect(night.beats.map(\.isPrecededByGap) == [false, false])
  }

  @Test(
    "Beats that cannot be read leave the value, and are told",
    arguments: [
      ([("64", "22:04:06,61"), ("64", "22:04:06,61")], "beat 2 does not come after the one before it"),
      ([("64", "22:40:06,61")], "the first beat does not lie within the record's own times"),
      ([("x", "22:04:06,61")], "the rate “x” of a beat"),
      ([("64", "ten past four")], "the time “ten past four” of a beat cannot be read"),
    ])
  func unreadable(_ beats: [(String, String)], _ reason: String) throws {
    let whole = try Whole(text: Export.text([Self.record(beats.map { ($0.0, $0.1) })]))
    #expect(whole.samples.count == 1)
    #expect(whole.series.isEmpty)
    #expect(whole.report.refused == 0)
    #expect(whole.report.notes.first?.reason.contains(reason) == true, "\(whole.report.notes)")
  }
}

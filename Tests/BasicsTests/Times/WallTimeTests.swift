import Basics
import Quantities
import TestSupport
import Testing

/// The reference is Python's `datetime`, whose proleptic Gregorian calendar runs from year 1 to 9999.
@Suite("Times of the calendar")
struct WallTimeTests {
  /// Both ends, steps that fall on every day of the year and time of the day, and the days around each century.
  static let times: [Int64] = {
    let first: Int64 = -62_135_596_800_000
    let last: Int64 = 253_402_300_799_999
    var times = [first, last, 0, -1, 1, 951_782_399_999, 951_782_400_000, 4_107_542_399_999, 4_107_542_400_000]
    times += stride(from: first, through: last, by: 26_291_746_123)
    for century in stride(from: 100, through: 9900, by: 100) {
      let start = Int64(Double(century - 1970) * 365.2425) * 86_400_000
      times += (-70...70).map { start + $0 * 86_400_000 + $0 }.filter { $0 >= first && $0 <= last }
    }
    return times
  }()

  @Test("Python's datetime writes the same text for every time, and that text is read back")
  func description() throws {
    let script = """
      import sys
      from datetime import datetime, timedelta
      for line in sys.stdin.read().split():
          print((datetime(1970, 1, 1) + timedelta(milliseconds=int(line))).isoformat(timespec="milliseconds") + "Z")
      """
    let python = try Program.run("python3", ["-c", script], input: Self.times.map { "\($0)\n" }.joined())
    let reference = python.output.split(separator: "\n")
    #expect(python.status == 0, "\(python.error)")
    try #require(reference.count == Self.times.count)
    let differing = zip(Self.times, reference).filter { time, text in
      WallTime(milliseconds: time).description != text || WallTime(String(text)) != WallTime(milliseconds: time)
    }
    #expect(differing.isEmpty, "\(differing.prefix(3))")
  }

  @Test(
    "Offsets, fractions and ResearchKit's form mean the same instant as in Python",
    arguments: [
      "2026-11-20T11:08:31Z", "2026-11-20t11:08:31.25z", "2026-11-20 11:08:31.250999+01:00",
      "2016-05-09T13:00:05-0700", "2024-02-29T23:59:59.999+14:00", "2000-02-29T00:00:00-12:30",
      "1969-12-31T23:59:59.999+00:00", "0001-01-02T00:00:00+0000",
    ])
  func reading(text: String) throws {
    let script = """
      import re, sys
      from datetime import datetime, timezone, timedelta
      text = re.sub(r"\\.([0-9]+)", lambda m: "." + (m[1] + "000000")[:6], sys.stdin.read().upper())
      text = re.sub(r"([+-][0-9]{2})([0-9]{2})$", r"\\1:\\2", text.replace("Z", "+00:00"))
      print((datetime.fromisoformat(text) - datetime(1970, 1, 1, tzinfo=timezone.utc)) // timedelta(milliseconds=1))
      """
    let python = try Program.run("python3", ["-c", script], input: text)
    let milliseconds = try #require(python.output.split(separator: "\n").first.flatMap { Int64($0) }, "\(python.error)")
    #expect(WallTime(text)?.milliseconds == milliseconds)
  }

  @Test("A leap second is the second after")
  func leapSecond() { #expect(WallTime("2016-12-31T23:59:60Z")?.description == "2017-01-01T00:00:00.000Z") }

  @Test(
    "What is not a time is refused",
    arguments: [
      "", "2026", "2026-11-20", "2026-11-20T11:08Z", "2026-11-20T11:08:31", "2026-02-29T00:00:00Z",
      "1900-02-29T00:00:00Z", "2026-04-31T00:00:00Z", "2026-13-01T00:00:00Z", "2026-00-01T00:00:00Z",
      "2026-01-00T00:00:00Z", "2026-01-01T24:00:00Z", "2026-01-01T00:60:00Z", "2026-01-01T00:00:61Z",
      "2026-01-01T00:00:00.Z", "2026-01-01T00:00:00+1", "2026-01-01T00:00:00+24:00", "2026-01-01T00:00:00+01:60",
      "2026-01-01T00:00:00Z ", " 2026-01-01T00:00:00Z", "2026-1-01T00:00:00Z", "+026-01-01T00:00:00Z",
      "2026-01-01T00:00:00\u{661}Z", "\u{FF12}26-01-01T00:00:00Z", "2026/01/01T00:00:00Z", "2026-01-01T00:00:00-",
      "2026-01-01T00:00:00.5",
    ])
  func refused(text: String) { #expect(WallTime(text) == nil) }

  @Test(
    "Later times are rounded down to the microsecond, and printed to the nearest millisecond",
    arguments: [
      (.nanoseconds(499_999), 1_000_499, "1970-01-01T00:00:01.000Z"),
      (.microseconds(500), 1_000_500, "1970-01-01T00:00:01.001Z"),
      (.nanoseconds(-500_001), 999_499, "1970-01-01T00:00:00.999Z"),
      (.nanoseconds(-1), 999_999, "1970-01-01T00:00:01.000Z"), (.zero, 1_000_000, "1970-01-01T00:00:01.000Z"),
      (.seconds(86_400), 86_401_000_000, "1970-01-02T00:00:01.000Z"),
    ] as [(Duration, Int64, String)])
  func advanced(duration: Duration, microseconds: Int64, text: String) {
    let time = WallTime(milliseconds: 1000).advanced(by: duration)
    #expect(time.microseconds == microseconds)
    #expect(time.description == text)
    #expect(WallTime(time.precise) == time)
    #expect(WallTime(milliseconds: 1000).duration(to: time) == .microseconds(microseconds - 1_000_000))
  }

  @Test("Year 1 and year 9999 are times, and no time wraps around")
  func ends() {
    #expect(WallTime.earliest.description == "0001-01-01T00:00:00.000Z")
    #expect(WallTime.latest.description == "9999-12-31T23:59:59.999Z")
    #expect(WallTime.latest.precise == "9999-12-31T23:59:59.999999Z")
    #expect(WallTime("9999-12-31T23:59:59.9999999Z") == .latest)
    #expect(WallTime(milliseconds: .max) == WallTime(microseconds: .max))
    #expect(WallTime(milliseconds: .min) == WallTime(microseconds: .min))
    #expect(WallTime.latest.advanced(by: .seconds(Int64.max)) > .latest)
  }

  @Test("Earlier sorts before later")
  func order() { #expect(WallTime(milliseconds: -1) < WallTime(milliseconds: 0)) }
}

import Basics
import TestSupport
import Testing

@testable import Quantities
@testable import Sensors

@Suite("A sensor that repeats a recording")
struct ReplaySensorTests {
  private let folder = TemporaryFolder()
  private let clock = HandClock()

  /// Everything that a file holds, with a clock that stands beyond its end: the times are in the readings.
  private func replay(
    _ text: String, source: String? = nil, latency: Duration = .zero
  ) async throws -> [SensorEvent] {
    let sensor = try ReplaySensor(folder.file(text), choosing: source, latency: latency)
    let stream = sensor.events(on: clock)
    clock.advance(by: .seconds(200_000))
    var events: [SensorEvent] = []
    for await event in stream { events.append(event) }
    #expect(events.last == .ended(reason: "“\(folder.path)/file” has ended"))
    return events.dropLast()
  }

  private func readings(_ events: [SensorEvent], since start: Moment) -> [[Double]] {
    events.flatMap { event -> [[Double]] in
      guard case .readings(let readings) = event else { return [] }
      return readings.map { [start.duration(to: $0.happened).seconds, $0.heartRate ?? 0] + $0.rrIntervals }
    }
  }

  @Test(
    "recognises the format by its content",
    arguments: [
      "{\"t\":100,\"hr\":72,\"rr\":[830]}\n{\"t\":100.83,\"hr\":73}\n", "t,hr,rr\n100,72,830\n100.83,73,",
      "100,72,830\n100.83,73,\n", "\n# from the bench\r\n100,72,830\r\n100.83,73,\r\n",
      // An index without a name, as pandas writes it; lines that end as on old computers.
      ",t,hr,rr\n0,100,72,830\n1,100.83,73,\n", ";t;hr;rr\r0;100;72;830\r1;100,83;73;\r",
      "\tt\thr\trr\n0\t100\t72\t830\n1\t100.83\t73\t\n", "100,72,830\r100.83,73,\r",
      """
      {"items": [
        {"type": "HKQuantityTypeIdentifierHeartRate", "startDate": "2026-11-20T10:00:00.830Z", "unit": "count/min",
         "value": 73, "source": "strap", "t_ns": 100830000000},
        {"type": "HKQuantityTypeIdentifierHeartRate", "unit": "count/s", "value": 1.2, "source": "strap",
         "t_ns": 100000000000, "rr_ms": [830], "contact": null}]}
      """,
      #"{"items":[{"type":"heartRate","startDate":"2026-11-20T10:00:00Z","unit":"bpm","value":72,"rr_ms":[830]},{"type":"heartRate","startDate":"2026-11-20T10:00:00.830Z","unit":"count/min","value":73},{"type":"rrInterval","startDate":"2026-11-20T10:00:00Z","unit":"ms","value":830}]}"#,
    ])
  func formats(text: String) async throws {
    let start = clock.now
    #expect(readings(try await replay(text), since: start) == [[0, 72, 830], [0.83, 73]])
  }

  @Test("takes a day in one column and a time of day in another as one instant", arguments: DatedTables.same)
  func days(text: String) async throws {
    let start = clock.now
    let read = readings(try await replay(text), since: start)
    #expect(read.map { $0[0] } == DatedTables.times && read.map { $0[1] } == DatedTables.rates)
  }

  @Test("refuses days that are not read beside times of day", arguments: DatedTables.refused.indices)
  func unreadDays(index: Int) throws {
    let path = folder.file(DatedTables.refused[index].text)
    #expect(throws: SensorError.self) { try ReplaySensor(path) }
  }

  @Test("paces lines without a time by their intervals, or by the second")
  func pace() async throws {
    let start = clock.now
    let events = try await replay("72,830\n72,840;850\n72\n72\n")
    #expect(readings(events, since: start).map { $0[0] } == [0, 1.69, 2.69, 3.69])
  }

  @Test(
    "reads a text of intervals as it is analysed",
    arguments: [
      "812\n830\n841\n", "812\r830\r841", "\u{FEFF}812 # first\r\n\r\n830\r\n\"\"\r\n841\r\n", "812,0\n830,0\n841,0\n",
    ])
  func textOfIntervals(text: String) async throws {
    let start = clock.now
    #expect(readings(try await replay(text), since: start) == [[0, 0, 812], [0.83, 0, 830], [1.671, 0, 841]])
  }

  @Test("takes single numbers that no heart has between its beats for rates")
  func singleNumbers() async throws {
    let start = clock.now
    #expect(readings(try await replay("72\n73\n"), since: start) == [[0, 72], [1, 73]])
  }

  @Test("does not wait for centuries that lie between two lines, and says so")
  func centuries() async throws {
    let start = clock.now
    let late = "time,hr\n2500-01-01T00:00:00Z,70\n2500-01-01T00:00:00.500Z,71\n"
    #expect(readings(try await replay(late), since: start) == [[0, 70], [0.5, 71]])
    let begun = clock.now
    let text = "time,hr\n0001-01-01T00:00:00Z,70\n2026-11-22T10:00:00Z,71\n2026-11-22T10:00:01Z,72\n"
    let events = try await replay(text)
    #expect(readings(events, since: begun) == [[0, 70], [1, 71], [2, 72]])
    #expect(events.contains(.noted("has a pause of 739941.4 days before line 3, which is not replayed")))
  }

  @Test("refuses what is not a file, with the sensor that reads it")
  func streams() {
    #expect(
      throws: SensorError(
        "replay", "/dev/null", "it is a FIFO or a device, not a recording", advice: "use lines:/dev/null")
    ) {
      _ = try ReplaySensor("/dev/null")
    }
  }

  @Test("uses intervals that stand alone")
  func intervals() async throws {
    let start = clock.now
    let text =
      #"{"items":[{"type":"rrInterval","t_ns":2e9,"unit":"s","value":0.9},{"type":"heartRate","t_ns":1e9,"unit":"count/min","value":70}]}"#
    #expect(readings(try await replay(text), since: start) == [[0, 70], [1, 0, 900]])
  }

  @Test("chooses among several sources")
  func sources() async throws {
    let text =
      #"{"items":[{"type":"heartRate","t_ns":0,"unit":"count/min","value":70,"source":"left"},{"type":"heartRate","t_ns":0,"unit":"count/min","value":80,"source":"right"}]}"#
    let start = clock.now
    #expect(readings(try await replay(text, source: "right"), since: start) == [[0, 80]])
    await #expect(
      throws: SensorError(
        "replay", "\(folder.path)/file", "it holds items of “left”, “right”", advice: "choose one with ?source=NAME")
    ) {
      _ = try await replay(text)
    }
    await #expect(
      throws: SensorError(
        "replay", "\(folder.path)/file", "it holds no items of the source “rigth”",
        advice: "did you mean “right”? there are “left”, “right”")
    ) {
      _ = try await replay(text, source: "rigth")
    }
  }

  @Test("repeats each reading once, whoever recorded it, or what one recorder has")
  func recorders() async throws {
    func item(_ recorder: String, _ type: String, _ time: Int, _ value: Double) -> String {
      let unit = type == "heartRate" ? "count/min" : "ms"
      return #"{"type":"\#(type)","t_ns":\#(time)e9,"unit":"\#(unit)","value":\#(value),"recorder":"\#(recorder)"}"#
    }
    func document(_ items: [String]) -> String { #"{"items":[\#(items.joined(separator: ","))]}"# }
    let both = document([
      item("whole", "heartRate", 0, 70), item("music", "heartRate", 0, 70), item("whole", "heartRate", 1, 71),
    ])
    let path = folder.file(both)
    let start = clock.now
    let deriving = try #require(try SensorAddress("replay:\(path)#whole").sensor() as? DerivingSensor)
    let sensor = try #require(deriving.base as? ReplaySensor)
    let stream = sensor.events(on: clock)
    clock.advance(by: .seconds(10))
    var events: [SensorEvent] = []
    for await event in stream { events.append(event) }
    #expect(readings(events, since: start) == [[0, 70], [1, 71]])
    let joined = clock.now
    #expect(readings(try await replay(both), since: joined) == [[0, 70], [1, 71]])
    #expect(
      throws: SensorError(
        "replay", path, "it holds no items of the recorder “hwole”",
        advice: "did you mean “whole”? there are “whole”, “music”")
    ) {
      _ = try SensorAddress("replay:\(path)#hwole").sensor()
    }
    // Recorders that follow each other, and one of the intervals beside one of the rate, say different things.
    let different = document([
      item("rest", "heartRate", 0, 70), item("music", "heartRate", 2, 75), item("rr", "rrInterval", 2, 850),
    ])
    let later = clock.now
    #expect(readings(try await replay(different), since: later) == [[0, 70], [2, 75], [2, 0, 850]])
    _ = folder.file("1,72,\n")
    #expect(throws: SensorError("replay", path, "only a heart.json has recorders to choose from")) {
      _ = try SensorAddress("replay:\(path)#whole").sensor()
    }
  }

  @Test("delivers at the pace of the recording, readings of one instant together, later by the latency")
  func timing() async throws {
    let sensor = try ReplaySensor(folder.file("5,72,\n5,,830\n6.5,73,\n"), latency: .milliseconds(200))
    let start = clock.now
    var events = sensor.events(on: clock).makeAsyncIterator()
    #expect(await events.next() == .connected(nil))
    for (due, count) in [(0.2, 2), (1.7, 1)] {
      async let event = events.next()
      await waitForSleepers(1, on: clock)
      let deadline = clock.nextDeadline
      #expect(deadline == start.advanced(by: Duration(seconds: due)))
      clock.advance(to: start.advanced(by: Duration(seconds: due)))
      let received = await event
      guard case .readings(let readings) = received else {
        Issue.record("expected readings")
        return
      }
      #expect(readings.count == count)
      #expect(
        readings.allSatisfy { $0.arrived == clock.now && $0.happened.duration(to: $0.arrived) == .milliseconds(200) })
    }
  }

  @Test("reports lines that it cannot read, and times that run back, and goes on")
  func faults() async throws {
    let events = try await replay("1,72,\nwhat\n2,73,\n1.5,74,\n3,75,5\n4,76,")
    #expect(rates(events) == [72, 73, 75, 76])
    #expect(
      events.filter { if case .unreadable = $0 { true } else { false } } == [
        .unreadable(line: 2, reason: "“what” is not a number"),
        .unreadable(line: 4, reason: "its time 1.5 s lies before the line above"),
        .unreadable(line: 5, reason: "rr 5 is outside 150…4000 ms"),
      ])
  }

  @Test(
    "refuses what is not a recording, with the place of the fault",
    arguments: [
      ("hello\nworld\n", "line 1: “hello” is not a number"), ("\u{1}\u{2}", "line 1: “��” is not a number"),
      ("{\n \"items\": [,]}", "line 2: nothing but white space; expected a JSON value"),
      ("{\"a\": 1,\n\"b\": 2}", "it is JSON, but has no “items”"),
      ("[1]", "line 1: it is not an object"),
      ("{\n\"items\":[\n{\"type\":\"steps\"}]}", "line 3: it has no type, no value or no unit"),
      ("{\"items\":[{\"type\":\"heartRate\",\"value\":72}]}", "line 1: it has no type, no value or no unit"),
      (
        "{\"items\":[{\"type\":\"heartRate\",\"value\":72,\"unit\":\"count/min\"}]}",
        "line 1: it has neither “t_ns” nor a date"
      ),
      (
        "{\"items\":[\n{\"type\":\"heartRate\",\"value\":72,\"unit\":\"count/min\",\"t_ns\":1},\n{",
        "line 3: the file ends in the middle of the value that begins in line 3"
      ),
      (
        "{\"items\":[{\"type\":\"heartRate\",\"value\":720,\"unit\":\"count/min\",\"t_ns\":1}]}",
        "line 1: hr 720 is outside 15…350"
      ),
    ])
  func refusal(text: String, reason: String) {
    let path = folder.file(text)
    do {
      _ = try ReplaySensor(path)
      Issue.record("“\(text)” was taken")
    } catch {
      #expect(error.subject == path)
      #expect(error.reason == reason)
    }
  }

  @Test(
    "reads the times of beats, and values with their types, as an analysis does",
    arguments: [
      ("beat_s\n1\n1.8\n2.65\n", [[0, 0, 800], [0.85, 0, 850]]),
      ("time,r_peaks_ms\n7,1000\n7,1800\n7,2650\n", [[0, 0, 800], [0.85, 0, 850]]),
      ("beat_s,hr\n1,75\n1.8,75\n", [[0, 75], [0.8, 75, 800]]),
      ("beat_s,rr_ms\n1,790\n1.8,800\n", [[0, 0, 790], [0.8, 0, 800]]),
      // A quoted field may contain the delimiter, and quotes.
      ("time,device,hr\n0,\"strap, left\",72\n1,\"\"\"H10\"\", right\",73\n", [[0, 72], [1, 73]]),
      (
        "endDate,type,value,unit\n2026-11-20T10:00:00Z,heartRate,1.2,count/s\n2026-11-20T10:00:01Z,rrInterval,0.8,s\n",
        [[0, 72], [1, 0, 800]]
      ),
    ])
  func tables(text: String, expected: [[Double]]) async throws {
    let start = clock.now
    let found = readings(try await replay(text), since: start)
    #expect(found.map { $0.map { ($0 * 1e6).rounded() / 1e6 } } == expected)
  }

  @Test("ends no interval at a beat after a gap, and tells its line")
  func beatGap() async throws {
    let events = try await replay("beat_s\n1\n1.8\n2.6\n62\n62.8\n")
    #expect(
      events.filter { if case .unreadable = $0 { true } else { false } } == [
        .unreadable(line: 5, reason: "its beat comes 59.4 s after the one above, which is not an interval")
      ])
    #expect(readings(events, since: clock.now).count == 3)
  }

  @Test(
    "names the columns that it does not read, once",
    arguments: [
      ("time,hr,foo\n0,72,a\n1,73,b\n", "has one column that is not read: “foo”"),
      (",time,hr,foo\n0,0,72,a\n", "has 2 columns that are not read: column 1, which has no name, “foo”"),
      (
        "startDate,endDate,hr\n2026-11-20T10:00:00Z,2026-11-20T10:00:01Z,61\n",
        "has one column that is not read: “startDate”"
      ),
    ])
  func unread(text: String, note: String) async throws {
    #expect(try await replay(text).filter { if case .noted = $0 { true } else { false } } == [.noted(note)])
  }

  @Test(
    "says which recorder a recording of intervals without heart rates needs",
    arguments: [
      ("812\n830\n841\n", true), ("time,rr_ms\n0,812\n1,830\n", true), ("{\"rr\":[812]}\n{\"rr\":[830]}\n", true),
      ("time,hr\n0,72\n1,73\n", false), ("{\"hr\":70,\"rr\":[812]}\n{\"rr\":[830]}\n", false),
    ])
  func intervalsOnly(text: String, isNoted: Bool) async throws {
    let notes = try await replay(text).compactMap { if case .noted(let note) = $0 { note } else { nil } }
    #expect(notes.count == (isNoted ? 1 : 0) && notes.allSatisfy { $0.contains("rrInterval") })
  }

  @Test("names no column where each is read")
  func allRead() async throws {
    let events = try await replay("time,hr,rr,contact\n0,72,830,1\n")
    #expect(!events.contains { if case .noted = $0 { true } else { false } })
  }

  @Test("chooses among the sources of a table")
  func tableSources() async throws {
    let text = "time,hr,source\n0,70,left\n0,80,right\n1,71,left\n1,81,right\n"
    let start = clock.now
    let chosen = try await replay(text, source: "right")
    #expect(readings(chosen, since: start) == [[0, 80], [1, 81]])
    #expect(!chosen.contains { if case .noted = $0 { true } else { false } })
    let path = "\(folder.path)/file"
    await #expect(
      throws: SensorError("replay", path, "it holds rows of “left”, “right”", advice: "choose one with ?source=NAME")
    ) {
      _ = try await replay(text)
    }
    await #expect(
      throws: SensorError(
        "replay", path, "its first rows are none of the source “middle”", advice: "there are “left”, “right”")
    ) {
      _ = try await replay(text, source: "middle")
    }
    // A source that comes later is left out, and told.
    let later = clock.now
    let long = "time,hr,source\n" + (0..<10_000).map { "\($0),70,left\n" }.joined() + "10000,90,right\n10001,71,left\n"
    let events = try await replay(long)
    #expect(readings(events, since: later).map { $0[1] } == Array(repeating: 70, count: 10_000) + [71])
    #expect(
      events.contains(
        .noted("has rows of other sources, which are not replayed: “right” in line 10002 is the first")))
  }

  @Test("refuses a file without anything", arguments: ["", "\n", "# comment\n"])
  func nothing(text: String) {
    let path = folder.file(text)
    #expect(throws: SensorError("replay", path, "there is nothing in it")) { _ = try ReplaySensor(path) }
  }

  @Test("takes an empty recording for one without readings", arguments: ["hr,rr\n", "{\"items\":[]}"])
  func empty(text: String) async throws { #expect(try await replay(text) == [.connected(nil)]) }

  @Test("reads a day of beats as it goes")
  func day() async throws {
    let text = (0..<86_400).map { "\($0),7\($0 % 10),\(800 + $0 % 100)\n" }.joined()
    let events = try await replay(text)
    let start = Moment(nanoseconds: 1_000_000_000_000)
    let last = readings(Array(events.suffix(1)), since: start)
    #expect(last == [[86_399, 79, 899]])
    #expect(rates(events).count == 86_400)
  }
}

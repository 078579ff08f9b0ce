import Quantities
import Testing

@testable import Basics
@testable import Sound

@Suite("What disturbs a sound, in a journal's members and in words")
struct DisturbanceTests {
  static let known: [(Disturbance<Duration>, JSONValue, String)] = [
    (
      .underrun(at: .nanoseconds(1_500_250_000)), ["what": "underrun", "at_ns": 1_500_250_000],
      "buffer underrun at 1500.25 ms"
    ),
    (.underrun(at: nil), ["what": "underrun"], "buffer underrun"),
    (.moved(to: "head, phones"), ["what": "moved", "sink": "head, phones"], "moved to the sink “head, phones”"),
    (.suspended, ["what": "suspended"], "sink suspended"), (.resumed, ["what": "resumed"], "sink resumed"),
    (.muted, ["what": "muted"], "muted"), (.unmuted, ["what": "unmuted"], "unmuted"),
    (
      .volumeChanged(to: SpeakerVolume(sink: [40.5, 100], isSinkMuted: false, stream: [], isStreamMuted: true)),
      [
        "what": "volume",
        "volume": ["sink_percent": [40.5, 100], "sinkMuted": false, "stream_percent": [], "streamMuted": true],
      ], "volume changed to sink 40.5/100 %, stream muted"
    ),
    (.shifted(by: .microseconds(12_500)), ["what": "shifted", "by_ns": 12_500_000], "playback shifted by 12.5 ms"),
    (.shifted(by: .microseconds(-300)), ["what": "shifted", "by_ns": -300_000], "playback shifted by -0.3 ms"),
    (
      .otherProgram("a\tb"), ["what": "otherProgram", "program": "a\tb"],
      "“a\\u{9}b” plays through the same sink"
    ),
    (.other("hummed"), ["what": "hummed"], "hummed"),
  ]

  @Test("Each is written with its numbers and read back, and is worded once", arguments: known.indices)
  func members(index: Int) throws {
    let (disturbance, members, text) = Self.known[index]
    #expect(try JSONValue(encoding: disturbance) == members)
    #expect(try members.decoded() == disturbance)
    #expect("\(disturbance)" == text)
  }

  @Test(
    "One that lacks what it needs is refused",
    arguments: [["what": "moved"], ["what": "shifted"], ["what": "volume"], ["what": "otherProgram"]] as [JSONValue])
  func incomplete(members: JSONValue) {
    #expect(throws: JSONCodingError.self) { try members.decoded(as: Disturbance<Duration>.self) }
  }

  @Test(
    "A number that cannot be true is refused with its place",
    arguments: [
      (["what": "underrun", "at_ns": 1e300], "/at_ns"), (["what": "shifted", "by_ns": "far"], "/by_ns"),
      (
        [
          "what": "volume",
          "volume": ["sink_percent": [1e300], "sinkMuted": false, "stream_percent": [], "streamMuted": false],
        ], "/volume"
      ), (["at_ns": 1], ""),
    ] as [(JSONValue, String)])
  func refused(members: JSONValue, path: String) {
    let error = #expect(throws: JSONCodingError.self) { try members.decoded(as: Disturbance<Duration>.self) }
    #expect(error?.path.description == path)
  }
}

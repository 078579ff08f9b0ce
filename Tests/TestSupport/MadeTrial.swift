package import Basics
import Quantities

/// A finished trial as a test wants it: a bundle's documents, without its bag.
///
/// Unless told otherwise a heart beats 60 times a minute for 20 s, 75 times while the clip sounds, and 60 times after it.
package struct MadeTrial: Sendable {
  /// Who took part.
  package var participant = "P01"
  /// The clip's name; `nil` for a trial without one.
  package var clip: String? = "rain"
  /// The clip's mood.
  package var mood: String? = "calm"
  /// The protocol's identifier.
  package var condition = "MusicTask"
  /// When it began.
  package var start = WallTime(milliseconds: 1_763_636_911_250)
  /// How far it can be trusted: `good`, `suspect` or `bad`.
  package var verdict = "good"
  /// How it ended: `completed`, `stopped`, `failed` or `recovered`.
  package var outcome = "completed"
  /// From the onset to the offset, in seconds; `nil` for a trial in which nothing sounded.
  package var sound: ClosedRange<Double>? = 19.99...40.01
  /// Intervals between beats in milliseconds, the first from the trial's zero.
  package var intervals =
    Array(repeating: 1000.0, count: 20) + Array(repeating: 800, count: 25)
    + Array(repeating: 1000, count: 20)
  /// Members of each item that differ from what they are otherwise, by the item's number from 0.
  package var changes: @Sendable (Int) -> [String: JSONValue?] = { _ in [:] }
  /// The steps of its result, as the station writes them.
  package var steps: [JSONValue] = [
    step("rest", 0...19_000_000_000), step("music", 19_000_000_000...41_000_000_000),
  ]
  /// The trial's identifier; the folder's name unless it is given.
  package var trial: String?
  /// The identifiers of the recorders of its result, which record heart rates.
  package var recorders: [String] = []
  /// The recorder that a time in seconds belongs to.
  package var recorder: @Sendable (Double) -> String = { _ in "heartRate" }

  /// A trial as described.
  package init() {}

  /// Writes it as the bundle `folder`, which must not exist.
  package func write(to folder: String) throws {
    try Folder.ensure("\(folder)/data")
    try File.create("\(folder)/data/result.json", result(trial ?? Folder.name(of: folder)).encoded(pretty: true))
    try File.create("\(folder)/data/heart.json", heart)
  }

  /// `data/heart.json`: one item a line, as the station writes it.
  package var heart: [UInt8] {
    Array("{\"items\":[\n".utf8) + items.map { $0.text() }.joined(separator: ",\n").utf8 + "\n]}\n".utf8
  }

  /// The items of the heart file.
  package var items: [JSONValue] {
    var time = 0.0
    return intervals.enumerated().map { number, interval in
      time += interval / 1000
      let date = start.advanced(by: .milliseconds(Int((time * 1000).rounded()))).description
      var members: [String: JSONValue] = [
        "arrived_ns": .number((time * 1e9).rounded()), "contact": true, "endDate": .string(date),
        "recorder": .string(recorder(time)), "rr_ms": [.number(interval)], "seq": .integer(10 + number),
        "source": "strap", "startDate": .string(date), "step": "music", "t_ns": .number((time * 1e9).rounded()),
        "type": "HKQuantityTypeIdentifierHeartRate", "unit": "count/min", "value": .number(60_000 / interval),
      ]
      for (key, value) in changes(number) { members[key] = value }
      return .object(members)
    }
  }

  /// A step that starts and goes on by itself, in nanoseconds since the trial's zero.
  private static func step(_ name: String, _ times: ClosedRange<Int>) -> JSONValue {
    [
      "identifier": .string(name), "shown_ns": .integer(times.lowerBound), "begun_ns": .integer(times.lowerBound),
      "finished_ns": .integer(times.upperBound), "left_ns": .integer(times.upperBound),
    ]
  }

  private static func measured(_ seconds: Double) -> JSONValue {
    ["t_ns": .number((seconds * 1e9).rounded()), "uncertainty_ns": 40_000]
  }

  /// `data/result.json` of a trial with this identifier.
  package func result(_ name: String) -> JSONValue {
    let (onset, offset) = (sound.map { Self.measured($0.lowerBound) }, sound.map { Self.measured($0.upperBound) })
    let segments: [JSONValue] =
      sound == nil
      ? []
      : [
        [
          "segment": 0, "scheduled_ns": onset?["t_ns"] ?? nil, "onset": onset ?? nil, "offset": offset ?? nil,
          "framesRequested": 882_000, "framesPlayed": 882_000,
        ]
      ]
    let sha256 = String(repeating: "0", count: 64)
    return [
      "format": "station.result/1", "trial": .string(name), "outcome": .string(outcome), "reason": nil, "end": nil,
      "drift_ns": nil, "participant": .string(participant), "session": "1", "seed": 7, "unattended": true,
      "mirrored": false,
      "protocol": ["identifier": .string(condition), "version": "1.0", "sha256": .string(sha256)],
      "zero": ["wall": .string("\(start)"), "t_ns": 0, "uncertainty_ns": 200, "synchronized": true],
      "station": ["identifier": "booth", "version": "0.1.0", "system": "Debian", "timeZone": nil],
      "speaker": nil, "thresholds": [:], "startDate": .string("\(start)"), "endDate": .string("\(start)"),
      "clip": clip.map { name in
        [
          "name": .string(name), "file": .string("\(name).mp3"), "bytes": 1, "sha256": .string(sha256),
          "frames": 882_000, "sampleRate": 44_100, "channels": 2, "title": nil,
          "mood": mood.map { .string($0) } ?? nil, "step": "music", "draw": nil, "start_ns": 0,
          "requested_ns": 20_000_000_000,
          "gain_dB": 0, "warnings": [],
        ]
      } ?? nil,
      "playback": [
        "scheduled_ns": onset?["t_ns"] ?? nil, "onset": onset ?? nil, "offset": offset ?? nil,
        "framesRequested": 882_000, "framesPlayed": 882_000, "played_ns": 20_000_000_000, "segments": .array(segments),
      ],
      "steps": .array(steps), "answers": [], "screens": [], "notes": [], "tones": [],
      "recordings": .array(
        recorders.map {
          [
            "identifier": .string($0), "step": "music", "quantityType": "heartRate", "unit": "count/min",
            "settle_ns": 3_000_000_000, "sensor": ["name": "strap", "latency_ns": 0], "file": "data/heart.json",
            "segments": [], "samples": .integer(intervals.count), "late": 0, "coverage": 1, "gaps": [],
          ]
        }),
      "verdict": .string(verdict), "rules": 1, "language": "en",
      "annotations": [], "keyPresses": [], "speech": [], "markers": [],
      "caveats": verdict == "good"
        ? [] : [["caveat": "playbackFailed", "reason": "the sound was lost", "verdict": .string(verdict)]],
      "files": [
        "clip": nil, "events": "data/events.jsonl", "heart": "data/heart.json", "journal": "data/journal.jsonl",
        "protocol": "data/protocol.json",
      ],
    ]
  }
}

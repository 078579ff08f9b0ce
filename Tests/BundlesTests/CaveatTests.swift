import Basics
import Quantities
import Study
import TestSupport
import Testing

@testable import Bundles
@testable import Sound

@Suite("Caveats")
struct CaveatTests {
  @Test(
    "Counts and lengths may grow while a trial runs; names, causes and recorders tell caveats apart",
    arguments: [
      (.underruns(count: 1), .underruns(count: 9), true), (.muted(times: 1), .sinkSuspended(times: 1), false),
      (lost("strap1", 1, "gone"), lost("strap1", 2, "gone"), true),
      (lost("strap1", 1, "gone"), lost("strap2", 1, "gone"), false),
      (lost("strap1", 1, "gone"), lost("strap1", 1, "ended"), false),
      (.otherProgram("a"), .otherProgram("b"), false), (.sinkChanged(sink: "1"), .sinkChanged(sink: "2"), false),
      (.samplesDropped(sensor: "a", count: 1), .samplesDropped(sensor: "a", count: 2), true),
      (.samplesDropped(sensor: "a1", count: 1), .samplesDropped(sensor: "a2", count: 1), false),
    ] as [(Caveat, Caveat, Bool)])
  func topics(one: Caveat, other: Caveat, isSame: Bool) { #expect((one.topic == other.topic) == isSame) }

  private static func lost(_ sensor: String, _ times: Int, _ reason: String) -> Caveat {
    .sensorLost(sensor: sensor, times: times, lost: .seconds(times), reason: reason)
  }

  @Test("Each reads back as it was written, is worded, and has the members that the schema lists")
  func everyCaveat() throws {
    let schema = try JSONReader.read(File.contents(of: "\(Repository.root)/protocols/result.schema.json")).value
    let forms = try #require(schema["$defs"]?["caveat"]?["oneOf"]?.array)
    var listed: [String: Set<String>] = [:]
    for form in forms {
      let properties = try #require(form["properties"]?.object)
      listed[try #require(properties["caveat"]?["const"]?.string)] = Set(properties.keys)
    }
    var tried: [String: Set<String>] = [:]
    for caveat in Self.all {
      let written = JSONValue.coded(JudgedCaveat(verdict: .suspect, caveat: caveat))
      #expect(try written.decoded(as: JudgedCaveat.self).caveat == caveat)
      #expect(!caveat.description.isEmpty && !caveat.description.hasSuffix("."))
      let members = try #require(written.object)
      tried[try #require(members["caveat"]?.string), default: []].formUnion(members.keys)
    }
    #expect(tried == listed)
  }

  @Test("One that a newer station has written is kept by its code")
  func newer() throws {
    let text = #"{"caveat":"eegNoisy","channel":"Cz","verdict":"suspect"}"#
    let newer = try JSONReader.read(Array(text.utf8)).value
    let judged = try newer.decoded(as: JudgedCaveat.self)
    #expect(judged == JudgedCaveat(verdict: .suspect, caveat: .unknown(caveat: "eegNoisy")))
    #expect(try newer.unknownMembers(of: JudgedCaveat.self) == ["/channel"])
    #expect(JSONValue.coded(judged)["caveat"]?.string == "eegNoisy")
  }

  /// One of each, with everything that it may say.
  static let all: [Caveat] = [
    .lockUnconfirmed(step: "tone"),
    .soundLost(recorder: "room", times: 2, lost: .milliseconds(42)), .soundClipped(recorder: "room", samples: 7),
    .stopped(reason: "by the operator"), .failed(reason: "the disk is full"), .recovered, .simulated,
    .simulatedSensors(sensors: ["simulated:seed=7"]),
    .paused(times: 2), .pageHidden(times: 2, hidden: .seconds(3)), .pageLost(times: 3), .pageReloaded(times: 1),
    .fullScreenLeft(times: 1), .pictureBroken(times: 1),
    .browserRestarted(times: 2),
    .stepSkipped(step: "music"), .unanswered(step: "valence", question: "valence"), .clockJumped(by: .seconds(-2)),
    .journalDamaged(problems: 3, line: 12, reason: "it is not JSON"), .unknownRecords(count: 2, kinds: ["answer"]),
    .playbackFailed(reason: "Connection terminated"), .clipFaulty(clip: "rain", fault: "it ends early"),
    .neverSounded(clip: "rain"), .inaudible(sink: "auto_null"),
    .loudnessMissed(clip: "rain", reached: -20.75, target: -16, peakLimit: -3),
    .onsetUncertain(uncertainty: .milliseconds(2)), .onsetShifted(by: .milliseconds(7)), .underruns(count: 2),
    .sinkChanged(sink: "headphones"), .sinkSuspended(times: 1), .muted(times: 1),
    .volumeChanged(to: SpeakerVolume(sink: [40], isSinkMuted: false, stream: [100], isStreamMuted: false)),
    .playbackShifted(by: .microseconds(12_500)), .otherProgram("player"), .otherFault("hummed"), .endUnknown,
    .playedInPart(played: .seconds(1), requested: .seconds(3)), .resampled(from: 44_100, to: 48_000),
    .volumeSet(of: .sink, volume: [40, 39.5]), .coarseTiming(granularity: .milliseconds(5)),
    .stepObjected(step: "sides", note: "headphoneAttempt", reason: "the headphone check failed"),
    .volumeLimited(chosen: 6, played: 1.5), .levelLimited(wanted: 91.25, maximum: 85),
    .markersFailed(output: "serial:/dev/ttyUSB0", count: 2, reason: "it was unplugged"),
    .markerShifted(output: "serial:/dev/ttyUSB0", by: .milliseconds(-7)),
    .toneFailed(step: "music", tone: .start, reason: "the sink is busy"),
    .toneDisturbed(step: "music", tone: .finish, .underrun(at: .seconds(1))),
    .toneDisturbed(step: "music", tone: .finish, .moved(to: "headphones")),
    .toneDisturbed(step: "music", tone: .finish, .shifted(by: .milliseconds(3))),
    .toneDisturbed(step: "music", tone: .finish, .otherProgram("player")),
    .toneDisturbed(
      step: "music", tone: .finish,
      .volumeChanged(to: SpeakerVolume(sink: [], isSinkMuted: true, stream: [], isStreamMuted: false))),
    .speechFailed(step: "rest", utterance: .instruction, reason: "the sink is busy"),
    .speechDisturbed(step: "rest", utterance: .finished, .underrun(at: .seconds(1))),
    .speechDisturbed(step: "rest", utterance: .three, .moved(to: "headphones")),
    .speechDisturbed(step: "rest", utterance: .three, .shifted(by: .milliseconds(3))),
    .speechDisturbed(step: "rest", utterance: .three, .otherProgram("player")),
    .speechDisturbed(
      step: "rest", utterance: .three,
      .volumeChanged(to: SpeakerVolume(sink: [], isSinkMuted: true, stream: [], isStreamMuted: false))),
    lost("strap", 2, "gone"), .noSamples(sensor: "strap", recorders: ["hr"]),
    .silent(sensor: "strap", recorders: ["hr"], times: 2, silent: .seconds(30)),
    .noContact(sensor: "strap", step: "music", lost: .seconds(4), recorded: .seconds(20)),
    .noPulse(sensor: "camera", step: "music", lost: .seconds(4), recorded: .seconds(20)),
    .lowQuality(sensor: "camera", step: "music", low: .seconds(4), recorded: .seconds(20)),
    .coverage(recorders: ["hr"], step: "music", covered: .seconds(4), recorded: .seconds(20)),
    .samplesUnread(sensor: "flood", count: 21_845, heldBack: .milliseconds(4100)),
    .samplesDropped(sensor: "strap", count: 12),
    .implausible(recorder: "hr", count: 1, samples: 5, from: 0.25, to: 5.8, unit: "count/s"),
    .waveformDamaged(recorder: "ecg", blocks: 1, bytes: 2), .neverStarted(recorder: "hr"),
    .linesSkipped(sensor: "strap", count: 1),
    .sensorNoted(sensor: "strap", text: "sends too much"),
  ]
}

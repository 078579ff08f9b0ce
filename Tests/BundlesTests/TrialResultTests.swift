import Basics
import Quantities
import Study
import TestSupport
import Testing

@testable import Bundles

@Suite("A result that is read")
struct TrialResultTests {
  private func result(of story: TrialStory) throws -> JSONValue {
    let scratch = try ScratchFolder()
    try File.create(scratch["journal"], story.journal)
    let account = try TrialAccount(of: scratch["journal"])
    var recordings = account.opening.recorders.map { RecorderCut($0, in: account) }
    for (time, event) in story.events {
      guard case .reading(let reading) = event else { continue }
      for index in recordings.indices { _ = recordings[index].take(reading, at: time) }
    }
    return ResultDocument(account: account, recordings: recordings, embeddedClip: nil).value
  }

  @Test("says what was written, with units in types")
  func good() throws {
    let story = TrialStory.good()
    let result = TrialResult(try result(of: story))
    #expect(result.trial == TrialStory.trial)
    #expect([result.participant, result.session, result.task] == ["P01", "1", "MusicTask"])
    #expect(result.startDate == story.opening.zero.wall)
    #expect(result.outcome == .completed && result.grade == .good && result.reasons == [] && result.warnings == [])
    let clip = try #require(result.clip)
    #expect(clip.name == "chill_preview_4" && clip.mood == "chill" && clip.sha256 == story.chosen.clip.sha256)
    #expect(clip.draw == story.chosen.draw)
    #expect(
      result.sounds == [
        .init(
          onset: .microseconds(1_000_020), onsetUncertainty: .microseconds(40), offset: .microseconds(4_000_020))
      ])
    #expect(result.steps.map(\.identifier) == ["instruction", "music", "SummaryStep"])
    #expect(
      result.steps[1]
        == .init(
          identifier: "music", shown: .milliseconds(905), begun: .seconds(1), finished: .seconds(4),
          left: .milliseconds(5000), hasActiveTimes: true))
    let recorder = try #require(result.recorders.first)
    #expect(result.recorders.map(\.identifier) == ["heartRateConfig", "rrConfig"])
    #expect(recorder.unit == "count/min" && recorder.samples == 4)
    #expect(recorder.summary == .init(smallest: 61.5, largest: 63, mean: 62.1875))
    #expect(recorder.segments == [.seconds(1)..<(.seconds(4))])
    #expect(recorder.length == .seconds(3) && recorder.gaps == [] && recorder.missing == .zero)
  }

  @Test("says by whom, by what and how it was played")
  func circumstances() throws {
    let story = TrialStory.good()
    let (opening, chosen) = (story.opening, story.chosen)
    let result = TrialResult(try result(of: story))
    #expect(result.format == "station.result/1" && result.taskVersion == opening.taskVersion)
    #expect(result.protocolSHA256 == opening.protocolSHA256 && result.seed == opening.seed)
    #expect(result.isUnattended == opening.isUnattended && result.outcomeReason == nil)
    #expect(
      [result.station.identifier, result.station.version, result.station.system]
        == [opening.station.identifier, opening.station.version, opening.station.system])
    #expect(result.clock.zero == opening.zero.wall && result.clock.atZero.uncertainty == opening.zero.uncertainty)
    #expect(result.clock.atZero.isSynchronized == opening.zero.isSynchronized && result.clock.atEnd != nil)
    let clip = try #require(result.clip)
    #expect(clip.bytes == chosen.clip.bytes && clip.channels == chosen.clip.channels)
    #expect(clip.sampleRate == chosen.clip.sampleRate && clip.title == chosen.clip.annotation.title)
    #expect(clip.loudness.measured == chosen.loudness && clip.loudness.truePeak == chosen.truePeak)
    #expect(clip.loudness.gain == chosen.gain && clip.loudness.reached == chosen.reachedLoudness)
    let playback = try #require(result.playback)
    #expect(playback.scheduled == .seconds(1) && playback.onset == .microseconds(1_000_020))
    #expect(playback.onsetUncertainty == .microseconds(40) && playback.offset == .microseconds(4_000_020))
    #expect(playback.requested == .seconds(3) && playback.played == .seconds(3) && playback.underruns == 0)
    #expect(playback.framesPlayed == 132_300 && playback.framesRequested == 132_300 && playback.failure == nil)
    #expect(playback.stretches == [.init(onset: .microseconds(1_000_020), offset: .microseconds(4_000_020))])
    let (speaker, used) = (try #require(playback.speaker), try #require(opening.speaker))
    #expect(speaker.kind == used.kind && speaker.sink == used.sink && speaker.isAudible == used.isAudible)
    #expect(speaker.volume?.sink == used.volume?.sink && speaker.volume?.stream == used.volume?.stream)
    let recorder = try #require(result.recorders.first)
    #expect(recorder.sensor.latency == .milliseconds(120) && recorder.late == 1 && recorder.step == "music")
  }

  @Test("says how much of each recording is missing")
  func gaps() throws {
    let result = TrialResult(try result(of: .good().recording(for: 20, withoutContact: [5..<9, 15..<18])))
    #expect(result.grade == .suspect && result.reasons.count == 1)
    for recorder in result.recorders {
      #expect(recorder.gaps.map(\.times) == [.seconds(4)..<(.seconds(8)), .seconds(14)..<(.seconds(17))])
      #expect(recorder.gaps.map(\.reason) == ["no skin contact", "no skin contact"])
      #expect(recorder.missing == .seconds(7) && recorder.length == .seconds(20))
    }
  }

  @Test(
    "leaves out what is missing or broken",
    arguments: [
      "{}", "[]", #"{"clip":null,"playback":null,"recordings":null,"steps":7}"#,
      #"{"playback":{"segments":[{"onset_ns":null},{"onset_ns":1e300},{"onset_ns":"1"},7]}}"#,
      #"{"steps":[{"identifier":"a"},{"start_ns":1},{"identifier":"a","start_ns":1e17}]}"#,
      #"{"verdict":{"grade":"fine"},"outcome":"lost","startDate":"yesterday","clip":{"mood":"calm"}}"#,
    ])
  func broken(text: String) throws {
    let result = TrialResult(try JSONReader.read(Array(text.utf8)).value)
    #expect(result.sounds == [] && result.steps == [] && result.recorders == [] && result.clip == nil)
    #expect(result.seed == nil && result.clock.zero == nil && result.playback?.speaker == nil)
    #expect(result.grade == nil && result.outcome == nil && result.startDate == nil && result.trial == "")
  }

  @Test("takes no time that ends before it begins, and no number of samples below none")
  func contradictions() throws {
    let text =
      #"{"recordings":[{"identifier":"r","samples":-3,"segments":[{"start_ns":5,"end_ns":1},{"start_ns":1,"end_ns":5}],"#
      + #""gaps":[{"start_ns":3,"end_ns":2}],"summary":{"min":1}}]}"#
    let recorder = try #require(TrialResult(try JSONReader.read(Array(text.utf8)).value).recorders.first)
    #expect(recorder.samples == 0 && recorder.segments == [.nanoseconds(1)..<(.nanoseconds(5))])
    #expect(recorder.gaps == [] && recorder.summary == nil && recorder.unit == "")
  }
}

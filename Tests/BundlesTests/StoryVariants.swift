import Basics
import Quantities
import Study

@testable import Bundles
@testable import Sound

/// Trials in which something went otherwise, with the verdict that each must get.
struct StoryVariant: Sendable, CustomStringConvertible {
  let description: String
  let verdict: Verdict
  let reasons: [Caveat]
  var informativeCaveats: [Caveat] = []
  let change: @Sendable (inout TrialStory) -> Void

  var story: TrialStory {
    var story = TrialStory.good()
    change(&story)
    return story
  }

  private static let softer = SpeakerVolume(sink: [40], isSinkMuted: false, stream: [100], isStreamMuted: false)

  private static func marker(sent: Duration?, failure: String? = nil) -> SentMarker {
    SentMarker(
      output: "serial:port", event: .onset, code: 1, step: "music", segment: 0, intended: .seconds(1),
      sent: sent.map { MeasuredTime(time: $0, uncertainty: .microseconds(5)) }, failure: failure)
  }

  static let all: [StoryVariant] = [
    StoryVariant(description: "nothing happens", verdict: .good, reasons: []) { _ in },
    StoryVariant(
      description: "the protocol's rules leave the music out", verdict: .good, reasons: [],
      informativeCaveats: [.neverStarted(recorder: "heartRateConfig"), .neverStarted(recorder: "rrConfig")]
    ) {
      $0.events.removeAll { time, event in
        if case .clipChosen = event { false } else { (.milliseconds(905)...(.seconds(5))).contains(time) }
      }
    },
    StoryVariant(
      description: "a step is shown twice", verdict: .suspect,
      reasons: [.unanswered(step: "instruction", question: "ready")]
    ) {
      $0.insert(5010, .stepEnded(step: "SummaryStep", reason: .finished))
      $0.insert(5020, .stepStarted(step: "instruction"))
      $0.insert(5030, .answered(step: "instruction", question: "ready", value: nil, shown: .milliseconds(5020)))
      $0.insert(5040, .stepEnded(step: "instruction", reason: .skipped))
      $0.insert(5050, .stepStarted(step: "SummaryStep"))
    },
    StoryVariant(description: "time zone, place and motion are known", verdict: .good, reasons: []) {
      $0.opening = TrialStory.opening(inZone: "Europe/Amsterdam", on: .chest, .sedentary)
      $0.events[0].event = .trialOpened($0.opening)
    },
    StoryVariant(description: "the sound runs dry twice", verdict: .suspect, reasons: [.underruns(count: 2)]) {
      for _ in 0..<2 { $0.insert(1500, .soundDisturbed(step: "music", segment: 0, .underrun(at: nil))) }
    },
    StoryVariant(description: "a marker comes with the onset", verdict: .good, reasons: []) {
      $0.insert(1001, .marked(marker(sent: .microseconds(1_000_400))))
    },
    StoryVariant(
      description: "a marker comes late", verdict: .suspect,
      reasons: [.markerShifted(output: "serial:port", by: .microseconds(49_980))]
    ) { $0.insert(1051, .marked(marker(sent: .milliseconds(1050)))) },
    StoryVariant(
      description: "markers are not sent", verdict: .suspect,
      reasons: [.markersFailed(output: "serial:port", count: 2, reason: "it was unplugged")]
    ) {
      $0.insert(1001, .marked(marker(sent: nil, failure: "it was unplugged")))
      $0.insert(1002, .marked(marker(sent: nil, failure: "it is not there")))
    },
    StoryVariant(
      description: "the sound is moved", verdict: .suspect, reasons: [.sinkChanged(sink: "headphones")]
    ) { $0.insert(1500, .soundDisturbed(step: "music", segment: 0, .moved(to: "headphones"))) },
    StoryVariant(description: "the sink sleeps", verdict: .suspect, reasons: [.sinkSuspended(times: 1)]) {
      $0.insert(1500, .soundDisturbed(step: "music", segment: 0, .suspended))
      $0.insert(1600, .soundDisturbed(step: "music", segment: 0, .resumed))
    },
    StoryVariant(description: "the sink is muted", verdict: .bad, reasons: [.muted(times: 1)]) {
      $0.insert(1500, .soundDisturbed(step: "music", segment: 0, .muted))
      $0.insert(1600, .soundDisturbed(step: "music", segment: 0, .unmuted))
    },
    StoryVariant(
      description: "somebody turns the volume down", verdict: .suspect,
      reasons: [.volumeChanged(to: softer)]
    ) {
      $0.insert(
        1500,
        .soundDisturbed(
          step: "music", segment: 0,
          .volumeChanged(to: softer)))
    },
    StoryVariant(
      description: "the card stumbles", verdict: .suspect, reasons: [.playbackShifted(by: .microseconds(12_500))]
    ) { $0.insert(1500, .soundDisturbed(step: "music", segment: 0, .shifted(by: .microseconds(12_500)))) },
    StoryVariant(
      description: "the sink is softer than the sound was made", verdict: .good, reasons: [],
      informativeCaveats: [.volumeSet(of: .sink, volume: [40, 39.5])]
    ) {
      $0.opening.speaker?.volume?.sink = [40, 39.5]
      $0.events[0].event = .trialOpened($0.opening)
    },
    StoryVariant(
      description: "the server dies", verdict: .bad,
      reasons: [
        .failed(reason: "the sound failed"),
        .playedInPart(played: .nanoseconds(1_399_977_324), requested: .seconds(3)),
      ]
    ) {
      $0.remove { if case .soundEnded = $0 { true } else { false } }
      $0.insert(2400, .soundFailed(step: "music", segment: 0, reason: "Connection terminated"))
      $0.close(.failed, reason: "the sound failed")
    },
    StoryVariant(
      description: "the trial fails with the sound", verdict: .bad,
      reasons: [
        .failed(reason: "Connection terminated"),
        .playedInPart(played: .nanoseconds(1_399_977_324), requested: .seconds(3)),
      ]
    ) {
      $0.remove { if case .soundEnded = $0 { true } else { false } }
      $0.insert(2400, .soundFailed(step: "music", segment: 0, reason: "Connection terminated"))
      $0.close(.failed, reason: "Connection terminated")
    },
    StoryVariant(
      description: "the music step is skipped", verdict: .suspect, reasons: [.stepSkipped(step: "music")]
    ) { $0.skip("music") },
    StoryVariant(description: "the instruction is skipped", verdict: .good, reasons: []) { $0.skip("instruction") },
    StoryVariant(description: "a question is answered", verdict: .good, reasons: []) {
      $0.insert(5500, .answered(step: "music", question: "music", value: .integer(7), shown: .milliseconds(5200)))
    },
    StoryVariant(
      description: "a question is not answered", verdict: .suspect,
      reasons: [.unanswered(step: "music", question: "music")]
    ) { $0.insert(5500, .answered(step: "music", question: "music", value: nil, shown: .milliseconds(5200))) },
    StoryVariant(
      description: "the onset is uncertain", verdict: .suspect,
      reasons: [.onsetUncertain(uncertainty: .microseconds(1600))]
    ) { $0.replaceOnset(.microseconds(1_000_020), uncertainty: .microseconds(1600)) },
    StoryVariant(
      description: "the computer sleeps", verdict: .suspect,
      reasons: [.clockJumped(by: .microseconds(3_600_001_500))]
    ) { $0.moveCalendar(3_600_000) },
    StoryVariant(
      description: "the calendar is set back", verdict: .suspect,
      reasons: [.clockJumped(by: .microseconds(-1_998_500))]
    ) { $0.moveCalendar(-2000) },
    StoryVariant(description: "the calendar drifts a little", verdict: .good, reasons: []) { $0.moveCalendar(900) },
    StoryVariant(
      description: "it is stopped in the middle", verdict: .suspect,
      reasons: [
        .stopped(reason: "by the operator"), .playedInPart(played: .milliseconds(1500), requested: .seconds(3)),
      ]
    ) {
      $0.replaceEnd(frames: 66_150)
      $0.close(.stopped, reason: "by the operator")
    },
    StoryVariant(
      description: "the program dies", verdict: .suspect,
      reasons: [
        .recovered, .endUnknown,
      ]
    ) {
      $0.remove { if case .soundEnded = $0 { true } else { false } }
      $0.close(.recovered)
    },
    StoryVariant(description: "it is suspended", verdict: .suspect, reasons: [.paused(times: 1)]) {
      for (time, event) in [(4800, JournalEvent.suspended), (4900, .resumed)] { $0.insert(time, event) }
    },
    StoryVariant(
      description: "the page is hidden for 100 ms, gone, hangs, and is loaded again", verdict: .suspect,
      reasons: [.pageLost(times: 2), .pageHidden(times: 1, hidden: .milliseconds(100))],
      informativeCaveats: [.pageReloaded(times: 1)]
    ) {
      let incidents: [(Int, PageIncident)] = [
        (4800, .hidden), (4850, .focusLost), (4900, .visible), (4901, .reloaded), (4902, .lost), (4903, .unresponsive),
      ]
      for (time, what) in incidents { $0.insert(time, .pageChanged(what: what)) }
    },
    StoryVariant(
      description: "the onset is late", verdict: .suspect, reasons: [.onsetShifted(by: .microseconds(7300))]
    ) { $0.replaceOnset(.microseconds(1_007_300)) },
    StoryVariant(
      description: "the onset is early", verdict: .suspect, reasons: [.onsetShifted(by: .microseconds(-6000))]
    ) { $0.replaceOnset(.microseconds(994_000)) },
    StoryVariant(description: "the onset is a little late", verdict: .good, reasons: []) {
      $0.replaceOnset(.microseconds(1_005_000))
    },
    StoryVariant(
      description: "the clip never sounds", verdict: .bad, reasons: [.neverSounded(clip: "chill_preview_4")]
    ) {
      $0.remove {
        switch $0 {
        case .soundScheduled, .soundStarted, .soundEnded: true
        default: false
        }
      }
    },
    StoryVariant(
      description: "the server resamples", verdict: .good, reasons: [],
      informativeCaveats: [.resampled(from: 44_100, to: 48_000)]
    ) {
      $0.opening.speaker?.sinkRate = 48_000
      $0.events[0].event = .trialOpened($0.opening)
    },
    StoryVariant(
      description: "the clip is odd", verdict: .suspect,
      reasons: [.clipFaulty(clip: "chill_preview_4", fault: "it ends in a torn frame")]
    ) { story in
      story.chosen.warnings = ["it ends in a torn frame"]
      let chosen = story.chosen
      story.replace { if case .clipChosen = $0 { .clipChosen(chosen) } else { nil } }
    },
    StoryVariant(
      description: "the loudness is missed by little for the peak", verdict: .good, reasons: [],
      informativeCaveats: [
        .loudnessMissed(clip: "chill_preview_4", reached: -20.75, target: -20, peakLimit: -3)
      ]
    ) { $0.ask(for: LoudnessTarget(integrated: -20, truePeakLimit: -3)) },
    StoryVariant(
      description: "the loudness is missed by more than 1 LU", verdict: .suspect,
      reasons: [
        .loudnessMissed(clip: "chill_preview_4", reached: -20.75, target: -16, peakLimit: -3)
      ]
    ) { $0.ask(for: LoudnessTarget(integrated: -16, truePeakLimit: -3)) },
    StoryVariant(description: "the protocol allows more", verdict: .good, reasons: []) { story in
      story.opening.thresholds.onsetTolerance = .milliseconds(10)
      story.opening.thresholds.loudnessTolerance = 5
      story.events[0].event = .trialOpened(story.opening)
      story.replaceOnset(.microseconds(1_007_300))
    },
    StoryVariant(
      description: "it is stopped early in the stimulus", verdict: .bad,
      reasons: [
        .stopped(reason: "by the operator"), .playedInPart(played: .milliseconds(210), requested: .seconds(3)),
      ]
    ) {
      $0.replaceEnd(frames: 9261)
      $0.close(.stopped, reason: "by the operator")
    },
    StoryVariant(
      description: "nobody can hear it", verdict: .bad,
      reasons: [.inaudible(sink: "auto_null")]
    ) { $0.play(to: "auto_null", kind: "pulseaudio", isNamed: false) },
    StoryVariant(
      description: "nobody can hear it, as the command asks", verdict: .good, reasons: [],
      informativeCaveats: [.inaudible(sink: "booth")]
    ) { $0.play(to: "booth", kind: "pulseaudio", isNamed: true) },
    StoryVariant(
      description: "the speaker is silent", verdict: .good, reasons: [],
      informativeCaveats: [.inaudible(sink: "silent")]
    ) { $0.play(to: "silent", kind: "silent", isNamed: nil) },
    StoryVariant(
      description: "no reading comes", verdict: .bad,
      reasons: [.noSamples(sensor: "simulated", recorders: ["heartRateConfig", "rrConfig"])]
    ) { $0.remove { if case .reading = $0 { true } else { false } } },
    StoryVariant(
      description: "the recorders are never started", verdict: .good, reasons: [],
      informativeCaveats: [.neverStarted(recorder: "heartRateConfig"), .neverStarted(recorder: "rrConfig")]
    ) { $0.remove { if case .recorderStarted = $0 { true } else { false } } },
    StoryVariant(
      description: "the sensor is lost and comes back", verdict: .suspect,
      reasons: [.sensorLost(sensor: "simulated", times: 1, lost: .milliseconds(400), reason: "out of range")]
    ) {
      $0.insert(2600, .sensorLost(sensor: "simulated", reason: "out of range", isFinal: false))
      $0.insert(3000, .sensorConnected(sensor: "simulated", device: nil))
    },
    StoryVariant(
      description: "the sensor is lost for good", verdict: .suspect,
      reasons: [.sensorLost(sensor: "simulated", times: 1, lost: .milliseconds(1400), reason: "end of file")]
    ) { story in
      story.events.removeAll { time, event in
        guard case .reading = event else { return false }
        return time > .milliseconds(2600)
      }
      story.insert(2600, .sensorLost(sensor: "simulated", reason: "end of file", isFinal: true))
    },
    StoryVariant(description: "another sensor is lost", verdict: .good, reasons: []) {
      $0.insert(2600, .sensorLost(sensor: "other", reason: "end of file", isFinal: true))
    },
    StoryVariant(description: "the sensor is lost after the music", verdict: .good, reasons: []) {
      $0.insert(4500, .sensorLost(sensor: "simulated", reason: "end of file", isFinal: true))
    },
    StoryVariant(
      description: "the sensor leaves the skin", verdict: .suspect,
      reasons: [.noContact(sensor: "simulated", step: "music", lost: .seconds(4), recorded: .seconds(20))]
    ) { $0 = $0.recording(for: 20, withoutContact: [5..<9]) },
    StoryVariant(
      description: "readings are dropped", verdict: .suspect,
      reasons: [.samplesDropped(sensor: "simulated", count: 12)]
    ) { $0.insert(2000, .readingsDropped(sensor: "simulated", count: 12)) },
    StoryVariant(description: "the sender says its own time", verdict: .good, reasons: []) {
      var reading = TrialStory.reading(64, [940], at: 2400)
      reading.senderTime = 12.5
      $0.insert(2400, .reading(reading))
    },
    StoryVariant(
      description: "a sensor is mute at first", verdict: .good, reasons: [],
      informativeCaveats: [.sensorNoted(sensor: "simulated", text: "had sent no reading 3 s after it connected")]
    ) {
      for time in [100, 200] {
        $0.insert(time, .sensorNoted(sensor: "simulated", text: "had sent no reading 3 s after it connected"))
      }
    },
    StoryVariant(
      description: "lines cannot be read", verdict: .good, reasons: [],
      informativeCaveats: [.linesSkipped(sensor: "simulated", count: 3)]
    ) {
      $0.insert(2000, .linesSkipped(sensor: "simulated", count: 2, firstLine: 5, reason: "no number"))
      $0.insert(2000, .linesSkipped(sensor: "simulated", count: 1, firstLine: 9, reason: "no number"))
    },
    StoryVariant(
      description: "a tone is not played", verdict: .suspect,
      reasons: [.toneFailed(step: "music", tone: .finish, reason: "the sink is busy")]
    ) { $0.insert(990, .toneFailed(step: "music", tone: .finish, reason: "the sink is busy")) },
    StoryVariant(
      description: "a tone runs dry, and another program is heard beside it", verdict: .suspect,
      reasons: [
        .toneDisturbed(step: "music", tone: .start, .underrun(at: .milliseconds(985))),
        .toneDisturbed(step: "music", tone: .start, .otherProgram("player")),
      ]
    ) {
      $0.insert(990, .toneDisturbed(step: "music", tone: .start, .underrun(at: .milliseconds(985))))
      $0.insert(991, .toneDisturbed(step: "music", tone: .start, .otherProgram("player")))
    },
    StoryVariant(
      description: "a headphone check fails twice, of which the last time counts; another one passes at last",
      verdict: .suspect,
      reasons: [
        .stepObjected(
          step: "sides", note: "headphoneAttempt",
          reason: "the headphone check failed (2 attempts, 1 of 1 answers wrong in the last one)")
      ]
    ) {
      for (time, step, attempt, answer) in [
        (901, "ears", 1, .right), (902, "ears", 2, .left), (903, "sides", 1, .right), (904, "sides", 2, nil),
      ] as [(Int, String, Int, HeadphoneCheckStep.Side?)] {
        let round = HeadphoneRound(attempt: attempt, round: 1, side: .left, answer: answer, tone: attempt)
        let isPassed = answer == .left
        let checked = HeadphoneAttempt(attempt: attempt, errors: isPassed ? 0 : 1, rounds: 1, isPassed: isPassed)
        $0.insert(time, .noted(step: step, NotedValue(round)))
        $0.insert(time, .noted(step: step, NotedValue(checked)))
      }
    },
    StoryVariant(
      description: "the chosen volume clips, and what is left of it is too loud", verdict: .suspect,
      reasons: [.volumeLimited(chosen: 6, played: 2), .levelLimited(wanted: 88, maximum: 85)]
    ) {
      $0.insert(
        990,
        .soundLevelled(step: "music", PlayedLevel(volume: -1, chosen: 6, unclipped: 2, level: 85, maximum: 85)))
    },
    StoryVariant(
      description: "a sentence is not spoken, and another one is disturbed", verdict: .suspect,
      reasons: [
        .speechFailed(step: "music", utterance: .finished, reason: "the sink is busy"),
        .speechDisturbed(step: "music", utterance: .one, .otherProgram("player")),
      ]
    ) {
      $0.insert(990, .speechFailed(step: "music", utterance: .finished, segment: 0, reason: "the sink is busy"))
      $0.insert(991, .speechDisturbed(step: "music", utterance: .one, segment: 0, .otherProgram("player")))
    },
    StoryVariant(
      description: "another program plays, and something happens that a newer station knows", verdict: .suspect,
      reasons: [.otherProgram("player"), .otherFault("hummed")]
    ) {
      for _ in 0..<2 { $0.insert(1500, .soundDisturbed(step: "music", segment: 0, .otherProgram("player"))) }
      $0.insert(1500, .soundDisturbed(step: "music", segment: 0, .other("hummed")))
    },
    StoryVariant(
      description: "the server is on PipeWire", verdict: .good, reasons: [],
      informativeCaveats: [.coarseTiming(granularity: .milliseconds(5))]
    ) {
      $0.opening.speaker?.timing = SpeakerTiming(basis: .cycle, granularity: .milliseconds(5))
      $0.events[0].event = .trialOpened($0.opening)
    },
    StoryVariant(
      description: "a newer station has written the journal", verdict: .good, reasons: [],
      informativeCaveats: [.unknownRecords(count: 3, kinds: ["eeg.block", "gaze"])]
    ) {
      for kind in ["eeg.block", "eeg.block", "gaze"] { $0.insert(2000, .unknown(kind: kind)) }
    },
    StoryVariant(
      description: "a tenth of the samples are no person's", verdict: .suspect,
      reasons: [
        .implausible(recorder: "heartRateConfig", count: 1, samples: 5, from: 15, to: 350, unit: "count/min")
      ]
    ) { $0.insert(2400, .reading(TrialStory.reading(5000, [], at: 2400))) },
    StoryVariant(description: "a protocol has no music", verdict: .good, reasons: []) {
      $0.opening.speaker = nil
      $0.events[0].event = .trialOpened($0.opening)
      $0.remove {
        switch $0 {
        case .clipChosen, .soundScheduled, .soundStarted, .soundEnded: true
        default: false
        }
      }
    },
  ]
}

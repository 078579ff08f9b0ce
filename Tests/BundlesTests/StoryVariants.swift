import Basics
import Bundles
import Quantities
import Study

/// Trials in which something went otherwise, with the verdict that each must get.
struct StoryVariant: Sendable, CustomStringConvertible {
  let description: String
  let grade: Grade
  let reasons: [String]
  var warnings: [String] = []
  let change: @Sendable (inout TrialStory) -> Void

  var story: TrialStory {
    var story = TrialStory.good()
    change(&story)
    return story
  }

  static let all: [StoryVariant] = [
    StoryVariant(description: "nothing happens", grade: .good, reasons: []) { _ in },
    StoryVariant(description: "time zone, place and motion are known", grade: .good, reasons: []) {
      $0.opening = TrialStory.opening(inZone: "Europe/Amsterdam", on: .chest, .sedentary)
      $0.events[0].event = .trialOpened($0.opening)
    },
    StoryVariant(description: "the sound runs dry twice", grade: .suspect, reasons: ["2 buffer underruns"]) {
      for _ in 0..<2 { $0.insert(1500, .soundDisturbed(step: "music", .underrun(at: nil))) }
    },
    StoryVariant(
      description: "the sound is moved", grade: .suspect, reasons: ["playback was moved to “headphones”"]
    ) { $0.insert(1500, .soundDisturbed(step: "music", .moved(to: "headphones"))) },
    StoryVariant(description: "the sink sleeps", grade: .suspect, reasons: ["the sink was suspended once"]) {
      $0.insert(1500, .soundDisturbed(step: "music", .suspended))
      $0.insert(1600, .soundDisturbed(step: "music", .resumed))
    },
    StoryVariant(description: "the sink is muted", grade: .bad, reasons: ["the sound was muted once"]) {
      $0.insert(1500, .soundDisturbed(step: "music", .muted))
      $0.insert(1600, .soundDisturbed(step: "music", .unmuted))
    },
    StoryVariant(
      description: "somebody turns the volume down", grade: .suspect,
      reasons: ["the volume was changed: sink 40 %, stream 100 %"]
    ) {
      $0.insert(
        1500,
        .soundDisturbed(
          step: "music",
          .volumeChanged(to: SpeakerVolume(sink: [40], isSinkMuted: false, stream: [100], isStreamMuted: false))))
    },
    StoryVariant(
      description: "the card stumbles", grade: .suspect, reasons: ["playback shifted by 12.5 ms after onset"]
    ) { $0.insert(1500, .soundDisturbed(step: "music", .slipped(by: .microseconds(12_500)))) },
    StoryVariant(
      description: "the sink is softer than the sound was made", grade: .good, reasons: [],
      warnings: ["the volume of the sink was 40/39.5 %"]
    ) {
      $0.opening.speaker?.volume?.sink = [40, 39.5]
      $0.events[0].event = .trialOpened($0.opening)
    },
    StoryVariant(
      description: "the server dies", grade: .bad,
      reasons: [
        "the trial failed: the sound failed", "playback failed: Connection terminated",
        "1.4 s of 3.0 s of the stimulus were played (47 %)",
      ]
    ) {
      $0.remove { if case .soundEnded = $0 { true } else { false } }
      $0.insert(2400, .soundFailed(step: "music", reason: "Connection terminated"))
      $0.close(.failed, reason: "the sound failed")
    },
    StoryVariant(
      description: "the trial fails with the sound", grade: .bad,
      reasons: ["the trial failed: Connection terminated", "1.4 s of 3.0 s of the stimulus were played (47 %)"]
    ) {
      $0.remove { if case .soundEnded = $0 { true } else { false } }
      $0.insert(2400, .soundFailed(step: "music", reason: "Connection terminated"))
      $0.close(.failed, reason: "Connection terminated")
    },
    StoryVariant(
      description: "the music step is skipped", grade: .suspect, reasons: ["the step “music” was skipped"]
    ) { $0.skip("music") },
    StoryVariant(description: "the instruction is skipped", grade: .good, reasons: []) { $0.skip("instruction") },
    StoryVariant(
      description: "the onset is uncertain", grade: .suspect,
      reasons: ["the onset is only known to within 1.6 ms"]
    ) { $0.replaceOnset(.microseconds(1_000_020), uncertainty: .microseconds(1600)) },
    StoryVariant(
      description: "the computer sleeps", grade: .suspect,
      reasons: [
        "the system clock jumped forward by 3600.0 s relative to the monotonic clock (set by hand, NTP or suspend); "
          + "wall-clock times are uncertain"
      ]
    ) { $0.moveCalendar(3_600_000) },
    StoryVariant(
      description: "the calendar is set back", grade: .suspect,
      reasons: [
        "the system clock jumped back by 2.0 s relative to the monotonic clock (set by hand, NTP or suspend); "
          + "wall-clock times are uncertain"
      ]
    ) { $0.moveCalendar(-2000) },
    StoryVariant(description: "the calendar drifts a little", grade: .good, reasons: []) { $0.moveCalendar(900) },
    StoryVariant(
      description: "it is stopped in the middle", grade: .suspect,
      reasons: ["the trial was stopped: by the operator", "1.5 s of 3.0 s of the stimulus were played (50 %)"]
    ) {
      $0.replaceEnd(frames: 66_150)
      $0.close(.stopped, reason: "by the operator")
    },
    StoryVariant(
      description: "the program dies", grade: .suspect,
      reasons: [
        "the program died during the trial, which was recovered from its journal",
        "the end of the stimulus was not recorded",
      ]
    ) {
      $0.remove { if case .soundEnded = $0 { true } else { false } }
      $0.close(.recovered)
    },
    StoryVariant(description: "it is suspended", grade: .suspect, reasons: ["the trial was paused once"]) {
      $0.insert(4800, .suspended)
      $0.insert(4900, .resumed)
    },
    StoryVariant(
      description: "the onset is late", grade: .suspect, reasons: ["the onset was 7.3 ms after its schedule"]
    ) { $0.replaceOnset(.microseconds(1_007_300)) },
    StoryVariant(
      description: "the onset is early", grade: .suspect, reasons: ["the onset was 6.0 ms before its schedule"]
    ) { $0.replaceOnset(.microseconds(994_000)) },
    StoryVariant(description: "the onset is a little late", grade: .good, reasons: []) {
      $0.replaceOnset(.microseconds(1_005_000))
    },
    StoryVariant(
      description: "the clip never sounds", grade: .bad, reasons: ["the clip “chill_preview_4” never sounded"]
    ) {
      $0.remove {
        switch $0 {
        case .soundScheduled, .soundStarted, .soundEnded: true
        default: false
        }
      }
    },
    StoryVariant(
      description: "the server resamples", grade: .good, reasons: [],
      warnings: ["the sound server resampled the clip from 44100 to 48000 Hz"]
    ) {
      $0.opening.speaker?.sinkRate = 48_000
      $0.events[0].event = .trialOpened($0.opening)
    },
    StoryVariant(
      description: "the clip is odd", grade: .suspect, reasons: ["the clip “chill_preview_4”: it ends in a torn frame"]
    ) { story in
      story.chosen.warnings = ["it ends in a torn frame"]
      let chosen = story.chosen
      story.replace { if case .clipChosen = $0 { .clipChosen(chosen) } else { nil } }
    },
    StoryVariant(
      description: "the loudness is missed by little for the peak", grade: .good, reasons: [],
      warnings: [
        "the clip “chill_preview_4” is played at -20.8 LUFS, not at the -20 LUFS that are asked for: "
          + "its true peak may not pass -3 dBTP"
      ]
    ) { $0.ask(for: LoudnessTarget(integrated: -20, truePeakLimit: -3)) },
    StoryVariant(
      description: "the loudness is missed by more than 1 LU", grade: .suspect,
      reasons: [
        "the clip “chill_preview_4” was played at -20.8 LUFS, 4.8 LU below its target of -16.0 LUFS (true peak limit "
          + "-3.0 dBTP)"
      ]
    ) { $0.ask(for: LoudnessTarget(integrated: -16, truePeakLimit: -3)) },
    StoryVariant(description: "the protocol allows more", grade: .good, reasons: []) { story in
      story.opening.thresholds.onsetTolerance = .milliseconds(10)
      story.opening.thresholds.loudnessTolerance = 5
      story.events[0].event = .trialOpened(story.opening)
      story.replaceOnset(.microseconds(1_007_300))
    },
    StoryVariant(
      description: "it is stopped early in the stimulus", grade: .bad,
      reasons: ["the trial was stopped: by the operator", "0.2 s of 3.0 s of the stimulus were played (7 %)"]
    ) {
      $0.replaceEnd(frames: 9261)
      $0.close(.stopped, reason: "by the operator")
    },
    StoryVariant(
      description: "nobody can hear it", grade: .bad,
      reasons: ["no one could hear the clip: the sink “auto_null” is a null sink, which discards its sound"]
    ) { $0.play(to: "auto_null", kind: "pulseaudio", isNamed: false) },
    StoryVariant(
      description: "nobody can hear it, as the command asks", grade: .good, reasons: [],
      warnings: ["no one could hear the clip: the sink “booth” is a null sink, which discards its sound"]
    ) { $0.play(to: "booth", kind: "pulseaudio", isNamed: true) },
    StoryVariant(
      description: "the speaker is silent", grade: .good, reasons: [],
      warnings: ["no one could hear the clip: the sink “silent” is a null sink, which discards its sound"]
    ) { $0.play(to: "silent", kind: "silent", isNamed: nil) },
    StoryVariant(
      description: "no reading comes", grade: .bad,
      reasons: ["no samples from the sensor “simulated” (heartRateConfig, rrConfig)"]
    ) { $0.remove { if case .reading = $0 { true } else { false } } },
    StoryVariant(
      description: "the recorders are never started", grade: .good, reasons: [],
      warnings: ["the recorder “heartRateConfig” was never started", "the recorder “rrConfig” was never started"]
    ) { $0.remove { if case .recorderStarted = $0 { true } else { false } } },
    StoryVariant(
      description: "the sensor is lost and comes back", grade: .suspect,
      reasons: ["the sensor “simulated” was lost for 0.4 s: out of range"]
    ) {
      $0.insert(2600, .sensorLost(sensor: "simulated", reason: "out of range", isFinal: false))
      $0.insert(3000, .sensorConnected(sensor: "simulated", device: nil))
    },
    StoryVariant(
      description: "the sensor is lost for good", grade: .suspect,
      reasons: ["the sensor “simulated” was lost for 1.4 s: end of file"]
    ) { story in
      story.events.removeAll { time, event in
        guard case .reading = event else { return false }
        return time > .milliseconds(2600)
      }
      story.insert(2600, .sensorLost(sensor: "simulated", reason: "end of file", isFinal: true))
    },
    StoryVariant(description: "another sensor is lost", grade: .good, reasons: []) {
      $0.insert(2600, .sensorLost(sensor: "other", reason: "end of file", isFinal: true))
    },
    StoryVariant(description: "the sensor is lost after the music", grade: .good, reasons: []) {
      $0.insert(4500, .sensorLost(sensor: "simulated", reason: "end of file", isFinal: true))
    },
    StoryVariant(
      description: "the sensor leaves the skin", grade: .suspect,
      reasons: ["the sensor “simulated” had no skin contact for 4.0 s of 20.0 s in “music” (20 %)"]
    ) { $0 = $0.recording(for: 20, withoutContact: [5..<9]) },
    StoryVariant(
      description: "readings are dropped", grade: .suspect,
      reasons: ["12 samples of “simulated” dropped"]
    ) { $0.insert(2000, .readingsDropped(sensor: "simulated", count: 12)) },
    StoryVariant(description: "the sender says its own time", grade: .good, reasons: []) {
      var reading = TrialStory.reading(64, [940], at: 2400)
      reading.senderTime = 12.5
      $0.insert(2400, .reading(reading))
    },
    StoryVariant(
      description: "a sensor is mute at first", grade: .good, reasons: [],
      warnings: ["the sensor “simulated” had sent no reading 3 s after it connected"]
    ) {
      for time in [100, 200] {
        $0.insert(time, .sensorNoted(sensor: "simulated", text: "had sent no reading 3 s after it connected"))
      }
    },
    StoryVariant(
      description: "lines cannot be read", grade: .good, reasons: [],
      warnings: ["3 lines of “simulated” could not be read and were skipped"]
    ) {
      $0.insert(2000, .linesSkipped(sensor: "simulated", count: 2, firstLine: 5, reason: "no number"))
      $0.insert(2000, .linesSkipped(sensor: "simulated", count: 1, firstLine: 9, reason: "no number"))
    },
    StoryVariant(description: "an earlier station did not write when active parts began", grade: .good, reasons: []) {
      $0.remove {
        switch $0 {
        case .stepBegan, .stepFinished: true
        default: false
        }
      }
    },
    StoryVariant(description: "a protocol has no music", grade: .good, reasons: []) {
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

extension TrialStory {
  /// Adds an event where its time belongs.
  mutating func insert(_ milliseconds: Int, _ event: JournalEvent) {
    let time = Duration.milliseconds(milliseconds)
    let index = events.firstIndex { $0.time > time } ?? events.endIndex
    events.insert((time, event), at: index)
  }

  mutating func remove(_ isUnwanted: (JournalEvent) -> Bool) { events.removeAll { isUnwanted($0.event) } }

  mutating func replace(_ new: (JournalEvent) -> JournalEvent?) {
    for index in events.indices { events[index].event = new(events[index].event) ?? events[index].event }
  }

  mutating func close(_ outcome: Outcome, reason: String? = nil) {
    let closing = closing(outcome, reason: reason)
    replace { if case .trialClosed = $0 { .trialClosed(closing) } else { nil } }
  }

  mutating func skip(_ name: String) {
    replace { event in
      guard case .stepEnded(name, _) = event else { return nil }
      return .stepEnded(step: name, reason: .skipped)
    }
  }

  /// Moves the calendar's reading at the end.
  mutating func moveCalendar(_ milliseconds: Int) {
    replace { event in
      guard case .trialClosed(var closing) = event, let wall = closing.calendar?.wall else { return nil }
      closing.calendar?.wall = wall.advanced(by: .milliseconds(milliseconds))
      return .trialClosed(closing)
    }
  }

  mutating func replaceOnset(_ time: Duration, uncertainty: Duration? = nil) {
    replace { event in
      guard case .soundStarted(let step, let segment, let onset) = event else { return nil }
      return .soundStarted(
        step: step, segment: segment, onset: MeasuredTime(time: time, uncertainty: uncertainty ?? onset.uncertainty))
    }
  }

  /// The story with recorders that record so many seconds from its first second on, and with a beat every second, but for
  /// the seconds (of the trial) in which the sensor says that it does not touch the skin.
  func recording(for length: Int, withoutContact off: [Range<Int>]) -> TrialStory {
    var story = self
    story.remove {
      switch $0 {
      case .reading, .recorderStopped, .trialClosed: true
      default: false
      }
    }
    for second in 0...length + 2 {
      var reading = TrialStory.reading(60, [1000], at: second * 1000)
      if off.contains(where: { $0.contains(second) }) {
        (reading.heartRate, reading.rrIntervals, reading.contact) = (nil, [], false)
      }
      story.insert(second * 1000, .reading(reading))
    }
    for recorder in ["heartRateConfig", "rrConfig"] {
      story.insert(1000 + length * 1000, .recorderStopped(recorder: recorder, step: "music", segment: 0))
    }
    story.add(.seconds(length + 3), .trialClosed(story.closing(.completed)))
    return story
  }

  /// Asks for a loudness; -20.75 LUFS are reached.
  mutating func ask(for target: LoudnessTarget) {
    chosen.target = target
    let chosen = chosen
    replace { if case .clipChosen = $0 { .clipChosen(chosen) } else { nil } }
  }

  /// Plays to a sink that nobody can hear.
  mutating func play(to sink: String, kind: String, isNamed: Bool?) {
    opening.speaker?.sink = sink
    opening.speaker?.kind = kind
    opening.speaker?.isAudible = false
    opening.speaker?.isNamed = isNamed
    events[0].event = .trialOpened(opening)
  }

  mutating func replaceEnd(frames: Int) {
    replace { event in
      guard case .soundEnded(let step, let segment, let offset, _) = event else { return nil }
      return .soundEnded(step: step, segment: segment, offset: offset, frames: frames)
    }
  }
}

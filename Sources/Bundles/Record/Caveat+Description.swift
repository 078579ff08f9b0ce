import Basics
import Quantities
import Sound
import Study

extension Caveat: CustomStringConvertible {
  /// One plain sentence without a full stop.
  package var description: String {
    switch self {
    case .stopped(let reason): "the trial was stopped" + Self.suffix(reason)
    case .failed(let reason): "the trial failed" + Self.suffix(reason)
    case .recovered: "the program died during the trial, which was recovered from its journal"
    case .simulated: TrialSimulation.everything.sentence ?? ""
    case .simulatedSensors(let sensors):
      TrialSimulation.sensors(sensors).sentence ?? ""
    case .paused(let count): "the trial was paused \(Self.times(count))"
    case .pageHidden(let count, let time):
      "the participant's page was hidden \(Self.times(count)), for \(Self.seconds(time)) in all"
    case .pageLost(let count): "the participant's page was gone or did not respond \(Self.times(count))"
    case .pageReloaded(let count): "the participant's page was loaded again \(Self.times(count))"
    case .pictureBroken(let count): "the participant's page could not show a picture \(Self.times(count))"
    case .fullScreenLeft(let count): "the participant's page left the full screen \(Self.times(count))"
    case .browserRestarted(let count): "the participant's browser ended \(Self.times(count)), and was started again"
    case .stepSkipped(let step): "the step “\(step)” was skipped"
    case .unanswered(let step, let question):
      step == question
        ? "the question of the step “\(step)” was not answered"
        : "the question “\(question)” of the step “\(step)” was not answered"
    case .clockJumped(let drift):
      "the system clock jumped \(drift > .zero ? "forward" : "back") by \(Self.seconds(drift)) relative to the monotonic "
        + "clock (set by hand, NTP or suspend); wall-clock times are uncertain"
    case .journalDamaged(let problems, let line, let reason):
      "\(problems.counted("line")) of the journal damaged: \(line.map { "line \($0): " } ?? "")\(reason)"
    case .unknownRecords(let count, let kinds):
      "\(count.counted("journal record")) of unknown kinds (\(Self.quoted(kinds))) skipped: a newer station wrote the journal"
    case .unknown(let code): "“\(code)”, which a newer station has written"
    default: soundDescription ?? recordingDescription
    }
  }

  private var soundDescription: String? {
    switch self {
    case .playbackFailed(let reason): "playback failed: \(reason)"
    case .clipFaulty(let clip, let fault): "the clip “\(clip)”: \(fault)"
    case .neverSounded(let clip): "the clip “\(clip)” never sounded"
    case .inaudible(let sink):
      "no one could hear the clip: the sink\(sink.map { " “\($0)”" } ?? "") is a null sink, which discards its sound"
    case .loudnessMissed(let clip, let reached, let target, let limit):
      "the clip “\(clip)” reaches \(reached.fixed(1)) LUFS, \(abs(target - reached).fixed(1)) LU "
        + "\(reached < target ? "below" : "above") its target of \(target.fixed(1)) LUFS (true peak limit "
        + "\(limit.fixed(1)) dBTP)"
    case .volumeLimited(let chosen, let played):
      "the chosen volume of \(chosen.fixed(1)) dB would have clipped; \(played.fixed(1)) dB were played"
    case .levelLimited(let wanted, let maximum):
      "the level of \(wanted.fixed(1)) dB SPL was lowered to the protocol's maximum of \(maximum.fixed(1)) dB SPL"
    case .stepObjected(let step, _, let reason): "the step “\(step)”: \(reason)"
    case .onsetUncertain(let uncertainty): "the onset is only known to within \(Self.milliseconds(uncertainty))"
    case .onsetShifted(let distance):
      "the onset was \(Self.milliseconds(distance)) \(distance > .zero ? "after" : "before") its schedule"
    case .lockUnconfirmed(let step):
      "the onset of “\(step)” was to follow an R peak, and none was found there afterwards"
    case .underruns(let count): count.counted("buffer underrun")
    case .sinkChanged(let sink): "playback was moved to “\(sink)”"
    case .sinkSuspended(let count): "the sink was suspended \(Self.times(count))"
    case .muted(let count): "the sound was muted \(Self.times(count))"
    case .volumeChanged(let volume): "the volume was changed: \(volume)"
    case .playbackShifted(let shift): "playback shifted by \(Double(shift.nanoseconds / 1000) / 1000) ms after onset"
    case .otherProgram(let name): "“\(name)” played through the same sink during the stimulus"
    case .otherFault(let code): "playback was disturbed: \(code)"
    case .endUnknown: "the end of the stimulus was not recorded"
    case .playedInPart(let played, let requested):
      "\(Self.seconds(played)) of \(Self.seconds(requested)) of the stimulus were played (\(Self.percent(played, requested)))"
    case .resampled(let clip, let sink): "the clip was resampled from \(clip) to \(sink) Hz, the rate of the sink"
    case .volumeSet(let part, let volume): "the volume of the \(part.rawValue) was \(SpeakerVolume.percent(volume))"
    case .coarseTiming(let granularity):
      "the server was PipeWire's PulseAudio, which reports playback once per cycle of up to "
        + "\(Self.milliseconds(granularity)): onset and offset are uncertain, and shifts of the sound could not be seen"
    case .toneFailed(let step, let tone, let reason):
      "\(tone.title) of the step “\(step)” was not played: \(reason)"
    case .toneDisturbed(let step, let tone, let disturbance):
      "\(tone.title) of the step “\(step)” was disturbed: \(disturbance)"
    case .speechFailed(let step, let utterance, let reason):
      "\(utterance.title) of the step “\(step)” was not played: \(reason)"
    case .speechDisturbed(let step, let utterance, let disturbance):
      "\(utterance.title) of the step “\(step)” was disturbed: \(disturbance)"
    case .markersFailed(let output, let count, let reason):
      "\(count.counted("marker")) to “\(output)” failed: \(reason)"
    case .markerShifted(let output, let distance):
      "the marker to “\(output)” was sent \(Self.milliseconds(distance)) \(distance > .zero ? "after" : "before") the onset"
    default: nil
    }
  }

  private var recordingDescription: String {
    switch self {
    case .sensorLost(let sensor, let count, let lost, let reason):
      count == 1
        ? "the sensor “\(sensor)” was lost for \(Self.seconds(lost)): \(reason)"
        : "the sensor “\(sensor)” was lost \(count) times, for \(Self.seconds(lost)) in all: \(reason)"
    case .noSamples(let sensor, let recorders): "no samples from the sensor “\(sensor)” (\(Self.list(recorders)))"
    case .silent(let sensor, let recorders, let count, let silence):
      "no samples from the sensor “\(sensor)” for \(Self.seconds(silence))"
        + (count == 1 ? "" : " in \(count) gaps") + " (\(Self.list(recorders)))"
    case .noContact(let sensor, let step, let lost, let whole):
      "the sensor “\(sensor)” had no skin contact for \(Self.seconds(lost)) of \(Self.seconds(whole)) in “\(step)” "
        + "(\(Self.percent(lost, whole)))"
    case .noPulse(let sensor, let step, let lost, let whole):
      "the sensor “\(sensor)” found no pulse for \(Self.seconds(lost)) of \(Self.seconds(whole)) in “\(step)” "
        + "(\(Self.percent(lost, whole)))"
    case .lowQuality(let sensor, let step, let low, let whole):
      "the signal of the sensor “\(sensor)” was of low quality for \(Self.seconds(low)) of \(Self.seconds(whole)) in "
        + "“\(step)” (\(Self.percent(low, whole)))"
    case .coverage(let recorders, let step, let covered, let whole):
      "samples cover \(Self.seconds(covered)) of \(Self.seconds(whole)) in “\(step)” (\(Self.percent(covered, whole)); "
        + "\(Self.list(recorders)))"
    case .samplesDropped(let sensor, let count): "\(count.counted("sample")) of “\(sensor)” dropped"
    case .samplesUnread(let sensor, let count, let heldBack):
      "at least \(count.counted("sample")) of “\(sensor)” not read: it sent more than is read beside a trial, and was held "
        + "back for \(Self.seconds(heldBack))"
    case .implausible(let recorder, let count, let all, let lower, let upper, let unit):
      "\(count) of \(all.counted("sample")) of “\(recorder)” implausible (outside "
        + "\(Self.bound(lower)) to \(Self.bound(upper)) \(unit))"
    case .waveformDamaged(let recorder, let blocks, let bytes):
      "the waveform of “\(recorder)” is damaged: \(blocks.counted("block")) not read, "
        + "\(bytes.counted("byte")) of no block"
    case .soundLost(let recorder, let times, let lost):
      "the sound server lost \(Self.milliseconds(lost)) of the sound of “\(recorder)” in \(times.counted("gap"))"
    case .soundClipped(let recorder, let samples):
      "\(samples.counted("sample")) of the sound of “\(recorder)” clipped; lower the microphone's volume"
    case .neverStarted(let recorder): "the recorder “\(recorder)” was never started"
    case .linesSkipped(let sensor, let count):
      "\(count.counted("line")) of “\(sensor)” could not be read, or not in full"
    case .sensorNoted(let sensor, let text): "the sensor “\(sensor)” \(text)"
    default: ""
    }
  }

  private static func suffix(_ reason: String?) -> String { reason.map { ": \($0)" } ?? "" }

  private static func list(_ names: [String]) -> String { names.joined(separator: ", ") }

  private static func quoted(_ names: [String]) -> String { list(names.map { "“\($0)”" }) }

  private static func times(_ count: Int) -> String { count == 1 ? "once" : "\(count) times" }

  private static func percent(_ part: Duration, _ whole: Duration) -> String {
    whole > .zero ? "\((part / whole * 100).fixed(0)) %" : "0 %"
  }

  /// A limit of plausible values: `350`, `0.25`.
  private static func bound(_ number: Double) -> String {
    JSONValue.number((number * 1000).rounded() / 1000).text()
  }

  /// Lengths of recordings: `30.1 s`.
  private static func seconds(_ duration: Duration) -> String { "\(abs(duration.seconds).fixed(1)) s" }

  /// What is to be exact about a sound: `3.1 ms`.
  private static func milliseconds(_ duration: Duration) -> String { "\(abs(duration.milliseconds).fixed(1)) ms" }
}

extension TrialRecord.Gap: CustomStringConvertible {
  /// Why nothing is known: `sensor lost: end of file`.
  package var description: String {
    switch cause {
    case .sensorLost: "sensor lost" + (reason.map { ": \($0)" } ?? "")
    case .noContact: "no skin contact"
    case .noPulse: "no pulse found"
    case .silence: "no samples"
    }
  }
}

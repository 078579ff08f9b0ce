import Bundles
import Quantities
import Sensors
import Sound
import Study

/// What is sent to other devices about a trial, so that their recordings and the station's agree.
struct MarkerOutputs: Sendable {
  /// The devices that take codes.
  var codes: [any CodeOutput] = []
  /// The streams on which texts are published.
  var streams: [any MarkerStream] = []
  /// The channel of the sink with a pulse at each onset, and its name in results; `nil` without one.
  var channel: (name: String, channel: MarkerChannel)?

  /// Outputs; none by default.
  init() {}

  /// The format in which a sound of a format is played.
  func format(of format: SoundFormat) -> SoundFormat { channel?.channel.format(of: format) ?? format }

  /// Waits until every stream is received by a program.
  ///
  /// - Returns: the names of those that no program receives after this time.
  func unreceived(after patience: Duration, on clock: any StationClock) async throws -> [String] {
    let end = clock.now.advanced(by: patience)
    while streams.contains(where: { !$0.isReceived }), clock.now < end {
      try await clock.sleep(for: .milliseconds(50))
    }
    return streams.filter { !$0.isReceived }.map(\.name)
  }

  /// Closes the devices.
  func close() {
    for output in codes { output.close() }
    for stream in streams { stream.close() }
  }
}

/// What the markers of one trial say.
struct TrialMarking: Sendable {
  var outputs = MarkerOutputs()
  /// The code of the trial's condition; `nil` where there is none.
  var code: Int?
  /// The trial's number in the session; `nil` for what lies around the trials.
  var number: Int?
  /// The trial's condition; `nil` without one.
  var condition: String?
  /// The step that is silent in the place of a clip.
  var silentStep: String?
}

/// A trial's markers: sends them, and writes down what became of them.
///
/// A marker that cannot be sent is a record like any other; nothing here ends a trial.
struct TrialMarkers: Sendable {
  /// The codes that wait for an onset.
  struct Waiting: Sendable {
    fileprivate var codes: [(output: any CodeOutput, number: Int)] = []

    /// Takes them back, as far as they were not sent.
    func cancel() { for code in codes { code.output.cancel(code.number) } }
  }

  let marking: TrialMarking
  let log: TrialLog

  private var outputs: MarkerOutputs { marking.outputs }

  /// A sound as it is played: on the channels of the sink where one of them is for markers.
  func laidOut(_ sound: Stimulus?, isStimulus: Bool) -> Stimulus? {
    guard let sound, let channel = outputs.channel?.channel else { return sound }
    return channel.stimulus(sound, isMarked: isStimulus)
  }

  func trialBegan() {
    guard let number = marking.number else { return }
    publish(.trial, "trial/\(number)")
    if let condition = marking.condition { publish(.condition, "condition/\(condition)") }
  }

  /// Its last step was left.
  func trialEnded() { if let number = marking.number { publish(.trialEnd, "trialEnd/\(number)") } }

  /// A step was shown.
  func showed(_ step: String) { publish(.step, "step/\(step)", step: step) }

  /// A stimulus was scheduled: codes are sent at that moment.
  func scheduled(_ job: SoundJob, at moment: Moment) -> Waiting {
    guard case .stimulus(let segment) = job.id.kind else { return Waiting() }
    return sendCodes(step: job.step, segment: segment, at: moment)
  }

  /// The first frame of a stimulus left the sink, and the pulse with it.
  func started(_ job: SoundJob, scheduled: Moment?, onset: MeasuredTime) {
    guard case .stimulus(let segment) = job.id.kind else { return }
    let intended = scheduled.map(log.time(of:))
    publish(.onset, "onset/\(title(job.step))", step: job.step, segment: segment, intended: intended, at: onset)
    guard let channel = outputs.channel else { return }
    log.append(
      .marked(
        SentMarker(
          output: channel.name, event: .onset, step: job.step, segment: segment,
          intended: intended, sent: onset)))
  }

  /// The last frame of a stimulus left the sink.
  func ended(_ job: SoundJob, offset: MeasuredTime) {
    guard case .stimulus(let segment) = job.id.kind else { return }
    publish(.offset, "offset/\(title(job.step))", step: job.step, segment: segment, at: offset)
  }

  /// The active part of a step began: the silence in the place of a clip has an onset as well.
  func began(_ step: String) {
    guard step == marking.silentStep else { return }
    _ = sendCodes(step: step, segment: nil, at: log.clock.now)
    publish(.onset, "onset/\(title(step))", step: step)
  }

  /// The active part of a step finished.
  func finished(_ step: String) {
    if step == marking.silentStep { publish(.offset, "offset/\(title(step))", step: step) }
  }

  /// What onsets and offsets are called: the condition, or the step of a trial without one.
  private func title(_ step: String) -> String { marking.condition ?? step }

  /// Publishes a text that belongs to a measured time, or to now.
  private func publish(
    _ event: SentMarker.Event, _ text: String, step: String? = nil, segment: Int? = nil, intended: Duration? = nil,
    at time: MeasuredTime? = nil
  ) {
    let time = time ?? MeasuredTime(time: log.time(of: log.clock.now), uncertainty: .zero)
    for stream in outputs.streams {
      let failure = stream.publish(text, at: log.zero.advanced(by: time.time))
      log.append(
        .marked(
          SentMarker(
            output: stream.name, event: event, text: text, step: step, segment: segment, intended: intended,
            sent: failure == nil ? time : nil, failure: failure)))
    }
  }

  private func sendCodes(step: String, segment: Int?, at moment: Moment) -> Waiting {
    var waiting = Waiting()
    for output in outputs.codes {
      let marker = SentMarker(
        output: output.name, event: .onset, code: marking.code, step: step, segment: segment,
        intended: log.time(of: moment))
      guard let code = marking.code.flatMap(UInt8.init(exactly:)) else { continue }
      let number = output.send(code, at: moment) { [log] delivery in
        var marker = marker
        switch delivery {
        case .sent(let measured):
          marker.sent = log.time(of: measured)
        case .failed(let reason): marker.failure = reason
        }
        log.append(.marked(marker))
      }
      waiting.codes.append((output, number))
    }
    return waiting
  }
}

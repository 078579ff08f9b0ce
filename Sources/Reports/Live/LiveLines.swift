package import Analysis
import Basics
package import Bundles
import Quantities
import Study

/// A running trial as plain lines, one per event, for pipes and logs.
package struct LiveLines: Sendable {
  // The caveats already printed, without their numbers, which may grow.
  private var topics: Set<[String: JSONValue]> = []

  /// No lines yet.
  package init() {}

  /// The lines for a record that was just added to the trial.
  package mutating func lines(_ record: JournalRecord, _ trial: LiveTrial) -> [String] {
    let time = record.time.clockText()
    var lines: [String] = []
    func tell(_ text: String) { lines.append("\(time)  \(text)") }
    switch record.event {
    case .trialOpened(let opening):
      let place = trial.isAround ? "the steps around the trials" : trial.placeInSession
      tell(
        "trial \(opening.trial): \(opening.studyProtocol.identifier), participant \(opening.participant), session \(opening.session)"
          + (place.map { ", \($0)" } ?? ""))
    case .clipChosen(let clip): tell("clip \(clip.clip.name), \(clip.requested.seconds.fixed(3)) s")
    case .stepStarted(let step):
      let place = trial.number(of: step).map { "step \($0.number) of \($0.count), " } ?? "step "
      tell(place + step + (trial.title(of: step).map { ": \($0)" } ?? ""))
    case .stepEnded(let step, let reason):
      if reason != .finished { tell("\(step): \(reason.rawValue)") }
    case .answered(let step, _, let value, _, _):
      tell("\(step): " + (value.map { "answer \($0.description.visible)" } ?? "not answered"))
    case .soundStarted(_, _, let onset): tell("onset at \(onset.time.seconds.fixed(3)) s")
    case .soundEnded(_, _, let offset, _): tell("offset at \(offset.time.seconds.fixed(3)) s")
    case .annotated(let text): tell("annotated: \(text.visible)")
    case .suspended: tell("paused")
    case .resumed: tell("resumed")
    case .sensorConnected(let sensor, _): tell("sensor “\(sensor)” connected")
    case .sensorLost(let sensor, let reason, _): tell("sensor “\(sensor)” lost: \(reason)")
    case .reading(let reading): if let text = Self.text(reading) { tell(text) }
    case .sample(let sample):
      tell("\(sample.sensor): \(sample.channel.channelName) \(sample.unit.text(of: sample.value))")
    case .trialClosed(let closing):
      tell("outcome: \(closing.outcome.rawValue)" + (closing.reason.map { ": \($0)" } ?? ""))
    default: break
    }
    for caveat in trial.progress.caveats where topics.insert(caveat.topic).inserted {
      tell("warning: \(caveat)")
    }
    return lines
  }

  private static func text(_ reading: SensorReading) -> String? {
    if reading.contact == false { return "\(reading.sensor): no skin contact" }
    let intervals = reading.rrIntervals.map { "\($0.fixed(0))" }.joined(separator: ", ")
    switch (reading.heartRate, reading.rrIntervals.isEmpty) {
    case (let rate?, true): return "\(reading.sensor): \(rate.fixed(0)) /min"
    case (let rate?, false): return "\(reading.sensor): \(rate.fixed(0)) /min, RR \(intervals) ms"
    case (nil, false): return "\(reading.sensor): RR \(intervals) ms"
    case (nil, true): return nil
    }
  }
}

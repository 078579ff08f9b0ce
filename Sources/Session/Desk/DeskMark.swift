import Analysis
import Basics
import Bundles
import Quantities
import Study

/// A line across the time of a console's chart: a step, a sound, a remark, a gap.
struct DeskMark {
  let kind: String
  let text: String
  /// When it was, where the record's own time says something else.
  var time: Duration?

  /// The mark of an event; `nil` for one that a chart does not show.
  init?(_ event: JournalEvent, in trial: LiveTrial?) {
    switch event {
    case .stepStarted(let step): (kind, text) = ("step", trial?.title(of: step) ?? step)
    case .soundStarted(_, _, let onset):
      (kind, text, time) = ("onset", trial?.progress.clip?.clip.name ?? "", onset.time)
    case .soundEnded(_, _, let offset, _): (kind, text, time) = ("offset", "", offset.time)
    case .annotated(let remark): (kind, text) = ("note", remark)
    case .suspended: (kind, text) = ("paused", "")
    case .resumed: (kind, text) = ("resumed", "")
    case .sensorLost(let sensor, _, _): (kind, text) = ("lost", sensor)
    case .sensorConnected(let sensor, _): (kind, text) = ("back", sensor)
    case .trialOpened(let opening):
      guard let number = opening.place?.trial else { return nil }
      (kind, text) = ("trial", "\(number)")
    default: return nil
    }
  }

  func json(at seconds: Double) -> JSONValue {
    ["mark": .string(kind), "text": .string(text), "t_s": .number(seconds)]
  }
}

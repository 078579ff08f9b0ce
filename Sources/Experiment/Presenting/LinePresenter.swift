import Basics
import Bundles
import Quantities
package import Study

/// Shows a trial as plain lines, one per event, for pipes and logs.
package struct LinePresenter: Presenter {
  private let console: any OperatorDisplay

  /// Shows a trial on a display.
  package init(console: any OperatorDisplay) { self.console = console }

  /// Shows an event.
  package func present(_ event: PresentedEvent, of step: Step) {
    switch event {
    case .appeared(let index, let count, let waits):
      let text = [step.title, step.text, step.detailText].compactMap { $0 }.joined(separator: " — ")
      console.line("step \(index + 1) of \(count), \(step.identifier)" + (text.isEmpty ? "" : ": \(text)"))
      if waits { console.line("waiting for Return") }
    case .started: console.line("\(step.identifier): started")
    case .sounded: console.line("\(step.identifier): the clip sounds")
    case .remaining(let time):
      let seconds = Int(time.seconds.rounded())
      if seconds % 5 == 0 { console.line("\(step.identifier): \(seconds) s left") }
    case .heartRate(let rate): console.line("heart rate: " + (rate.map { "\(Int($0.rounded())) /min" } ?? "none"))
    case .sampled(let type, let value, let unit): console.line("\(type.channelName): \(value.brief) \(unit)")
    case .signalled(.vibrate): console.line("\(step.identifier): signal")
    case .signalled(.sound): console.line("\(step.identifier): tone")
    case .signalled(.speech(let words)): console.line("\(step.identifier): “\(words)”")
    case .paused(let isPaused): console.line(isPaused ? "paused" : "resumed")
    case .awaitsNext: console.line("\(step.identifier): done, waiting for Return")
    case .noticed(let text): console.report(text)
    case .left(.finished): break
    case .left(let outcome): console.line("\(step.identifier): \(outcome.rawValue)")
    }
  }
}

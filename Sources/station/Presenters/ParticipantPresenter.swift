import Basics
import Bundles
import Experiment
import Quantities
import Study
import Synchronization

/// Shows a trial to its participant on the full screen of a terminal: title, text and remaining time.
///
/// Messages for the operator wait until the screen is left: the console keeps its lines.
final class ParticipantPresenter: Presenter {
  private let console: Console
  private let phrases: Phrases
  private let screen = Mutex(ParticipantScreen())

  init(console: Console, phrases: Phrases) {
    self.console = console
    self.phrases = phrases
  }

  func present(_ event: PresentedEvent, of step: Step) {
    switch event {
    case .appeared(_, _, let waits):
      update { screen in
        screen = ParticipantScreen(title: step.title ?? "", texts: [step.text, step.detailText].compactMap(\.self))
        if waits { screen.hint = phrases[step.active == nil ? .goOn : .start] }
      }
    case .started: update { $0.hint = runningHint(step) }
    case .remaining(let time): update { $0.remaining = time }
    case .signalled(.vibrate), .signalled(.sound): console.ring()
    case .signalled(.speech(let words)): update { $0.spoken = words }
    case .paused(let isPaused): update { $0.hint = isPaused ? phrases[.paused] : runningHint(step) }
    case .awaitsNext:
      update { screen in
        screen.remaining = nil
        let endsItself = step.active?.stepDuration != .zero
        screen.hint = phrases[endsItself ? .goOn : .finish]
      }
    case .noticed(let text): console.complain(text)
    case .sounded, .heartRate, .left: break
    }
  }

  private func runningHint(_ step: Step) -> String {
    step.active?.stepDuration == .zero ? phrases[.finish] : ""
  }

  /// Shows that the trial is over.
  func showEnd() { update { $0 = ParticipantScreen(title: phrases[.end]) } }

  private func update(_ change: (inout ParticipantScreen) -> Void) {
    // Show it while holding the lock, so that no older screen replaces a newer one; the console never waits.
    screen.withLock { screen in
      change(&screen)
      console.show(screen: { [screen] in screen.rows($0) })
    }
  }
}

/// The contents of the participant's screen.
struct ParticipantScreen: Hashable, Sendable {
  var title = ""
  var texts: [String] = []
  var spoken = ""
  var remaining: Duration?
  var hint = ""

  /// The maximum line width, for easy reading.
  private static let widest = 72

  /// The rows, centred on the terminal; rows that do not fit are cut off at the end.
  func rows(_ size: TerminalSize) -> [String] {
    let width = max(1, min(size.columns - 2, Self.widest))
    func wrapped(_ text: String) -> [String] { text.isEmpty ? [] : text.visibleLines.wrapped(to: width) }
    var blocks = [wrapped(title)] + texts.map(wrapped)
    if !spoken.isEmpty { blocks.append(wrapped("“\(spoken)”")) }
    if let remaining { blocks.append([LiveScreen.clock(remaining, rounding: .up)]) }
    if !hint.isEmpty { blocks.append(wrapped(hint)) }
    let titleRows = blocks[0].count
    let lines = Array(blocks.filter { !$0.isEmpty }.joined(separator: [""]))
    let above = max(0, (size.rows - lines.count) / 2)
    let rows = lines.enumerated().map { index, line in
      let margin = String(repeating: " ", count: max(0, (size.columns - line.displayWidth) / 2))
      return margin + (index < titleRows ? "\u{1B}[1m\(line)\u{1B}[0m" : line)
    }
    return Array((Array(repeating: "", count: above) + rows).prefix(size.rows))
  }
}

extension String {
  /// Its lines wrapped to a width: between words, and within words that are wider.
  func wrapped(to width: Int) -> [String] {
    split(separator: "\n", omittingEmptySubsequences: false).flatMap { line -> [String] in
      var lines: [String] = []
      var current = ""
      func put(_ word: Substring) {
        let joined = current.isEmpty ? String(word) : current + " " + word
        guard joined.displayWidth > width else { return current = joined }
        if !current.isEmpty { lines.append(current) }
        current = ""
        for character in word {
          if current.displayWidth + character.displayWidth > width, !current.isEmpty {
            lines.append(current)
            current = ""
          }
          current.append(character)
        }
      }
      for word in line.split(separator: " ") { put(word) }
      return lines + [current]
    }
  }
}

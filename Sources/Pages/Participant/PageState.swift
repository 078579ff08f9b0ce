import Basics
import Bundles
import Quantities
import Session
import Study

/// A screen on the page.
struct ShownScreen: Sendable {
  /// Its number on the page.
  var number = 0
  /// What is shown where there is no screen of a trial.
  var phrase = Phrase.wait
  /// What it is a screen of, and who takes its answers; `nil` for a phrase.
  var source: (screen: Screen, answers: @Sendable (ParticipantInput, Moment) -> Void)?
  /// When it was painted by the page's clock.
  var frame: PageMessage.Frame?
  /// When it was painted, where that was on another page's clock.
  var painted: MeasuredMoment?
  /// What was painted on the page and is not passed on, since its clock is not known yet.
  var paints: [(frame: PageMessage.Frame, pictures: [PageMessage.PaintedPicture])] = []
  /// The digests of the pictures that were painted.
  var pictured: Set<String> = []
  /// What was entered and not confirmed.
  var draft: JSONValue?
}

/// What a participant's page shows, and what is known of the browser that shows it.
struct PageState: Sendable {
  var shown = ShownScreen()
  var stream: PageStream?
  /// The number of the stream, counted from 1.
  var client = 0
  var pageClock = PageClock()
  /// The questions for the time that the page has not told the answers of, with the station's time.
  var pings: [Int: Moment] = [:]
  var answers: (@Sendable (ParticipantInput, Moment) -> Void)?
  /// Whether the participant wants to stop, and the operator has not decided.
  var asksToStop = false
  /// When the page that listens has sent something for the last time.
  var heard = Moment(nanoseconds: 0)
  /// Whether it has sent nothing for too long.
  var isUnresponsive = false
  /// The window as a page has described it last.
  var window: PageWindow?
  /// Whether the page that listens next is that of a browser that was started again.
  var isRestarted = false
  var isOver = false
  /// What is to be said to others once the lock is open again.
  var after: [@Sendable () -> Void] = []

  /// What has happened, seen from how the window is now.
  func incidents(with window: PageWindow) -> [PageIncident] {
    var incidents: [PageIncident] = []
    let before = self.window
    if let before, before.origin != window.origin {
      incidents.append(isRestarted ? .browserRestarted : .reloaded)
    }
    if before?.isVisible ?? true != window.isVisible { incidents.append(window.isVisible ? .visible : .hidden) }
    if before?.isFullScreen ?? false != window.isFullScreen {
      incidents.append(window.isFullScreen ? .fullScreenEntered : .fullScreenLeft)
    }
    if before?.hasFocus ?? true != window.hasFocus { incidents.append(window.hasFocus ? .focused : .focusLost) }
    return incidents
  }
}

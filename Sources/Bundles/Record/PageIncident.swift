import Quantities

/// What happened to the participant's page in its browser.
package enum PageIncident: String, Hashable, Sendable, Codable, CaseIterable {
  /// Its window is covered or minimised.
  case hidden
  /// It can be seen again.
  case visible
  /// It was loaded again, or opened in another window.
  case reloaded
  /// Its window left the full screen.
  case fullScreenLeft
  /// Its window fills the screen.
  case fullScreenEntered
  /// Keys go to another window.
  case focusLost
  /// Keys go to it again.
  case focused
  /// Its connection ended, and no page is shown.
  case lost
  /// It has sent nothing for a while, although it is open.
  case unresponsive
  /// It sends again.
  case responsive
  /// The browser ended, and the station has started it again.
  case browserRestarted
  /// A picture could not be loaded, and is not shown.
  case pictureBroken
}

/// What happened to the participant's page in a trial, folded from the journal.
struct PageCourse: Sendable {
  /// How often each happened.
  private(set) var counts: [PageIncident: Int] = [:]
  private var hiddenSince: Duration?
  private var hiddenBefore = Duration.zero

  mutating func take(_ incident: PageIncident, at time: Duration) {
    counts[incident, default: 0] += 1
    if incident == .hidden, hiddenSince == nil { hiddenSince = time }
    // A page that is hidden may be slow.
    if ![.hidden, .focusLost, .unresponsive, .responsive, .pictureBroken].contains(incident) { show(at: time) }
  }

  /// The page is seen, or the trial is over.
  mutating func show(at time: Duration) {
    if let since = hiddenSince { hiddenBefore += max(.zero, time - since) }
    hiddenSince = nil
  }

  /// The remarks on the trial; with a page that could not be seen, or that had to be started again, answers are in doubt.
  var caveats: [JudgedCaveat] {
    let remarks: [(PageIncident, Verdict, (Int) -> Caveat)] = [
      (.hidden, .suspect, { .pageHidden(times: $0, hidden: hiddenBefore) }),
      (.pictureBroken, .suspect, { .pictureBroken(times: $0) }),
      (.browserRestarted, .suspect, { .browserRestarted(times: $0) }),
      (.reloaded, .good, { .pageReloaded(times: $0) }),
      (.fullScreenLeft, .good, { .fullScreenLeft(times: $0) }),
    ]
    let lost = [PageIncident.lost, .unresponsive].reduce(0) { $0 + (counts[$1] ?? 0) }
    return (lost > 0 ? [JudgedCaveat(verdict: .suspect, caveat: .pageLost(times: lost))] : [])
      + remarks.compactMap { incident, verdict, caveat in
        counts[incident].map { JudgedCaveat(verdict: verdict, caveat: caveat($0)) }
      }
  }
}

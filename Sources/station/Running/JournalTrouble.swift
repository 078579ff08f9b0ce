import Bundles

/// Tells the operator when the disk refuses the journal, and when it takes it again.
struct JournalTrouble: Sendable {
  let console: Console

  func report(_ report: JournalWriter.Report) {
    switch report {
    case .refused(let error):
      console.complain("\(error); what is recorded is kept in memory and tried again: make room on the disk")
    case .caughtUp: console.complain("the disk takes the journal again; nothing is missing")
    }
  }
}

import Basics

extension DurableReport: CustomStringConvertible {
  /// What happened, and what to do.
  package var description: String {
    switch self {
    case .refused(let error):
      "\(error); recording continues in memory, and writing is retried every second; free some disk space"
    case .caughtUp: "the journal is being written again; no data were lost"
    case .restored(let path, let aside):
      "“\(path.visible)” was removed or replaced during the trial; it was rewritten and no data were lost"
        + (aside.map { "; the file that had replaced it was moved to “\($0)”" } ?? "")
    case .displaced(let path, let error):
      "“\(path.visible)” was removed or replaced during the trial and cannot be rewritten: \(error); the recorded data "
        + "exist only in this program, which retries every second: do not end it before the problem is fixed"
    }
  }
}

import Basics
import Bundles

/// Tells the operator when the disk refuses the journal, and when it takes it again.
struct JournalTrouble: Sendable {
  let console: Console

  func report(_ report: JournalWriter.Report) {
    switch report {
    case .refused(let error):
      console.complain(
        "\(error); recording continues in memory, and writing is retried every second; free some disk space")
    case .caughtUp: console.complain("the journal is being written again; no data were lost")
    case .restored(let path, let aside):
      let moved = aside.map { "; the file that had replaced it is now “\($0)”" } ?? ""
      console.complain(
        "“\(path.visible)” was removed or replaced during the trial; it was written again, no data were lost\(moved)")
    case .displaced(let path, let error):
      console.complain(
        "“\(path.visible)” was removed or replaced during the trial and cannot be written again: \(error); what was recorded exists "
          + "only in this program, which retries every second: do not end it before the cause is gone")
    }
  }
}

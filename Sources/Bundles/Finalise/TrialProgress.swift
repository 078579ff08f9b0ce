/// What a trial has come to so far, from the lines of its journal as they come.
package struct TrialProgress: Sendable {
  private var account: TrialAccount?

  /// Nothing has happened yet.
  package init() {}

  /// Takes the journal's next line.
  ///
  /// - Throws: ``BundleError/headless(folder:reason:)`` where the first line opens no trial.
  package mutating func take(_ line: JournalReader.Line, from journal: String) throws(BundleError) {
    if account == nil {
      account = try TrialAccount(opening: line, of: journal)
    } else {
      account?.take(line)
    }
  }

  /// The journal's head; `nil` before it was read.
  package var opening: TrialOpening? { account?.opening }

  /// The steps and answers so far.
  package var course: TrialCourse { account?.course ?? TrialCourse() }

  /// The clip; `nil` before it was chosen.
  package var clip: ChosenClip? { account?.chosen }

  /// How it ended; `nil` while it runs.
  package var closing: TrialClosing? { account?.closing }

  /// What would already weigh on the verdict.
  package var caveats: [Caveat] { account.map { Judgement(onRunning: $0).caveats.map(\.caveat) } ?? [] }
}

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

  /// The clip; `nil` before it was chosen.
  package var clip: ChosenClip? { account?.chosen }

  /// How it ended; `nil` while it runs.
  package var closing: TrialClosing? { account?.closing }

  /// What would already weigh on the verdict.
  package var warnings: [Warning] { account.map { Verdict(onRunning: $0).reasons.map(Warning.init) } ?? [] }

  /// A reason for a verdict, as far as it is known while the trial runs.
  package struct Warning: Sendable, CustomStringConvertible {
    private let reason: VerdictReason

    init(_ reason: VerdictReason) { self.reason = reason }

    /// What it is about: the same for one whose numbers have grown.
    package var topic: Topic { Topic(reason: reason.topic) }

    /// The sentence, with its numbers.
    package var description: String { reason.description }

    /// What a warning is about.
    package struct Topic: Hashable, Sendable {
      fileprivate let reason: VerdictReason
    }
  }
}

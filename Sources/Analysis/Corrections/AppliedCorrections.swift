package import Basics
package import Bundles
package import Recordings

/// People's corrections of a recording, each with what became of it.
package struct AppliedCorrections: Hashable, Sendable {
  /// A correction, and whether it counts.
  package struct Entry: Hashable, Sendable {
    package let correction: Correction
    package let state: State
  }

  /// What became of a correction.
  package enum State: Hashable, Sendable {
    case applied
    /// A later correction has undone it.
    case undone
    /// An earlier correction, of another author, says the same.
    case repeats(Int)
    case misfit(CorrectionMisfit)
  }

  /// The corrections of the recording, in the order of the file.
  package let entries: [Entry]
  /// The lines of the file that are no corrections.
  package let unread: [String]
  /// The author whose corrections alone were asked for; `nil` for all.
  package let author: String?

  /// The edits of beats and stretches that are used.
  package var used: [Entry] {
    entries.filter { $0.state == .applied && $0.correction.edit.needsReason }
  }

  /// The corrections that do not fit.
  package var misfits: [(correction: Correction, misfit: CorrectionMisfit)] {
    entries.compactMap { entry in
      if case .misfit(let misfit) = entry.state { (entry.correction, misfit) } else { nil }
    }
  }

  /// The authors of those that are used, in the order of their first one.
  package var authors: [String] { Self.names(used) }

  /// Those who have signed the beats as they are now.
  package var reviewers: [String] {
    Self.names(entries.filter { $0.state == .applied && $0.correction.edit == .reviewed })
  }

  private static func names(_ entries: [Entry]) -> [String] {
    entries.reduce(into: []) { if !$0.contains($1.correction.author) { $0.append($1.correction.author) } }
  }

  /// Which corrections are used, in a few words: `3 corrections by Rater A`; `nil` if none is.
  package var caption: String? {
    let edits = used
    guard !edits.isEmpty else { return nil }
    return "\(edits.count.counted("correction")) by \(authors.joined(separator: ", "))"
  }

  /// What is to be said beside every number.
  package var caveats: [RecordingCaveat] {
    var caveats: [RecordingCaveat] = []
    let (edits, misfits, reviewers) = (used, misfits, reviewers)
    if !edits.isEmpty { caveats.append(.corrected(edits: edits.count, by: authors)) }
    if let (correction, misfit) = misfits.first {
      let reason = "\(misfit)".dropLast()
      caveats.append(
        .correctionsMisfit(
          count: misfits.count, first: "edit \(correction.number), \(correction.edit): \(reason.lowercasedFirst)"))
    }
    if let first = unread.first { caveats.append(.correctionsUnread(count: unread.count, first: first)) }
    if let author, entries.isEmpty { caveats.append(.notCorrected(by: author)) }
    if !reviewers.isEmpty { caveats.append(.reviewed(by: reviewers)) }
    return caveats
  }

  /// The corrections for programs.
  package var json: JSONValue {
    [
      "author": .text(author), "used": .integer(used.count), "authors": .array(authors.map { .string($0) }),
      "reviewers": .array(reviewers.map { .string($0) }), "misfits": .integer(misfits.count),
      "entries": .array(entries.map(\.json)), "unread": .array(unread.map { .string($0) }),
    ]
  }
}

extension AppliedCorrections.Entry {
  /// The correction as its file has it, with its state.
  package var json: JSONValue {
    guard case .object(var members)? = try? JSONValue(encoding: correction, writesNull: true) else { return .null }
    members["state"] = .string(state.name)
    switch state {
    case .repeats(let number): members["repeats"] = .integer(number)
    case .misfit(let misfit): members["misfit"] = misfit.json
    case .applied, .undone: break
    }
    return .object(members)
  }
}

extension AppliedCorrections.State: CustomStringConvertible {
  /// Its name for programs.
  package var name: String {
    switch self {
    case .applied: "applied"
    case .undone: "undone"
    case .repeats: "repeats"
    case .misfit: "misfit"
    }
  }

  package var description: String {
    switch self {
    case .applied: "applies"
    case .undone: "undone"
    case .repeats(let number): "says the same as edit \(number)"
    case .misfit(let misfit): "does not fit: \(misfit)"
    }
  }
}

extension Substring {
  fileprivate var lowercasedFirst: String { prefix(1).lowercased() + dropFirst() }
}

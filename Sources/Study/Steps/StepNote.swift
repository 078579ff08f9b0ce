package import Basics

/// What steps of a kind note in the journal and in the result, beside answers.
///
/// Its kind of step lists it in `StepContent.notes`; journal, result and the result's schema know no more of it than that.
package protocol StepNote: Hashable, Sendable, Codable {
  /// Its name in journals and results.
  static var name: String { get }

  /// What it says, in a sentence of the result's schema.
  static var summary: String { get }

  /// The rows of its members in that schema; a result has all of them.
  static var rows: [String: JSONValue] { get }

  /// Why the trial cannot be fully trusted; `nil` for a note that raises no doubt.
  ///
  /// Only the last note of this name in a step counts.
  var objection: String? { get }
}

extension StepNote {
  package var objection: String? { nil }
}

/// A note of a step as journals and results write it: its name, and its members.
package struct NotedValue: Hashable, Sendable, FlatInJSON, CheckedInJSON {
  /// The note's name.
  package let note: String
  let members: JSONValue

  package init<Note: StepNote>(_ note: Note) {
    self.note = Note.name
    do {
      members = try JSONValue(encoding: note, writesNull: true)
    } catch {
      preconditionFailure("what a step notes encodes itself without fail: \(error)")
    }
  }

  /// What is wrong with the members of a note that this station knows.
  package var jsonProblem: String? {
    do throws(JSONCodingError) {
      _ = try StepKinds.note(named: note).map { type throws(JSONCodingError) in try decoded(as: type) }
      return nil
    } catch {
      return "the note “\(note)”: \(error)"
    }
  }

  /// Why the trial cannot be fully trusted, as ``StepNote/objection`` says; `nil` for a note that is not known.
  package var objection: String? {
    guard let type = StepKinds.note(named: note) else { return nil }
    return try? decoded(as: type).objection
  }

  private func decoded<Note: StepNote>(as type: Note.Type) throws(JSONCodingError) -> Note {
    try members.decoded(as: type)
  }

  package func value<Note: StepNote>(as type: Note.Type) -> Note? {
    note == Note.name ? try? members.decoded(as: type) : nil
  }
}

extension StepKinds {
  static let notes: [any StepNote.Type] = all.flatMap { $0.notes }

  /// The type of a note; `nil` for a name that is not known.
  static func note(named name: String) -> (any StepNote.Type)? { notes.first { $0.name == name } }
}

package import Basics

/// What a person made of a beat, a stretch or another correction: a line of a corrections file.
///
/// Its times are on the trial's clock, so that beats that are found otherwise later do not move it.
package struct Correction: Hashable, Sendable, Codable, CheckedInJSON {
  /// The format of a line: `station.corrections/1`.
  private let format: String
  /// Its number in the file, from 1.
  package let number: Int
  /// When it was made.
  package let time: WallTime
  /// The name of the person who signs it.
  package let author: String
  /// Why it was made; `nil` where a review or an undo needs no reason.
  package let reason: String?
  /// What it was made on.
  package let basis: Basis
  package let edit: Edit

  static let format = "station.corrections/1"

  private enum CodingKeys: String, CodingKey { case format, number, time, author, reason, basis, edit }

  package init(number: Int, time: WallTime, author: String, reason: String?, basis: Basis, edit: Edit) {
    format = Self.format
    (self.number, self.time, self.author, self.reason) = (number, time, author, reason)
    (self.basis, self.edit) = (basis, edit)
  }

  /// What is wrong with it although its members are right.
  package var jsonProblem: String? {
    if format != Self.format { return "its format is “\(format.visible)”, and this station reads “\(Self.format)”" }
    if number < 1 { return "“number” is less than 1" }
    if author.isBlank { return "“author” is empty" }
    if edit.needsReason, reason?.isBlank ?? true { return "“reason” is missing" }
    if let (from, to) = edit.stretch, from >= to { return "“to_ns” is not after “from_ns”" }
    return nil
  }

  /// What a correction was made on: it counts for these data only.
  package struct Basis: Hashable, Sendable, Codable, FlatInJSON {
    /// The recorder's identifier.
    package let recorder: String
    /// The SHA-256 of the file of the bundle that has the recorder's data.
    package let sha256: String
    /// How the beats were found in a waveform, with the version: `pan-tompkins/2`; `nil` for the beats of a sensor.
    package let detector: String?
    /// The channel of the waveform; `nil` for the beats of a sensor.
    package let channel: String?

    package init(recorder: String, sha256: String, detector: String? = nil, channel: String? = nil) {
      (self.recorder, self.sha256, self.detector, self.channel) = (recorder, sha256, detector, channel)
    }
  }

  /// What is to be done.
  package enum Edit: Hashable, Sendable, FlatInJSON, TaggedInJSON {
    /// The name of the member that holds the kind of an edit.
    package static var jsonTag: String { "edit" }

    /// There was no beat at this time.
    case deleteBeat(t: Duration)
    /// There was another beat at this time.
    case insertBeat(t: Duration)
    /// A beat came at another time.
    case moveBeat(from: Duration, to: Duration)
    /// Nothing between these times can be used.
    case unusable(from: Duration, to: Duration)
    /// An earlier correction no longer counts; that of an undo makes the undone one count again.
    case undo(of: Int)
    /// The author has looked at the recorder's beats as they are corrected so far, and signs them.
    case reviewed
    /// An edit of a newer station.
    case unknown(edit: String)

    /// The kinds that a person chooses from, by their names in the file.
    package enum Kind: String, CaseIterable, Sendable {
      case deleteBeat, insertBeat, moveBeat, unusable, undo, reviewed
    }

    /// Whether it needs a reason.
    package var needsReason: Bool {
      switch self {
      case .deleteBeat, .insertBeat, .moveBeat, .unusable: true
      case .undo, .reviewed, .unknown: false
      }
    }

    /// The stretch that it marks as unusable.
    package var stretch: (from: Duration, to: Duration)? {
      if case .unusable(let from, let to) = self { (from, to) } else { nil }
    }
  }
}

extension Correction.Edit: CustomStringConvertible {
  /// What is done, as a clause: `beat at 12.345 s deleted`.
  package var description: String {
    func seconds(_ time: Duration) -> String { time.seconds.fixed(3) }
    return switch self {
    case .deleteBeat(let time): "beat at \(seconds(time)) s deleted"
    case .insertBeat(let time): "beat at \(seconds(time)) s inserted"
    case .moveBeat(let from, let to): "beat moved from \(seconds(from)) to \(seconds(to)) s"
    case .unusable(let from, let to): "\(seconds(from)) to \(seconds(to)) s marked as unusable"
    case .undo(let number): "edit \(number) undone"
    case .reviewed: "reviewed"
    case .unknown(let edit): "“\(edit.visible)”, which this station does not know"
    }
  }
}

extension String {
  /// Whether there is nothing in it to read.
  fileprivate var isBlank: Bool { allSatisfy(\.isWhitespace) }
}

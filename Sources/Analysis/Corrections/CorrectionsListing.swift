package import Basics
import Bundles
package import Recordings

/// All corrections of a bundle, whatever recorders they are of, with what became of each.
package struct CorrectionsListing: Sendable {
  /// The bundle's path.
  package let path: String
  /// The corrections, in the order of the file.
  package let entries: [AppliedCorrections.Entry]
  /// The lines of the file that are no corrections.
  package let unread: [String]

  /// Reads the corrections of a bundle, and applies them to its recordings.
  ///
  /// - Parameters:
  ///   - path: the bundle's folder.
  ///   - choice: whose corrections are seen.
  /// - Throws: `RecordingError` where the bundle or the file cannot be read.
  package init(bundle path: String, _ choice: CorrectionChoice = .all) throws(RecordingError) {
    self.path = path
    let chosen = try ChosenCorrections(choice, besides: path)
    guard let chosen, !chosen.corrections.isEmpty else {
      (entries, unread) = ([], chosen?.unread ?? [])
      return
    }
    unread = chosen.unread
    // Each is judged by the beats that it was made on, and by others only where these are not found.
    var states: [Int: (isOwn: Bool, state: AppliedCorrections.State)] = [:]
    func note(_ recordings: [Recording], channel: String? = nil) {
      for entry in recordings.flatMap({ $0.corrections?.entries ?? [] }) {
        let (number, isOwn) = (entry.correction.number, entry.correction.basis.channel == channel)
        if states[number].map({ !$0.isOwn && isOwn }) ?? true { states[number] = (isOwn, entry.state) }
      }
    }
    note(try Recording.read(path: path, ReadingOptions(corrections: choice)))
    let channels = Set(chosen.corrections.compactMap(\.basis.channel))
    for channel in channels.sorted() {
      // A bundle that does not have the channel has no beats for its corrections.
      let options = ReadingOptions(detection: ReadingOptions.Detection(channel: channel), corrections: choice)
      note((try? Recording.read(path: path, options)) ?? [], channel: channel)
    }
    entries = chosen.corrections.map { correction in
      AppliedCorrections.Entry(
        correction: correction,
        state: states[correction.number]?.state ?? .misfit(.noRecorder(recorder: correction.basis.recorder)))
    }
  }

  /// Whether there is anything to say.
  package var isEmpty: Bool { entries.isEmpty && unread.isEmpty }

  /// The corrections for programs.
  package var json: JSONValue {
    [
      "path": .string(path), "entries": .array(entries.map(\.json)),
      "unread": .array(unread.map { .string($0) }),
    ]
  }
}

import Basics

/// Why a person's correction is not used.
package enum CorrectionMisfit: Error, Hashable, Sendable, TaggedInJSON {
  /// The name of the member that holds a reason's code.
  package static var jsonTag: String { "misfit" }

  /// There is no beat at its time; with the distance to the nearest one, in seconds.
  case noBeat(nearest_s: Double?)
  /// The beat at its time was deleted or moved by an earlier correction.
  case changedBefore(by: Int)
  /// There is a beat already.
  case beatThere
  /// The recording has no beats, but a sensor's heart rates.
  case noBeats
  /// It lies outside of what was recorded.
  case outside
  /// The bundle has no such recorder of a heart.
  case noRecorder(recorder: String)
  /// It was made on other data.
  case otherData
  /// It was made on beats that another detector or version found, or in another channel.
  case otherDetector(made: String, now: String)
  /// There is no correction that it could undo.
  case nothingToUndo(number: Int)
  /// The beats were corrected after the review.
  case editedSince(by: Int)
  /// It is an edit of a newer station.
  case unknownEdit
}

extension CorrectionMisfit: CustomStringConvertible {
  package var description: String {
    switch self {
    case .noBeat(nil): "There is no beat."
    case .noBeat(let distance?):
      "There is no beat within \((EditedBeats.tolerance * 1000).fixed(0)) ms; the nearest is "
        + "\(distance.magnitude.fixed(3)) s \(distance < 0 ? "earlier" : "later")."
    case .changedBefore(let number): "Edit \(number) has deleted or moved that beat."
    case .beatThere: "There is a beat already."
    case .noBeats: "The recorder has heart rates without beats, of which only stretches can be marked."
    case .outside: "It lies outside of the recording."
    case .noRecorder(let recorder): "The bundle has no heart data of a recorder “\(recorder)”."
    case .otherData: "It was made on other data: their SHA-256 differs."
    case .otherDetector(let made, let now): "It was made on beats of \(made), and these are of \(now)."
    case .nothingToUndo(let number): "There is no edit \(number) that counts."
    case .editedSince(let number): "The beats were corrected afterwards, by edit \(number)."
    case .unknownEdit: "A newer station made it."
    }
  }
}

package import Basics

/// What puts a trial in order among others: a few members of its record, for which the whole need not be decoded.
package struct TrialHeading: Hashable, Sendable, Decodable, CheckedInJSON {
  /// The format of the document.
  private let format: String
  /// The trial's identifier.
  package let trial: String
  /// The participant's code.
  package let participant: String
  /// The session's number or name.
  package let session: String
  /// When the trial began.
  package let startDate: WallTime
  /// How far the trial can be trusted.
  package let verdict: Verdict
  private let studyProtocol: Named
  private let clip: Clip?

  /// The protocol's identifier.
  package var condition: String { studyProtocol.identifier }
  /// The clip's name; `nil` for a trial without one.
  package var clipName: String? { clip?.name }

  private struct Named: Hashable, Decodable { let identifier: String }
  private struct Clip: Hashable, Decodable { let name: String }

  private enum CodingKeys: String, CodingKey {
    case format, trial, participant, session, startDate, verdict, clip
    case studyProtocol = "protocol"
  }

  /// What is wrong with the format; `nil` if this station reads it.
  package var jsonProblem: String? { TrialRecord.problem(ofFormat: format) }

  /// Reads the heading of a bundle by its folder.
  ///
  /// - Throws: ``BundleError/unreadable(path:reason:)``.
  package init(ofBundle path: String) throws(BundleError) {
    self = try Bundle.decoded(Bundle.document(of: path), of: path)
  }

  /// A heading made from its parts.
  package init(
    trial: String, participant: String, session: String, startDate: WallTime, condition: String, clip: String?,
    verdict: Verdict
  ) {
    format = TrialRecord.format
    (self.trial, self.participant, self.session) = (trial, participant, session)
    (self.startDate, self.verdict) = (startDate, verdict)
    (studyProtocol, self.clip) = (Named(identifier: condition), clip.map { Clip(name: $0) })
  }
}

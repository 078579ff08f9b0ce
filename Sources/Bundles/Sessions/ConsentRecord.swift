package import Basics
package import Study

/// A signed consent, `consents/<session>.json`: the one file of a results folder that has the participant's name.
///
/// It is readable for its owner only, and is in no bundle, so that it is neither exported nor sent.
package struct ConsentRecord: Hashable, Sendable, Codable {
  /// The format of the document: `station.consent/1`.
  private(set) var format = "station.consent/1"
  /// The session's identifier.
  let session: String
  let studyProtocol: ProtocolReference
  /// The participant's code.
  package let participant: String
  /// The document that was shown.
  let document: ConsentStep.Document
  /// The document's digest, as results have it.
  let sha256: String
  /// The name that was typed.
  let signature: String
  /// When it was typed.
  let date: WallTime

  private enum CodingKeys: String, CodingKey {
    case format, session, participant, document, sha256, signature, date
    case studyProtocol = "protocol"
  }

  package init(
    session: String, studyProtocol: ProtocolReference, participant: String, document: ConsentStep.Document,
    sha256: String, signature: String, date: WallTime
  ) {
    (self.session, self.studyProtocol, self.participant) = (session, studyProtocol, participant)
    (self.document, self.sha256, self.signature, self.date) = (document, sha256, signature, date)
  }
}

extension ResultsFolder {
  /// Where signed consents are.
  var consentsFolder: String { "\(path)/consents" }

  /// Writes a signed consent; on the disk when this returns.
  ///
  /// - Throws: `FileError`.
  package func write(_ consent: ConsentRecord) throws {
    try prepare()
    try Folder.ensure(consentsFolder, isPrivate: true)
    let bytes = try JSONValue(encoding: consent, writesNull: true).encoded(pretty: true)
    try File.replaceWhole("\(consentsFolder)/\(consent.session).json", bytes, isPrivate: true)
  }
}

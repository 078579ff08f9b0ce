package import Basics
package import Study

/// A signed consent, `consents/<session>.json`.
///
/// With its copy for the participant it is the one place of a results folder that has the participant's name. It is readable
/// for its owner only, and is in no bundle, so that it is neither exported nor sent.
package struct ConsentRecord: Hashable, Sendable, Codable {
  /// The format of the document: `station.consent/1`.
  private(set) var format = "station.consent/1"
  /// The session's identifier.
  let session: String
  let studyProtocol: ProtocolReference
  /// The participant's code.
  package let participant: String
  /// The title above the document.
  let title: String?
  /// The language of the document and of the station's words, as a BCP 47 tag.
  let language: String
  /// The document that was shown.
  let document: ConsentStep.Document
  /// The document's digest, as results have it.
  let sha256: String
  /// What was asked, and what the participant answered.
  let question: String
  let answer: String
  let signature: ConsentSignature
  /// When it was signed.
  let date: WallTime

  private enum CodingKeys: String, CodingKey {
    case format, session, participant, title, language, document, sha256, question, answer, signature, date
    case studyProtocol = "protocol"
  }

  package init(
    session: String, studyProtocol: ProtocolReference, participant: String, title: String?, language: String,
    document: ConsentStep.Document, sha256: String, question: String, answer: String, signature: ConsentSignature,
    date: WallTime
  ) {
    (self.session, self.studyProtocol, self.participant) = (session, studyProtocol, participant)
    (self.title, self.language, self.document, self.sha256) = (title, language, document, sha256)
    (self.question, self.answer, self.signature, self.date) = (question, answer, signature, date)
  }

  /// The copy that is handed to the participant, as HTML: the document, what was agreed to, the signature, the date, and the
  /// document's digest, which the result has as well.
  var copy: String {
    let sections = document.sections.map { section in
      (section.title.map { "<h2>\($0.escapedForXML)</h2>\n" } ?? "") + "<p>\(section.text.escapedForXML)</p>\n"
    }
    let signed =
      switch signature {
      case .typed(let name): "<p class=\"signature\">\(name.escapedForXML)</p>"
      case .drawn(let drawing): drawing.svg
      }
    let title = (title ?? studyProtocol.identifier).escapedForXML
    return """
      <!doctype html>
      <html lang="\(language.escapedForXML)">
      <meta charset="utf-8">
      <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
      <title>\(title)</title>
      <style>
      body { font: 12pt/1.5 sans-serif; max-width: 42em; margin: 2em auto; padding: 0 1em; }
      p { white-space: pre-line; }
      .signature { font-style: italic; }
      svg { width: 15em; stroke: currentColor; fill: none; stroke-width: 3; }
      footer { font-size: 9pt; overflow-wrap: anywhere; }
      </style>
      <h1>\(title)</h1>
      \(sections.joined())<p><strong>\(question.escapedForXML) \(answer.escapedForXML)</strong></p>
      \(signed)
      <p>\(date)</p>
      <footer>\(studyProtocol.identifier.escapedForXML) · \(document.version.escapedForXML) · \(participant.escapedForXML) ·       SHA-256 \(sha256)</footer>
      </html>

      """
  }
}

/// With what a participant has signed: a name, or a drawing.
package enum ConsentSignature: Hashable, Sendable {
  case typed(String)
  case drawn(SignatureDrawing)
}

extension ConsentSignature: Codable {
  package init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if let name = try? container.decode(String.self) {
      self = .typed(name)
    } else {
      self = .drawn(try container.decode(SignatureDrawing.self))
    }
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .typed(let name): try container.encode(name)
    case .drawn(let drawing): try container.encode(drawing)
    }
  }
}

/// A signature that was drawn in a box of 600 by 200 units.
package struct SignatureDrawing: Hashable, Sendable, Codable {
  /// The lines as a path of SVG, of `M` and `L` with whole numbers: `M12 30L14 31`.
  private let path: String

  /// The largest number of characters of a path.
  private static let maxPath = 15_000
  /// What stands in the place of a name where one is asked for.
  package static let name = "✍"

  /// Reads a path; `nil` if it is invalid, empty or too long.
  package init?(path: String) {
    let strokes = path.utf8.split(separator: UInt8(ascii: "M"), omittingEmptySubsequences: false)
    let points = strokes.dropFirst().flatMap {
      $0.split(separator: UInt8(ascii: "L"), omittingEmptySubsequences: false)
    }
    guard path.utf8.count <= Self.maxPath, strokes[0].isEmpty, points.count >= strokes.count,
      points.allSatisfy(Self.isPoint)
    else { return nil }
    self.path = path
  }

  private static func isPoint(_ text: Substring.UTF8View) -> Bool {
    let numbers = text.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
    return numbers.count == 2
      && numbers.allSatisfy { number in
        (1...3).contains(number.count) && number.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
      }
  }

  /// The drawing as an element of HTML.
  var svg: String { "<svg viewBox=\"0 0 600 200\"><path d=\"\(path)\"/></svg>" }
}

extension ResultsFolder {
  /// Where signed consents are.
  var consentsFolder: String { "\(path)/consents" }

  /// Writes a signed consent and its copy for the participant; on the disk when this returns.
  ///
  /// - Throws: `FileError`.
  package func write(_ consent: ConsentRecord) throws {
    try prepare()
    try Folder.ensure(consentsFolder, isPrivate: true)
    let bytes = try JSONValue(encoding: consent, writesNull: true).encoded(pretty: true)
    // The copy last: what a crash leaves alone is then what withdrawals read.
    try File.replaceWhole("\(consentsFolder)/\(consent.session).json", bytes, isPrivate: true)
    try File.replaceWhole("\(consentsFolder)/\(consent.session).html", Array(consent.copy.utf8), isPrivate: true)
  }
}

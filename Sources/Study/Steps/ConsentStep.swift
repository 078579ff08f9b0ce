package import Basics

/// A step that asks for informed consent: the document's sections, agreement, and a typed signature.
///
/// Nothing of the participant is recorded before it.
package struct ConsentStep: StepReading {
  package static let kind = "consent"
  static let summary = "asks for informed consent, before anything of the participant is recorded"
  package static let notes: [any StepNote.Type] = [Consent.self]

  /// What the participant consents to.
  package struct Document: Hashable, Sendable, Codable {
    /// Its version, as the researcher numbers it.
    package var version: String
    package var sections: [Section]
    /// The question whether the participant agrees; `nil` for the station's own.
    package var agreement: String?
  }

  /// A part of the document.
  package struct Section: Hashable, Sendable, Codable {
    /// Its heading; `nil` for none.
    package var title: String?
    package var text: String
  }

  package var document: Document
  /// Whether the participant signs with a name.
  var isSigned: Bool
  /// Whether a trial in which the participant has asked to stop, and which the operator then ends, is discarded.
  package var discardsWhenStopped = false

  /// The question whether the participant agrees, as results call it.
  package static let agreementQuestion = "agreement"
  /// The signature's question, whose answer is kept apart from results.
  package static let signatureQuestion = "signature"
  /// The question whether a participant who did not agree means it; the result has only the answer to the first question.
  package static let refusalQuestion = "refusal"
  /// The largest number of sections.
  private static let maxSections = 100

  init(_ document: Document, isSigned: Bool = true) { (self.document, self.isSigned) = (document, isSigned) }

  /// The question whether the participant agrees; without a prompt where the document does not ask it itself.
  package var agreement: Question {
    Question(identifier: Self.agreementQuestion, prompt: document.agreement, format: .boolean)
  }

  /// What is asked below the document.
  package func form(_ phrases: Phrases) -> FormStep {
    var agreed = agreement
    if agreed.prompt == nil { agreed.prompt = phrases[.agreement] }
    let signed = Question(
      identifier: Self.signatureQuestion, prompt: phrases[.signature], format: .text(maximumLength: 200))
    return FormStep(questions: isSigned ? [agreed, signed] : [agreed])
  }

  /// What a participant who does not agree is asked, so that no slip of a finger ends the session.
  package func refusal(_ phrases: Phrases) -> Question {
    Question(identifier: Self.refusalQuestion, prompt: phrases[.refusal], format: .boolean)
  }

  package var effort: StepEffort { .questions(isSigned ? 2 : 1) }

  package func shownTexts(_ phrases: Phrases) -> [String?] {
    document.sections.flatMap { [$0.title, $0.text] }
      + (form(phrases).questions + [refusal(phrases)]).flatMap(\.shownTexts)
  }

  /// The SHA-256 of the document as JSON with “agreement”, “sections” of “text” and “title”, and “version”: in UTF-8,
  /// without spaces, with sorted keys, and with `null` for what is missing.
  package var sha256: String {
    let sections = document.sections.map { section -> JSONValue in
      ["title": section.title.map { .string($0) } ?? .null, "text": .string(section.text)]
    }
    let json: JSONValue = [
      "version": .string(document.version), "sections": .array(sections),
      "agreement": document.agreement.map { .string($0) } ?? .null,
    ]
    return "\(SHA256.digest(of: Array(json.text().utf8)))"
  }
}

extension Step {
  /// What the step asks consent to, if it does.
  package var consent: ConsentStep? { kind as? ConsentStep }
}

extension ProtocolObject {
  static let consentSection: ProtocolObject = ProtocolObject("in a section", ["title", "text"])
}

extension ConsentStep {
  static let keys: [StepKey] = ["version", "sections", "agreement", "signature", "whenStopped"]
  static let objects: [ProtocolObject] = [.consentSection]

  static func read(_ object: LocatedObject) -> Self? {
    let version = object.required("version", "which version of the document this is, such as “1.0”")?.version()
    let sections = object.required("sections", "the document: [{\"title\": \"…\", \"text\": \"…\"}, …]")?
      .filledElements("an array of sections", atMost: maxSections)?.map(readSection)
    let agreement = object["agreement"]?.name("a question")
    let isSigned = object["signature"]?.bool() ?? true
    let whenStopped = object["whenStopped"]?.word("what becomes of what was recorded", among: ["keep", "discard"])
    if object["optional"]?.node.value == true {
      object["optional"]?.report("consent cannot be skipped; without it the session ends")
    }
    guard let version, let sections, !sections.contains(nil) else { return nil }
    let document = Document(version: version, sections: sections.compactMap(\.self), agreement: agreement)
    var step = ConsentStep(document, isSigned: isSigned)
    step.discardsWhenStopped = whenStopped == "discard"
    return step
  }

  private static func readSection(_ place: Located) -> Section? {
    guard let object = place.object("a section, which is an object") else { return nil }
    object.refuseKeys(beside: .consentSection)
    let title = object["title"]?.string()
    guard let text = object.required("text", "what the participant reads")?.name("a text") else { return nil }
    return Section(title: title, text: text)
  }

  /// Reports consent that comes too late or is asked for twice.
  ///
  /// - Parameters:
  ///   - steps: the protocol's steps.
  ///   - inner: the steps inside of others.
  static func checkPlace(among steps: [Located], _ inner: [Located]) {
    for step in inner where step.quietKind == kind {
      step.quietMember("kind")?.report("consent is asked for once, before the trials; put the step before them")
    }
    let indices = steps.indices.filter { steps[$0].quietKind == kind }
    guard let first = indices.first else { return }
    for index in indices.dropFirst() {
      steps[index].quietMember("kind")?.report("consent is asked for a second time; put both into one document")
    }
    let reading = [InstructionStep.kind, kind]
    if let early = steps[..<first].first(where: { !reading.contains($0.quietKind ?? "") }) {
      steps[first].quietMember("kind")?
        .report(
          "nothing of the participant is recorded before consent, and the step at "
            + "\(early.problems.written(early.path)) comes first; only instructions may")
    }
  }
}

/// The participant agreed to a version of the consent document, or did not; the signature is kept apart from results.
package struct Consent: StepNote {
  package static let name = "consent"
  package static let summary = "the participant agreed to the consent document, or did not; the signature is kept apart"
  package static let rows: [String: JSONValue] = [
    "version": ["type": "string", "description": "The version of the document."],
    "sha256": [
      "type": "string", "pattern": "^[0-9a-f]{64}$",
      "description": .string(
        "The SHA-256 of the document: an object with agreement, sections (of text and title) and version, as JSON in "
          + "UTF-8 without spaces, with sorted keys, null for what is missing."),
    ],
    "given": ["type": "boolean", "description": "Whether the participant agreed."],
  ]

  /// The version of the document.
  var version: String
  /// The document's digest.
  var sha256: String
  /// Whether the participant agreed.
  var isGiven: Bool

  private enum CodingKeys: String, CodingKey {
    case version, sha256
    case isGiven = "given"
  }

  package init(version: String, sha256: String, isGiven: Bool) {
    (self.version, self.sha256, self.isGiven) = (version, sha256, isGiven)
  }
}

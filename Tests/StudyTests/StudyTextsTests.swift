import Basics
import TestSupport
import Testing

@testable import Study

@Suite("The texts of a study in several languages")
struct StudyTextsTests {
  private static let steps = #"""
    { "kind": "instruction", "identifier": "hello", "title": "Welcome", "text": "Please sit.", "x-note": "Not shown" },
    { "kind": "form", "identifier": "mood", "question": { "kind": "scale", "minimum": 1, "maximum": 3,
      "prompt": "How are you?", "anchors": { "1": "bad", "3": "well" } } },
    { "kind": "form", "identifier": "age", "question": { "kind": "integer", "prompt": "…", "unit": "years" } }
    """#

  private static let whole = #"""
    "Welcome": "Willkommen", "Please sit.": "Bitte setzen Sie sich.", "How are you?": "Wie geht es Ihnen?",
    "bad": "schlecht", "well": "gut", "years": "Jahre"
    """#

  private static func read(
    _ texts: String, phrases: String = "{}", tag: String = "de", language: String = #""language": "en","#
  ) throws(ProtocolProblems) -> ReadProtocol {
    let text = """
      { "format": "station.protocol/1", "identifier": "P", "version": "1", \(language) "phrases": { "end": "Done." },
        "texts": { "\(tag)": "words/t.json" }, "steps": [\(steps)] }
      """
    let file = #"{ "format": "station.texts/1", "phrases": \#(phrases), "texts": { \#(texts) } }"#
    let files = ProtocolFiles { path in
      path == "words/t.json" ? .success(Array(file.utf8)) : .failure(FileError("read", path, code: 2))
    }
    return try StudyProtocolReader.read(Array(text.utf8), fileName: "p.json", files: files)
  }

  private static func problems(
    _ texts: String, phrases: String = "{}", tag: String = "de", language: String = #""language": "en","#
  )
    -> [ProtocolProblem]
  {
    do {
      _ = try read(texts, phrases: phrases, tag: tag, language: language)
      return []
    } catch {
      return error.problems
    }
  }

  @Test("Every text is in the language, and the station's words are the translation's or the station's in it")
  func translated() throws {
    let study = try Self.read(Self.whole, phrases: #"{ "next": "Los" }"#)
    let german = try #require(study.shown(in: "de")).studyProtocol
    #expect(german.steps.map(\.title) == ["Willkommen", nil, nil] && german.steps[0].text == "Bitte setzen Sie sich.")
    let question = try #require(german.steps[1].kind.questions.first)
    #expect(question.prompt == "Wie geht es Ihnen?")
    #expect(question.format == .scale(ScaleAnswerFormat(minimum: 1, maximum: 3, anchors: [1: "schlecht", 3: "gut"])))
    let phrases = german.phrases.completed(in: .english)
    #expect(phrases[.next] == "Los" && phrases[.yes] == "Ja" && phrases[.end] != "Done." && phrases.tag == "de")
    #expect(study.shown(in: "en")?.studyProtocol == study.studyProtocol)
    #expect(study.shown(in: "fr") == nil && study.studyProtocol.languages == ["en", "de"])
    #expect(study.studyProtocol.phrases.completed(in: .german)[.yes] == "Yes")
  }

  @Test("A bundle's protocol has all languages, and is read without their files")
  func selfContained() throws {
    let study = try Self.read(Self.whole)
    let again = try StudyProtocolReader.read(study.selfContained, fileName: "again.json")
    #expect(again.studyProtocol == study.studyProtocol && again.selfContained == study.selfContained)
    #expect(again.shown(in: "de")?.studyProtocol == study.shown(in: "de")?.studyProtocol)
  }

  @Test("A text without a translation and a translation without a text are problems, each at its place")
  func incomplete() throws {
    let missing = Self.problems(Self.whole.replacing(#""bad": "schlecht","#, with: ""))
    #expect(missing.map(\.fileName) == ["p.json"] && missing[0].reason.contains("“de”"))
    let spare = Self.problems(Self.whole + #", "Wellcome": "Hallo""#)
    #expect(spare.map(\.fileName) == ["words/t.json"] && spare[0].reason.contains("“Welcome”"))
    // Nothing to translate: a text without a letter.
    #expect(Self.problems(Self.whole) == [])
  }

  @Test(
    "A language that the station does not have needs all of its words, and a protocol with several its own language")
  func foreign() throws {
    let lacking = Self.problems(Self.whole, tag: "pl")
    #expect(lacking.map(\.fileName) == ["words/t.json"])
    let all = Phrase.allCases.map { "\"\($0.rawValue)\": \"x\"" }.joined(separator: ", ")
    #expect(Self.problems(Self.whole, phrases: "{ \(all) }", tag: "pl") == [])
    #expect(Self.problems(Self.whole, language: "").count == 1)
    #expect(!Self.problems(Self.whole, tag: "deutsch-").isEmpty)
  }

  @Test(
    "A note says which languages no native reader has checked, and where the station has no words",
    arguments: [
      ("en", false), ("en-GB", false), ("de", true), ("ar", true), ("pl", true),
    ])
  func notes(language: String, hasNote: Bool) throws {
    let text = """
      { "format": "station.protocol/1", "identifier": "P", "version": "1", "language": "\(language)", "steps": [\(Self.steps)] }
      """
    let study = try StudyProtocolReader.read(Array(text.utf8), fileName: "p.json").studyProtocol
    #expect(study.languageNotes(.english).isEmpty != hasNote)
  }

  @Test("Every language has the phrases of English, with the same places for numbers", arguments: Language.allCases)
  func files(language: Language) {
    func places(_ text: String) -> [String] { text.matches(of: /\{\w+\}/).map { String($0.output) }.sorted() }
    for phrase in Phrase.allCases {
      #expect(places(language.text(of: phrase)) == places(Language.english.text(of: phrase)), "\(phrase)")
    }
  }

  @Test("Digits are those of the language", arguments: [("ar", "٣١"), ("ar-MA", "31"), ("fa", "۳۱"), ("de", "31")])
  func digits(tag: String, written: String) {
    var phrases = Phrases(language: .arabic)
    phrases.ownLanguage = tag
    #expect(phrases.written("31") == written)
  }
}

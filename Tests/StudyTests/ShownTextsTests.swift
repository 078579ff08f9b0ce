import Basics
import Study
import Testing

@Suite("The texts that a protocol shows to a participant")
struct ShownTextsTests {
  private static let steps = """
    { "kind": "instruction", "identifier": "hello", "title": "T1", "text": "T2", "detailText": "T3" },
    { "kind": "consent", "identifier": "consent", "version": "1", "agreement": "T4",
      "sections": [ { "title": "T5", "text": "T6" } ] },
    { "kind": "rest", "identifier": "rest", "stepDuration": 5, "spokenInstruction": "T7",
      "finishedSpokenInstruction": "T8", "recorderConfigurations": [
        { "identifier": "r", "quantityType": "continuousRating", "anchors": { "0": "T9", "100": "T10" } } ] },
    { "kind": "form", "identifier": "form", "questions": [
      { "identifier": "a", "kind": "scale", "minimum": 1, "maximum": 5, "prompt": "T11", "anchors": { "1": "T12" } },
      { "identifier": "b", "kind": "choice", "choices": [ "T13", { "value": "x", "text": "T14" } ] },
      { "identifier": "c", "kind": "integer", "unit": "T15" } ] }
    """

  @Test("Every text of every step is among them, and every phrase", arguments: 1...15)
  func all(number: Int) throws {
    let text = """
      { "format": "station.protocol/1", "identifier": "Texts", "version": "1", "phrases": { "end": "T16" }, "steps": [
        \(Self.steps) ] }
      """
    let study = try StudyProtocolReader.read(Array(text.utf8), fileName: "texts.json").studyProtocol
    let shown = study.shownTexts(study.phrases)
    let steps = shown.filter { $0.texts.contains("T\(number)") }.map(\.step)
    let owner =
      switch number {
      case 1...3: "hello"
      case 4...6: "consent"
      case 7...10: "rest"
      default: "form"
      }
    #expect(steps == [owner])
    #expect(shown.first { $0.step == nil }?.texts.contains("T16") == true)
  }

  @Test(
    "The station's own phrases can be shown in ASCII, in every language with Latin letters",
    arguments: Language.allCases.filter { ![.arabic, .chinese, .japanese].contains($0) })
  func phrases(language: Language) {
    for phrase in Phrase.allCases { #expect(Phrases(language: language)[phrase].hasASCII, "\(phrase)") }
  }
}

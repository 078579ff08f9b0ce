import Basics
import TestSupport
import Testing

@testable import Session
@testable import Study

@Suite("Two thousand simulated people do as the article says")
struct SimulatedPeopleTests {
  private static let number = 2000

  /// How many of the people do something, each with random numbers of their own.
  private static func count(_ does: (inout SimulatedBehaviour) -> Bool) -> Int {
    (0..<number).count { person in
      var behaviour = SimulatedBehaviour(SplitMix64(seed: fnv1a64("person \(person)")))
      return does(&behaviour)
    }
  }

  /// Whether a count is within three standard errors of a share.
  private static func isNear(_ count: Int, _ share: Double) -> Bool {
    abs(Double(count) - share * Double(number)) < 3 * (Double(number) * share * (1 - share)).squareRoot()
  }

  private static let consent = Step(
    identifier: "consent",
    kind: ConsentStep(ConsentStep.Document(version: "1", sections: [ConsentStep.Section(text: "All of it.")]))
  )

  private static let scale = AnswerFormat.scale(ScaleAnswerFormat(minimum: 1, maximum: 9))

  @Test("A twentieth does not consent, and everyone who is asked for a signature signs")
  func consent() throws {
    let consent = try #require(Self.consent.consent)
    let declined = Self.count {
      $0.answers(consent.agreement, ofStep: "consent", isConsent: true).deed == .press([.letter("2"), .enter])
    }
    #expect(Self.isNear(declined, 0.05), "\(declined)")
    let signature = try #require(consent.form(Phrases()).questions.last)
    let unsigned = Self.count {
      guard case .press(let keys) = $0.answers(signature, ofStep: "consent", isConsent: true).deed else { return true }
      return keys.count < 2
    }
    #expect(unsigned == 0)
  }

  @Test("A tenth of the optional questions is missed, and none of the others")
  func missed() {
    for (isRequired, share) in [(false, 0.1), (true, 0.0)] {
      let question = Question(identifier: "q", isRequired: isRequired, format: Self.scale)
      let missed = Self.count { $0.answers(question, ofStep: "form", isConsent: false).deed == .press([.enter]) }
      #expect(share == 0 ? missed == 0 : Self.isNear(missed, share), "\(missed)")
    }
  }

  @Test("A twentieth of the optional steps is skipped")
  func skipped() {
    let step = Step(identifier: "rest", isOptional: true, kind: RestStep(ActiveStep()))
    let skipped = Self.count { $0.skips(step) != nil }
    #expect(Self.isNear(skipped, 0.05), "\(skipped)")
  }

  @Test(
    "A fiftieth of the noises of a headphone check is heard on the wrong side",
    arguments: HeadphoneCheckStep.Side.allCases)
  func misheard(side: HeadphoneCheckStep.Side) {
    let wrong = Self.count { $0.hears(side).deed == .press([.arrow(side == .left ? .right : .left)]) }
    #expect(Self.isNear(wrong, 0.02), "\(wrong)")
  }

  @Test("Each answer of a scale is as likely as any other")
  func answers() {
    let question = Question(identifier: "q", format: Self.scale)
    for value in 1...9 {
      let given = Self.count {
        $0.answers(question, ofStep: "form", isConsent: false).deed == .press([.letter(Character("\(value)")), .enter])
      }
      #expect(Self.isNear(given, 1 / 9), "\(value): \(given)")
    }
  }
}

import Basics
import Bundles
import Quantities
import Sensors
import TestSupport
import Testing

@testable import Session
@testable import Study

@Suite("A consent step")
struct ConsentTests {
  private static let document = ConsentStep.Document(
    version: "1.0", sections: [.init(title: "What we do", text: "You listen."), .init(text: "You can stop.")])

  private static func consent(isSigned: Bool = true) -> Step {
    Step(identifier: "consent", kind: ConsentStep(document, isSigned: isSigned))
  }

  private static let step = ConsentStep(document)

  private static func consented(isGiven: Bool, at moment: Moment) -> TrialAction {
    .note(step: 0, NotedValue(Consent(version: "1.0", sha256: step.sha256, isGiven: isGiven)), at: moment)
  }

  @Test("Agreement is asked for, then the signature, which is kept apart", arguments: [true, false])
  func given(isSigned: Bool) {
    var course = Course([Self.consent(isSigned: isSigned), .ending("end")])
    _ = course.begin()
    let now = course.now
    let agreed = TrialAnswer(step: 0, question: "agreement", value: .boolean(true), shown: now, answered: now)
    var actions = course.answer(.value(.boolean(true)))
    #expect(actions.first == .record(agreed))
    if isSigned {
      #expect(course.screen?.asked?.identifier == "signature")
      actions = course.answer(.value(.text("A Name")))
      #expect(actions.first == .request(.signature(.typed("A Name"), Self.step)))
    }
    #expect(
      actions.dropFirst() == [
        Self.consented(isGiven: true, at: now), .startRecording, .leave(step: 0, .finished), .enter(step: 1),
      ])
  }

  @Test func `A participant who does not agree ends the trial, whatever the rules say`() {
    var step = Self.consent()
    step.navigation = [NavigationRule(.step("end"))]
    var course = Course([step, .ending("end")])
    _ = course.begin()
    let refused = TrialAnswer(
      step: 0, question: "agreement", value: .boolean(false), shown: course.now, answered: course.now)
    guard case .ask(0, let question)? = course.answer(.value(.boolean(false))).first else {
      Issue.record("the refusal is not asked about")
      return
    }
    #expect(question.identifier == "refusal" && question.prompt != nil)
    course.wait(.seconds(3))
    let actions = course.answer(.value(.boolean(true)))
    #expect(
      actions == [
        .record(refused), Self.consented(isGiven: false, at: course.now), .leave(step: 0, .finished), .settle,
      ])
    #expect(course.take(.settled) == [.close(.declined)])
  }

  @Test("A refusal that is not meant leads back to the question, and leaves no trace")
  func taken() {
    var course = Course([Self.consent(isSigned: false), .ending("end")])
    _ = course.begin()
    _ = course.answer(.value(.boolean(false)))
    #expect(course.next() == [] && course.screen?.notice == .refused(.missing, times: 1))
    let again = course.answer(.value(.boolean(false)))
    guard again.count == 1, case .ask(0, let question) = again[0] else {
      Issue.record("\(again)")
      return
    }
    #expect(question.identifier == "agreement")
    let actions = course.answer(.value(.boolean(true)))
    #expect(actions.count == 5 && actions.dropFirst().first == Self.consented(isGiven: true, at: course.now))
  }

  @Test("No sample is written down before consent", arguments: [true, false])
  func samples(isGiven: Bool) async throws {
    var rehearsal = Rehearsal([
      Self.consent(isSigned: false),
      .rest(seconds: 10) {
        $0.continuesAlone()
        $0.recorderConfigurations = [.heart]
      },
    ])
    rehearsal.isUnattended = false
    rehearsal.idlePace = .seconds(1)
    rehearsal.pace = { .seconds(1) }
    rehearsal.sensor = ScriptedSensor.beats(70, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16)
    let end = try await rehearsal.run { rehearsal, trial in
      let asked = rehearsal.presenter.screen?.asked?.identifier
      if rehearsal.clock.elapsed >= .seconds(5), asked == "agreement" { rehearsal.answer(.boolean(isGiven), trial) }
      if rehearsal.clock.elapsed >= .seconds(7), asked == "refusal" { rehearsal.answer(.boolean(true), trial) }
    }
    #expect(end == (isGiven ? .completed : .declined))
    let story = rehearsal.story
    let consent = try #require(story.firstIndex(of: "step.note"))
    #expect(!story[..<consent].contains { $0.hasPrefix("♥") })
    #expect(story[consent...].contains { $0.hasPrefix("♥") } == isGiven)
    #expect(story.contains("connected"))
  }

  @Test func `A signature that cannot be kept ends the trial with the reason`() async throws {
    var rehearsal = Rehearsal([Self.consent(), .ending("end")])
    rehearsal.isUnattended = false
    rehearsal.idlePace = .seconds(1)
    rehearsal.session.response = { request in
      if case .signature = request { .failed(reason: "the signature could not be kept") } else { nil }
    }
    let end = try await rehearsal.run { rehearsal, trial in
      let asksName = rehearsal.presenter.screen?.asked?.identifier == "signature"
      rehearsal.answer(asksName ? .text("A Name") : .boolean(true), trial)
    }
    guard case .failed(let reason) = end else {
      Issue.record("\(end)")
      return
    }
    #expect(reason.contains("signature") && !reason.contains("A Name"))
    #expect(rehearsal.story.allSatisfy { !$0.contains("A Name") })
  }

  @Test("The document stands above the question and nowhere else, and its digest is that of canonical JSON")
  func document() {
    var course = Course([Self.consent()])
    _ = course.begin()
    #expect(course.screen?.document == Self.document.sections)
    _ = course.answer(.value(.boolean(true)))
    #expect(course.screen?.asked?.identifier == "signature" && course.screen?.document == [])
    // hashlib.sha256(json.dumps(…, separators=(",", ":"), sort_keys=True)) of Python, as the article says.
    #expect(Self.step.sha256 == "d3817897e5fb22f19e7a06e1f22eb6371129f03f6f066ee759c1470549da9edb")
  }

  @Test("A signature that is drawn is kept as lines, and in no answer")
  func drawn() throws {
    var course = Course([Self.consent(), .ending("end")])
    _ = course.begin()
    let drawing = try #require(SignatureDrawing(path: "M12 30L14 31M0 0L599 199"))
    #expect(course.answer(.drawing(drawing)) == [])
    _ = course.answer(.value(.boolean(true)))
    #expect(course.answer(.drawing(drawing)).first == .request(.signature(.drawn(drawing), Self.step)))
  }

  @Test(
    "A sensor check goes on when the sensors do, and ends as the operator decides",
    arguments: [
      TrialEnd.completed, .stopped, .failed(reason: "no sample"),
    ])
  func sensorCheck(result: TrialEnd) {
    let check = Step(identifier: "sensors", kind: SensorCheckStep(limit: .seconds(7)))
    var course = Course([check, .ending("end")])
    #expect(course.begin() == [.enter(step: 0), .request(.sensors(within: .seconds(7)))])
    let actions = course.take(.performed(result))
    if result == .completed {
      #expect(actions == [.leave(step: 0, .finished), .enter(step: 1)])
    } else {
      #expect(actions.last == .settle && course.take(.settled) == [.close(result)])
    }
  }
}

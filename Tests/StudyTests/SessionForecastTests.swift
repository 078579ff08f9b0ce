import Basics
import Quantities
import Testing

@testable import Study

@Suite("How long a session is likely to last")
struct SessionForecastTests {
  private static func active(
    _ seconds: Double, starts: Bool = true, goesOn: Bool = true, settle: Duration? = nil, _ identifier: String = "rest"
  ) -> Step {
    var active = ActiveStep()
    active.stepDuration = .seconds(seconds)
    (active.shouldStartTimerAutomatically, active.shouldContinueOnFinish) = (starts, goesOn)
    active.recorderConfigurations =
      settle.map {
        [RecorderConfiguration(identifier: identifier, quantityType: .heartRate, unit: .countPerMinute, settle: $0)]
      } ?? []
    return Step(identifier: identifier, kind: RestStep(active))
  }

  private static func text(_ words: Int) -> Step {
    Step(
      identifier: "text", text: Array(repeating: "word", count: words).joined(separator: " "), kind: InstructionStep())
  }

  private static func form(_ questions: Int) -> Step {
    let format = AnswerFormat.scale(ScaleAnswerFormat(minimum: 1, maximum: 9))
    return Step(
      identifier: "form",
      kind: FormStep(questions: (0..<questions).map { Question(identifier: "q\($0)", format: format) }))
  }

  private static func study(_ steps: [Step], _ change: (inout StudyProtocol) -> Void = { _ in }) -> StudyProtocol {
    var study = StudyProtocol(identifier: "T", version: "1", steps: steps)
    change(&study)
    return study
  }

  private static func forecast(_ study: StudyProtocol, trials: Int? = nil) throws -> SessionForecast {
    SessionForecast(try Plan.make(for: study, clips: [], seed: 1, trials: trials), of: study)
  }

  @Test("Steps, questions, screens to read and gaps add up")
  func parts() throws {
    let steps = [
      Self.text(30), Self.active(60, settle: .seconds(3)), Self.form(2),
      Self.active(20, starts: false, goesOn: false, "b"),
    ]
    let forecast = try Self.forecast(Self.study(steps))
    #expect(forecast.active == .seconds(80) && forecast.questions == 2 && forecast.answering == .seconds(20))
    // 5 s and 10 s to read; 5 s to start and 5 s to end the last step.
    #expect(forecast.screens == 3 && forecast.reading == .seconds(25))
    // The samples of the first rest have settled long before the end.
    #expect(forecast.gaps == .seconds(1) && forecast.total == .seconds(126))
    #expect(try Self.forecast(Self.study(steps), trials: 3).total == .seconds(3 * 126))
  }

  @Test(
    "What recorders wait for after the last step is in the gaps",
    arguments: [(3, nil, 4), (3, RecorderConfiguration.Scope.trial, 8), (3, .session, 8), (9, .trial, 10)]
      as [(Int, RecorderConfiguration.Scope?, Int)])
  func settling(ofStep: Int, scope: RecorderConfiguration.Scope?, gap: Int) throws {
    let study = Self.study([Self.active(10, settle: .seconds(ofStep))]) { study in
      guard let scope else { return }
      var recorder = RecorderConfiguration(
        identifier: "wide", quantityType: .heartRate, unit: .countPerMinute, settle: .seconds(7))
      recorder.scope = scope
      study.recorderConfigurations = [recorder]
    }
    #expect(try Self.forecast(study).gaps == .seconds(gap))
  }

  @Test("Trials count as often as they come, with breaks and what lies around them")
  func trials() throws {
    let conditions = ["a", "b", "c"].map { StudyCondition(name: $0, sound: .silence) }
    let step = Step(
      identifier: "trials",
      kind: TrialsStep(
        design: TrialDesign(conditions: conditions, repetitions: 2, order: .fixed),
        steps: [Self.active(10, settle: .seconds(2)), Self.form(1)],
        breaks: TrialsStep.Breaks(every: 3, steps: [Self.text(0)])))
    let forecast = try Self.forecast(Self.study([Self.text(15), step]))
    #expect(forecast.active == .seconds(60) && forecast.questions == 6 && forecast.screens == 2)
    #expect(forecast.reading == .seconds(15) && forecast.gaps == .seconds(7) && forecast.total == .seconds(142))
  }

  @Test("Without a plan the longest session of any group counts, with the longest of drawn durations")
  func longest() throws {
    var (short, long) = (Self.active(10, "short"), Self.active(50, "long"))
    (short.groups, long.groups) = (["a"], ["b"])
    var active = try #require(long.active)
    active.jitter = Jitter(.uniform, from: .seconds(20), to: .seconds(50))
    let study = Self.study([short, long.with(active)]) {
      $0.groups = StudyGroups(.index, [StudyGroups.Group("a"), StudyGroups.Group("b")])
    }
    #expect(study.longestSession?.active == .seconds(50) && study.longestSession?.total == .seconds(51))
  }
}

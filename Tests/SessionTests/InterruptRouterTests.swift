import Basics
import Quantities
import TestSupport
import Testing

@testable import Session
@testable import Study

@Suite("Where an interrupt goes")
struct InterruptRouterTests {
  private let clock = HandClock()
  private let router: InterruptRouter

  init() { router = InterruptRouter(clock: clock) }

  private func words() -> String? { router.handle(.key) }

  @Test("Before the trial it ends the program, and says that nothing was recorded")
  func before() { #expect(words() == "interrupted before the trial; nothing was recorded") }

  @Test("Before the first trial it ends the program also while somebody waits for a bell")
  func bellBefore() {
    let bell = Bell()
    router.ring(bell)
    #expect(words() == "interrupted before the trial; nothing was recorded")
  }

  @Test("An interrupt between two trials is kept for the next one, which is then opening")
  func between() async throws {
    router.trialIsOver(.completed)
    #expect(words() == nil && router.givesUp)
    router.trialOpens()
    let control = try await control()
    await router.trialBegins(control.control)
    #expect(await control.end() == .stopped)
  }

  @Test("While the trial is opened interrupts are kept for it; one after a second says what becomes of what there is")
  func opening() {
    router.trialOpens()
    for _ in 0..<3 { #expect(words() == nil) }
    clock.advance(by: .seconds(1))
    #expect(
      words()
        == "interrupted while the trial was opened; the next run or “station recover” makes a bundle of its data"
    )
  }

  @Test(
    "An interrupt in the same moment as a trial's last input ends what comes after the trial",
    arguments: [TrialEnd.completed, .declined, .skipped, .failed(reason: "no sound"), .stopped])
  func overtaken(end: TrialEnd) async throws {
    let bell = Bell()
    router.trialOpens()
    await router.trialBegins(try await control().control)
    #expect(words() == nil)
    router.trialIsOver(end)
    // The trial that the interrupt has stopped has taken it.
    #expect(router.givesUp == (end != .stopped))
    router.ring(bell)
    if end != .stopped { #expect(await bell.wait()) }
    #expect(router.forgive() == (end != .stopped))
  }

  @Test("An interrupt after the trials inside of a session's steps ends these steps", arguments: [false, true])
  func around(isTaken: Bool) async throws {
    router.trialOpens()
    let around = try await control()
    await router.trialBegins(around.control)
    router.trialOpens()
    await router.trialBegins(try await control().control)
    router.trialIsOver(.completed)
    #expect(words() == nil)
    if isTaken { #expect(router.forgive()) }
    await router.trialBegins(around.control)
    if isTaken { around.trial.send(.failed(reason: "not stopped")) }
    #expect(await around.end() == (isTaken ? .failed(reason: "not stopped") : .stopped))
  }

  /// The control of a trial that has not begun.
  private struct Controlled {
    let trial: Trial
    let control: TrialControl

    func end() async -> TrialEnd { await trial.run() }
  }

  private func control() async throws -> Controlled {
    var rest = ActiveStep()
    rest.stepDuration = .seconds(60)
    let steps = [Step(identifier: "rest", kind: RestStep(rest))]
    let trial = Trial(try TrialContext(steps, on: clock))
    return Controlled(trial: trial, control: TrialControl(trial, console: SilentDisplay(), canAsk: false))
  }

  @Test("After the trial it gives the wait for room up")
  func after() {
    router.trialIsOver(.completed)
    #expect(!router.givesUp)
    #expect(words() == nil)
    #expect(router.givesUp)
  }
}

import Basics
import Testing

@testable import Experiment

@Suite("Where an interrupt goes")
struct InterruptRouterTests {
  private let router = InterruptRouter()

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
  func between() async {
    router.trialIsOver()
    #expect(words() == nil && router.givesUp)
    router.trialOpens()
    #expect(words()?.contains("while the trial was opened") == true)
  }

  @Test("While the trial is opened the first is kept for it, and the second says what becomes of what there is")
  func opening() {
    router.trialOpens()
    #expect(words() == nil)
    #expect(
      words()
        == "interrupted while the trial was opened; the next run or “station recover” makes a bundle of its data"
    )
  }

  @Test("After the trial it gives the wait for room up")
  func after() {
    router.trialIsOver()
    #expect(!router.givesUp)
    #expect(words() == nil)
    #expect(router.givesUp)
  }
}

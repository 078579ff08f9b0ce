import Basics
import Bundles
import Quantities
import Synchronization
import TestSupport
import Testing

@testable import Session
@testable import Study

/// A display that remembers what the operator was asked, and the lines.
private final class RememberingDisplay: OperatorDisplay {
  let prompts = Mutex<[String]>([])
  let lines = Mutex<[String]>([])
  var canRedraw: Bool { true }
  func line(_ text: String) { lines.withLock { $0.append(text) } }
  func heading(_ text: String) {}
  func report(_ text: String) {}
  func show(status: String) {}
  func show(prompt: String) { prompts.withLock { $0.append(prompt) } }
  func show(
    screen rows: @escaping @Sendable (TerminalSize) -> [String],
    painted: @escaping @Sendable (TerminalSize, Moment) -> Void
  ) {}
  func leaveScreen() {}
  func ring() {}
}

@Suite("An operator's annotations")
struct AnnotationTests {
  @Test func `An annotation has the time at which it was begun, and its keys are not the trial's`() async throws {
    var rehearsal = Rehearsal([.rest(seconds: 30) { $0.continuesAlone() }, .ending("bye")])
    rehearsal.isUnattended = true
    let control = Mutex<TrialControl?>(nil)
    let typed = Mutex(0)
    let keys: [OperatorKey] = [.letter("\u{10}"), .letter("a"), .letter("p"), .letter("x"), .letter("\u{7F}"), .enter]
    let end = try await rehearsal.run { rehearsal, trial in
      let own = control.withLock { control in
        let own = control ?? TrialControl(trial, console: SilentDisplay(), canAsk: true)
        control = own
        return own
      }
      guard rehearsal.clock.elapsed >= .seconds(5) else { return }
      let number = typed.withLock { typed in
        defer { typed += 1 }
        return typed
      }
      if number < keys.count { Task { await own.take(keys[number]) } }
    }
    #expect(end == .completed)
    let annotations = rehearsal.journal.records.compactMap { record -> (Duration, String)? in
      guard case .annotated(let text) = record.event else { return nil }
      return (record.time, text)
    }
    #expect(annotations.map(\.1) == ["ap"])
    #expect(try #require(annotations.first).0 >= .seconds(5))
    #expect(!rehearsal.story.contains("suspended"))
  }

  @Test(
    "Only the word discard discards, and no word of the question is on the participant's screen",
    arguments: ["discard", "\u{10}discard", "", "d", "Discard", "discard?", "y"], [false, true])
  func discarded(answer: String, isHidden: Bool) async throws {
    let clock = HandClock()
    let trial = Trial(try TrialContext([.reading("page")], on: clock))
    let display = RememberingDisplay()
    let control = TrialControl(trial, console: display, canAsk: true, isHidden: isHidden)
    for _ in 0..<2 { await control.interrupt(.key) }
    for letter in answer { await control.take(.letter(letter)) }
    await control.take(.enter)
    let decision = await control.decision()
    #expect((decision == .discard) == answer.hasSuffix("discard"))
    let shown = display.prompts.withLock { $0 }
    if isHidden { #expect(shown.allSatisfy { $0.allSatisfy { "operator: *".contains($0) } }, "\(shown)") }
    #expect(shown.contains { $0.contains("discard") } != isHidden)
    #expect(display.lines.withLock { $0.contains { $0.hasPrefix("discard all data") } })
  }

  @Test("A pause where nothing runs is refused, and is not a toggle", arguments: ["page", "level", "waits", "untimed"])
  func pause(step: String) {
    let steps = [
      "page": Step.reading("page"), "level": Step(identifier: "level", kind: VolumeStep()),
      "waits": .rest(seconds: 5), "untimed": .rest(seconds: 0) { $0.continuesAlone() },
    ]
    var course = Course([steps[step] ?? .reading("page"), .ending("bye")])
    _ = course.begin()
    #expect(course.take(.awaitsDecision) == [])
    #expect(course.take(.setPause(true)) == [.refusePause(step: 0)])
    #expect(course.take(.setPause(false)) == [] && course.take(.togglePause) == [])
    var running = Course([.rest(seconds: 5) { $0.continuesAlone() }])
    _ = running.begin()
    #expect(running.take(.setPause(true)).contains(.pause(true)) && running.take(.setPause(true)) == [])
  }

  @Test("A trial that the operator wants repeated ends, where it can be repeated", arguments: [true, false])
  func repeated(isRepeatable: Bool) async throws {
    var rehearsal = Rehearsal([.rest(seconds: 600) { $0.continuesAlone() }, .ending("bye")])
    rehearsal.isUnattended = true
    /// Whether the operator types, or has typed; `nil` before.
    final class Typing: Sendable { let isUnderWay = Mutex(Bool?.none) }
    let typing = Typing()
    // Time stands still meanwhile.
    rehearsal.pace = { typing.isUnderWay.withLock { $0 == true } ? .zero : .seconds(1) }
    let end = try await rehearsal.run { rehearsal, trial in
      guard rehearsal.clock.elapsed >= .seconds(5), typing.isUnderWay.withLock({ $0 }) == nil else { return }
      typing.isUnderWay.withLock { $0 = true }
      let control = TrialControl(trial, console: SilentDisplay(), canAsk: true, isRepeatable: isRepeatable)
      Task {
        for key in "\u{10}/repeat trial\n" { await control.take(key == "\n" ? .enter : .letter(key)) }
        typing.isUnderWay.withLock { $0 = false }
      }
    }
    #expect(end == (isRepeatable ? .repeated : .completed))
  }

  @Test("After a slash the operator's words are commands, where trials follow", arguments: [true, false])
  func commands(leadsOn: Bool) async throws {
    var rehearsal = Rehearsal([.rest(seconds: 60) { $0.continuesAlone() }, .ending("bye")])
    rehearsal.isUnattended = true
    let control = Mutex<TrialControl?>(nil)
    let keys = Mutex("\u{10}/pause after\n\u{10}/none\n\u{10}/skip trial\n"[...])
    let end = try await rehearsal.run { rehearsal, trial in
      let own = control.withLock { control in
        let own = control ?? TrialControl(trial, console: SilentDisplay(), canAsk: true, leadsOn: leadsOn)
        control = own
        return own
      }
      guard rehearsal.clock.elapsed >= .seconds(5), let key = keys.withLock({ $0.popFirst() }) else { return }
      Task { await own.take(key == "\n" ? .enter : .letter(key)) }
    }
    #expect(end == (leadsOn ? .skipped : .completed))
    #expect(await control.withLock { $0 }?.pausesSession == leadsOn)
    let annotations = rehearsal.journal.records.filter { if case .annotated = $0.event { true } else { false } }
    #expect(annotations.isEmpty)
  }
}

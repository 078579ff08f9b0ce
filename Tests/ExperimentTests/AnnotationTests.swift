import Bundles
import Quantities
import Study
import Synchronization
import Testing

@testable import Experiment

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

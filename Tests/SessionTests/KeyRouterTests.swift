import Basics
import Quantities
import Synchronization
import TestSupport
import Testing

@testable import Session

@Suite("Where keys go during a session")
struct KeyRouterTests {
  private let typed = AsyncStream.makeStream(of: KeyRouter.Press.self)

  private func routed(_ work: @Sendable (KeyRouter) async -> Void) async {
    let router = KeyRouter { [typed] in typed.stream }
    await withTaskGroup(of: Void.self) { group in
      group.addTask { await router.run() }
      await work(router)
      group.cancelAll()
    }
  }

  private func type(_ text: String) {
    for letter in text { typed.continuation.yield((letter == "\n" ? .enter : .letter(letter), nil)) }
  }

  @Test(
    "A line is what was typed up to Return, without spaces", arguments: [("go\n", "go"), (" g o\n", "go"), ("\n", "")])
  func line(keys: String, expected: String) async {
    await routed { router in
      type(keys)
      #expect(await router.line { _ in } == expected)
    }
  }

  @Test("Backspace takes the last letter back", arguments: ["\u{7F}", "\u{8}"] as [Character])
  func backspace(key: Character) async {
    await routed { router in
      type("en\(key)")
      type("nd\n")
      #expect(await router.line { _ in } == "end")
    }
  }

  @Test("A letter that is held down is part of the line, and control characters are not")
  func repeated() async {
    await routed { router in
      for key in [OperatorKey.letter("g"), .repeated(.letter("o")), .repeated(.letter("\u{10}")), .enter] {
        typed.continuation.yield((key, nil))
      }
      #expect(await router.line { _ in } == "go")
    }
  }

  @Test("The end of the input ends a line, and is passed to every later handler")
  func end() async {
    await routed { router in
      typed.continuation.yield((.end, nil))
      #expect(await router.line { _ in } == nil)
      let heard = Mutex<[OperatorKey]>([])
      await router.route { key, _ in heard.withLock { $0.append(key) } }
      #expect(heard.withLock { $0 } == [.end])
    }
  }

  @Test("Keys go to the newest handler")
  func newest() async {
    await routed { router in
      let (first, second) = (Bell(), Bell())
      await router.route { _, _ in first.ring() }
      type("a")
      #expect(await first.wait())
      await router.route { _, _ in second.ring() }
      type("b")
      #expect(await second.wait())
    }
  }

  @Test("A line begins with its opening key, and leaves out what was pressed before its prompt was shown")
  func opened() async {
    let clock = HandClock()
    await routed { router in
      typed.continuation.yield((.letter("a"), clock.now.advanced(by: .seconds(-1))))
      type("again\n\u{10}go\n")
      let line = await router.line(asking: "? ", after: (.letter("\u{10}"), "wait"), clock: clock) { _ in }
      #expect(line == "go")
    }
  }
}

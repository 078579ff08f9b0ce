import Basics
import Bundles
import Quantities
import Study
import Synchronization
import Testing

@testable import Experiment

@Suite("How a participant's screen is laid out")
struct ParticipantScreenTests {
  @Test("Long lines are broken between words, and words that are longer inside")
  func wrapped() {
    #expect("one two three".wrapped(to: 7) == ["one two", "three"])
    #expect("abcdefgh ij".wrapped(to: 5) == ["abcde", "fgh", "ij"])
    #expect("a\n\nb".wrapped(to: 5) == ["a", "", "b"])
    #expect("".wrapped(to: 5) == [""])
  }

  @Test("The rows are in the middle and fit the terminal", arguments: [(80, 24), (20, 5), (1, 1)])
  func rows(columns: Int, rows: Int) {
    let screen = ParticipantScreen(
      title: "Listen", texts: ["To what you hear, as long as it lasts."], remaining: .seconds(29.2), hint: "Paused")
    let size = TerminalSize(columns: columns, rows: rows)
    let shown = screen.rows(size)
    #expect(shown.count <= rows)
    #expect(screen.layout(size).isScrolled == (columns < 80))
    #expect(shown.allSatisfy { $0.replacing(/\u{1B}\[[01]m/, with: "").displayWidth <= columns })
    if columns == 80 {
      #expect(shown.contains { $0.hasSuffix(" 0:30") })
      #expect(shown.first { !$0.isEmpty } == String(repeating: " ", count: 37) + "\u{1B}[1mListen\u{1B}[0m")
    }
  }

  private static let text = (1...60).map { "Sentence \($0) says what is done, and why." }.joined(separator: " ")

  private static let sizes = [(80, 24), (60, 20), (40, 10), (40, 12), (20, 6), (20, 5), (10, 3)].map {
    TerminalSize(columns: $0, rows: $1)
  }

  /// What stands on the screen, without attributes and breaks.
  private static func words(_ rows: [String]) -> [String] {
    rows.flatMap { $0.replacing(/\u{1B}\[[01]m/, with: "").split(separator: " ").map(String.init) }
  }

  @Test(
    "Every word of a long text comes to the screen, with a mark until its end does", arguments: sizes,
    [OperatorKey.arrow(.down), .jump(.pageDown), .letter(" ")])
  func scrolled(size: TerminalSize, key: OperatorKey) {
    var screen = ParticipantScreen(title: "Consent", texts: [Self.text], hint: "Press Return to continue", more: "More")
    screen.position = "1 / 2"
    var seen: Set<String> = []
    var presses = 0
    while true {
      let rows = screen.rows(size)
      #expect(rows.count <= size.rows)
      #expect(rows.allSatisfy { $0.replacing(/\u{1B}\[[01]m/, with: "").displayWidth <= size.columns })
      let words = Self.words(rows)
      seen.formUnion(words)
      let layout = screen.layout(size)
      #expect(words.contains("More") != layout.showsEnd)
      if layout.showsEnd { break }
      let isTaken = screen.reads(key, on: size)
      #expect(isTaken)
      presses += 1
      guard presses < 2000 else {
        Issue.record("the end never came")
        return
      }
    }
    let wanted = size.columns > 20 ? Set(Self.text.split(separator: " ").map(String.init)) : []
    #expect(wanted.subtracting(seen).isEmpty)
    _ = screen.scroll(.jump(.home), on: size)
    #expect(Self.words(screen.rows(size)).contains("Consent"))
    _ = screen.scroll(.jump(.end), on: size)
    #expect(screen.layout(size).showsEnd)
  }

  @Test("A change of size keeps the place in the text")
  func resized() {
    var screen = ParticipantScreen(texts: [Self.text], more: "More")
    let (wide, narrow) = (TerminalSize(columns: 80, rows: 12), TerminalSize(columns: 40, rows: 10))
    for _ in 0..<12 { _ = screen.scroll(.arrow(.down), on: wide) }
    // Below the mark for more above.
    let first = Self.words(Array(screen.rows(wide)[1...1]))
    let shown = Self.words(screen.rows(narrow))
    #expect(shown.contains { $0 == first[0] } && shown.contains { $0 == first[1] }, "\(first): \(shown)")
    #expect(Self.words(Array(screen.rows(wide)[1...1])) == first)
  }

  @Test("A long list and long anchors are whole, and the cursor is always on the screen", arguments: sizes.prefix(4))
  func answers(size: TerminalSize) {
    let choices = (0..<40).map { number in
      AnswerChoice("\(number)", text: "Country \(number) with a name that is longer than the width of a small terminal")
    }
    let question = Question(identifier: "q", format: .choice(choices))
    var screen = ParticipantScreen(
      title: "Where do you live?", entry: OpenEntry(question), hint: "Choose", more: "More")
    screen.reading = .done
    for number in 0..<40 {
      _ = screen.entry?.take(.arrow(.down))
      let words = Self.words(screen.rows(size))
      #expect(words.contains(">(") && words.contains("\(number)"), "\(number): \(words)")
    }
  }
}

@Suite("Which keys count on a participant's screen")
struct ParticipantKeysTests {
  /// A display that is painted when the test says so.
  private final class Canvas: OperatorDisplay {
    typealias Frame = (rows: @Sendable (TerminalSize) -> [String], painted: @Sendable (TerminalSize, Moment) -> Void)
    private let frame = Mutex<Frame?>(nil)
    let lines = Mutex<[String]>([])
    var canRedraw: Bool { true }
    func line(_ text: String) { lines.withLock { $0.append(text) } }
    func heading(_ text: String) {}
    func report(_ text: String) {}
    func show(status: String) {}
    func show(prompt: String) {}
    func show(
      screen rows: @escaping @Sendable (TerminalSize) -> [String],
      painted: @escaping @Sendable (TerminalSize, Moment) -> Void
    ) { frame.withLock { $0 = (rows, painted) } }
    func leaveScreen() {}
    func ring() {}

    @discardableResult
    func paint(_ size: TerminalSize = TerminalSize(columns: 80, rows: 24), at seconds: Double) -> String {
      guard let frame = frame.withLock({ $0 }) else { return "" }
      frame.painted(size, ParticipantKeysTests.moment(seconds))
      return frame.rows(size).joined(separator: "\n")
    }
  }

  fileprivate static func moment(_ seconds: Double) -> Moment { Moment(nanoseconds: Int64(seconds * 1e9)) }

  private let canvas = Canvas()
  private let presenter: ParticipantPresenter

  init() { presenter = ParticipantPresenter(console: canvas, phrases: Phrases()) }

  private func admits(_ key: OperatorKey, at seconds: Double, of step: Step) -> Bool {
    presenter.admits(key, at: Self.moment(seconds), of: step)
  }

  @Test("A key counts once its screen was painted, on every new screen")
  func painted() {
    let step = Step.reading("page")
    presenter.present(.appeared(index: 0, count: 2, waits: true), of: step)
    #expect(!admits(.enter, at: 1, of: step))
    canvas.paint(at: 2)
    #expect(!admits(.enter, at: 1.9, of: step) && admits(.enter, at: 2, of: step))
    presenter.present(.appeared(index: 1, count: 2, waits: true), of: step)
    #expect(!admits(.enter, at: 2.5, of: step))
    canvas.paint(at: 3)
    #expect(!admits(.enter, at: 2.9, of: step) && admits(.enter, at: 3.1, of: step))
  }

  @Test("A question has the moment at which it was first painted")
  func shown() {
    let step = Step.reading("page")
    let told = Mutex<[Moment]>([])
    presenter.present(.appeared(index: 0, count: 2, waits: false), of: step)
    presenter.ask(
      Question(identifier: "q", format: .boolean), of: step, painted: { moment in told.withLock { $0.append(moment) } },
      reply: { _ in })
    presenter.present(.remaining(.seconds(3)), of: step)
    for second in [4.0, 5, 6] { canvas.paint(at: second) }
    #expect(told.withLock { $0 } == [Self.moment(4)])
  }

  @Test("Return goes on when the end of the text was on the screen, whatever its size became meanwhile")
  func end() {
    let small = TerminalSize(columns: 40, rows: 10)
    var step = Step.reading("page")
    step.text = String(repeating: "Please read this sentence. ", count: 60)
    presenter.present(.appeared(index: 0, count: 2, waits: true), of: step)
    canvas.paint(small, at: 1)
    #expect(!admits(.enter, at: 2, of: step) && !admits(.enter, at: 3, of: step))
    #expect(!admits(.jump(.end), at: 4, of: step))
    #expect(!admits(.enter, at: 4.5, of: step))
    canvas.paint(small, at: 5)
    #expect(!admits(.jump(.home), at: 6, of: step))
    canvas.paint(small, at: 7)
    #expect(admits(.enter, at: 8, of: step))
    presenter.present(.appeared(index: 1, count: 2, waits: true), of: step)
    canvas.paint(small, at: 9)
    #expect(!admits(.enter, at: 10, of: step))
    canvas.paint(TerminalSize(columns: 80, rows: 60), at: 11)
    #expect(admits(.enter, at: 12, of: step))
  }

  @Test("What a terminal repeats does nothing; typed characters count as often as they come")
  func repeats() {
    let step = Step.reading("page")
    presenter.present(.appeared(index: 0, count: 2, waits: true), of: step)
    canvas.paint(at: 1)
    for key in [OperatorKey.arrow(.right), .jump(.pageUp), .letter("+"), .letter("p"), .letter("\u{E}")] {
      #expect(admits(key, at: 2, of: step) && !admits(.repeated(key), at: 2.5, of: step), "\(key)")
    }
    func ask(_ format: AnswerFormat, paintedAt seconds: Double) {
      presenter.ask(Question(identifier: "q", format: format), of: step, painted: { _ in }, reply: { _ in })
      canvas.paint(at: seconds)
    }
    ask(.text(maximumLength: 9), paintedAt: 4)
    #expect(admits(.letter("l"), at: 5, of: step) && admits(.repeated(.letter("l")), at: 5, of: step))
    ask(.choices([AnswerChoice("a"), AnswerChoice("b")], count: 0...2), paintedAt: 6)
    for key in [OperatorKey.letter(" "), .letter("2")] { #expect(!admits(.repeated(key), at: 7, of: step)) }
    #expect(admits(.repeated(.arrow(.down)), at: 7, of: step))
  }

  @Test("After the last step, the answered screen gives way to a neutral one")
  func concluded() {
    var step = Step.reading("page")
    step.title = "A secret"
    presenter.present(.concluded, of: step)
    #expect(canvas.paint(at: 1).isEmpty)
    presenter.present(.appeared(index: 0, count: 1, waits: true), of: step)
    presenter.present(.left(.finished), of: step)
    presenter.present(.concluded, of: step)
    let shown = canvas.paint(at: 2)
    #expect(shown.contains("One moment") && !shown.contains("A secret"))
  }

  @Test(
    "A long list is answered with the arrow keys, however far it was scrolled before",
    arguments: [
      [.jump(.pageDown)], [.jump(.end)], [.letter(" ")], [.arrow(.down)],
      [.jump(.end), .letter("\t"), .jump(.pageDown)], [.jump(.end), .letter("\t"), .jump(.home), .jump(.end)],
    ] as [[OperatorKey]], [false, true])
  func scrolled(keys: [OperatorKey], severalAnswers: Bool) {
    let step = Step.reading("page")
    let choices = (1...40).map { AnswerChoice("\($0)", text: "Country \($0)") }
    presenter.present(.appeared(index: 0, count: 1, waits: false), of: step)
    presenter.ask(
      Question(identifier: "q", format: severalAnswers ? .choices(choices, count: 1...40) : .choice(choices)), of: step,
      painted: { _ in }, reply: { _ in })
    canvas.paint(at: 1)
    var time = 2.0
    func press(_ key: OperatorKey) {
      if admits(key, at: time, of: step) { _ = presenter.take(key, of: step) }
      canvas.paint(at: time + 0.1)
      time += 1
    }
    // Too many of each, of which those at the end do nothing.
    let rounds = keys == [.arrow(.down)] ? 24 : keys.count == 1 ? 6 : 1
    for _ in 0..<rounds { for key in keys { press(key) } }
    if keys.count > 1 { press(keys[keys.count - 1]) }
    let before = canvas.paint(at: time)
    for _ in 0..<40 where !canvas.paint(at: time).contains(">") { press(.arrow(.down)) }
    #expect(canvas.paint(at: time).contains(">"), "\(before)")
    let first = canvas.paint(at: time)
    press(.arrow(.down))
    #expect(canvas.paint(at: time) != first && canvas.paint(at: time).contains(">"))
  }

  @Test("A pause shows that and nothing else, and keys do nothing meanwhile")
  func paused() {
    var step = Step.reading("page")
    step.title = "A secret"
    presenter.present(.appeared(index: 0, count: 2, waits: true), of: step)
    #expect(canvas.paint(at: 1).contains("A secret"))
    presenter.present(.paused(true), of: step)
    let shown = canvas.paint(at: 2)
    #expect(shown.contains("Paused") && !shown.contains("A secret"))
    #expect(!admits(.enter, at: 3, of: step))
    presenter.present(.paused(false), of: step)
    #expect(canvas.paint(at: 4).contains("A secret"))
    #expect(admits(.enter, at: 5, of: step) && !presenter.takesCommands)
  }
}

import Basics
import Bundles
import Quantities
import Synchronization
import Testing

@testable import Session
@testable import Study

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

  /// Shows a screen of a step.
  private func show(
    _ number: Int, _ entry: Screen.Entry? = nil, title: String? = nil, text: String? = nil, isPaused: Bool = false
  ) {
    var screen = Screen.reading("page", number: number)
    screen.title = title
    screen.texts = [text].compactMap(\.self)
    screen.entry = entry
    screen.isPaused = isPaused
    presenter.show(screen)
  }

  @discardableResult
  private func take(_ key: OperatorKey, at seconds: Double) -> KeyEffect {
    presenter.take(key, at: Self.moment(seconds))
  }

  /// Whether Return goes on at a time.
  private func goesOn(at seconds: Double) -> Bool { take(.enter, at: seconds).answer?.deed == .goOn }

  @Test("A key counts once its screen was painted, on every new screen, and its answer says when that was")
  func painted() {
    show(1)
    #expect(!goesOn(at: 1))
    canvas.paint(at: 2)
    #expect(!goesOn(at: 1.9) && goesOn(at: 2))
    show(2)
    #expect(!goesOn(at: 2.5))
    for second in [3.0, 4, 5] { canvas.paint(at: second) }
    #expect(!goesOn(at: 2.9))
    let answer = take(.enter, at: 6).answer
    #expect(answer?.screen == 2 && answer?.input.painted?.moment == Self.moment(3))
    #expect(answer?.input.made.moment == Self.moment(6) && answer?.input.device == .key)
  }

  @Test("An answer says when its entry was touched first, and how often it was changed")
  func contact() {
    show(1, .question(.scale("q")))
    canvas.paint(at: 1)
    for (key, second) in [(OperatorKey.arrow(.right), 2.0), (.arrow(.right), 3), (.enter, 4)] { take(key, at: second) }
    let input = take(.enter, at: 5).answer?.input
    #expect(input?.firstContact == Self.moment(2) && input?.changes == 3 && input?.made.moment == Self.moment(5))
  }

  @Test("Return goes on when the end of the text was on the screen, whatever its size became meanwhile")
  func end() {
    let small = TerminalSize(columns: 40, rows: 10)
    let text = String(repeating: "Please read this sentence. ", count: 60)
    show(1, text: text)
    canvas.paint(small, at: 1)
    #expect(!goesOn(at: 2) && !goesOn(at: 3))
    take(.jump(.end), at: 4)
    #expect(!goesOn(at: 4.5))
    canvas.paint(small, at: 5)
    take(.jump(.home), at: 6)
    canvas.paint(small, at: 7)
    #expect(goesOn(at: 8))
    show(2, text: text)
    canvas.paint(small, at: 9)
    #expect(!goesOn(at: 10))
    canvas.paint(TerminalSize(columns: 80, rows: 60), at: 11)
    #expect(goesOn(at: 12))
  }

  @Test("What a terminal repeats does nothing; typed characters count as often as they come")
  func repeats() {
    show(1)
    canvas.paint(at: 1)
    #expect(
      take(.repeated(.letter("\u{10}")), at: 2) == .none && take(.letter("\u{10}"), at: 2) == .command(.togglePause))
    show(2, .question(Question(identifier: "q", format: .text(maximumLength: 9))))
    canvas.paint(at: 4)
    #expect(take(.letter("l"), at: 5) == .shown && take(.repeated(.letter("l")), at: 5) == .shown)
    let choices = [AnswerChoice("a"), AnswerChoice("b")]
    show(3, .question(Question(identifier: "q", format: .choices(choices, count: 0...2))))
    canvas.paint(at: 6)
    for key in [OperatorKey.letter(" "), .letter("2")] { #expect(take(.repeated(key), at: 7) == .none) }
    #expect(take(.repeated(.arrow(.down)), at: 7) == .shown)
  }

  @Test("After the last step, the answered screen gives way to a neutral one")
  func concluded() {
    let step = Step.reading("page")
    presenter.tell(.concluded, of: step)
    #expect(canvas.paint(at: 1).isEmpty)
    show(1, title: "A secret")
    presenter.tell(.left(.finished), of: step)
    presenter.tell(.concluded, of: step)
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
    let choices = (1...40).map { AnswerChoice("\($0)", text: "Country \($0)") }
    let format = severalAnswers ? AnswerFormat.choices(choices, count: 1...40) : .choice(choices)
    show(1, .question(Question(identifier: "q", format: format)))
    canvas.paint(at: 1)
    var time = 2.0
    func press(_ key: OperatorKey) {
      take(key, at: time)
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

  @Test("A pause shows that and nothing else, and keys do nothing meanwhile; what was entered is kept")
  func paused() {
    let question = Screen.Entry.question(.scale("q"))
    show(1, question, title: "A secret")
    #expect(canvas.paint(at: 1).contains("A secret"))
    #expect(take(.letter("7"), at: 1.5) == .shown)
    show(1, question, title: "A secret", isPaused: true)
    let shown = canvas.paint(at: 2)
    #expect(shown.contains("Paused") && !shown.contains("A secret"))
    #expect(take(.enter, at: 3) == .none)
    show(1, question, title: "A secret")
    #expect(canvas.paint(at: 4).contains("A secret"))
    #expect(take(.enter, at: 5).answer?.deed == .value(.integer(7)))
    #expect(take(.letter("p"), at: 6) == .none)
  }
}

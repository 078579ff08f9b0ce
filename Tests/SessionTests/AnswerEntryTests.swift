import Basics
import Testing

@testable import Session
@testable import Study

@Suite("Entering an answer")
struct AnswerEntryTests {
  /// Keys as text: `→←↑↓` are arrow keys, `⇞⇟⇱⇲` are Page Up, Page Down, Home and End, `⌫` is the backspace key, `⏎` is
  /// Return.
  private static func key(_ character: Character) -> OperatorKey {
    switch character {
    case "→": .arrow(.right)
    case "←": .arrow(.left)
    case "↑": .arrow(.up)
    case "↓": .arrow(.down)
    case "⇞": .jump(.pageUp)
    case "⇟": .jump(.pageDown)
    case "⇱": .jump(.home)
    case "⇲": .jump(.end)
    case "⌫": .letter("\u{7F}")
    case "⏎": .enter
    default: .letter(character)
    }
  }

  private static func entry(_ format: AnswerFormat) -> OpenEntry {
    OpenEntry(Question(identifier: "q", format: format))
  }

  private static let height = AnswerFormat.decimal(NumberAnswerFormat(minimum: 0.5, maximum: 2.5, unit: "m"))
  private static let hands = AnswerFormat.choice([AnswerChoice("left"), AnswerChoice("right", text: "The right one")])
  private static let players = AnswerFormat.choices(["radio", "phone", "none"].map { AnswerChoice($0) }, count: 1...3)
  private static let some = AnswerFormat.choices(["radio", "phone"].map { AnswerChoice($0) }, count: 0...2)
  private static func scale(_ range: ClosedRange<Int>) -> AnswerFormat {
    .scale(ScaleAnswerFormat(minimum: range.lowerBound, maximum: range.upperBound))
  }
  private static let line = AnswerFormat.visualAnalogue(
    ScaleAnswerFormat(minimum: 0, maximum: 100, anchors: [0: "not at all", 100: "extremely"]))

  @Test(
    "Keys become an answer; Return without an entry is none",
    arguments: [
      (.text(maximumLength: 20), "I slept, ps⏎", .text("I slept, ps")),
      (.text(maximumLength: 20), "ab⌫⌫⌫c⏎", .text("c")),
      (.text(maximumLength: 3), "abcd⏎", .text("abc")), (.text(maximumLength: 9), "⏎", nil),
      (.text(maximumLength: 9), "  ⏎", nil),
      (.text(maximumLength: 9), "ü🎵⌫é⏎", .text("üé")), (.text(maximumLength: 9), " a ⏎", .text("a")),
      (.integer(NumberAnswerFormat()), "-12⏎", .integer(-12)),
      (.integer(NumberAnswerFormat()), "1.5p2⏎", .text("1.5p2")), (.integer(NumberAnswerFormat()), "s⏎", .text("s")),
      (.integer(NumberAnswerFormat()), "2.5⏎", .text("2.5")), (.integer(NumberAnswerFormat()), "1e1⏎", .text("1e1")),
      (.integer(NumberAnswerFormat()), "1 2⏎", .text("1 2")), (.integer(NumberAnswerFormat()), "x⌫12⏎", .integer(12)),
      (height, "1/2⏎", .text("1/2")), (height, "6'2⏎", .text("6'2")), (height, "1e3⏎", .text("1e3")),
      (.integer(NumberAnswerFormat()), "00000000000000000000000000001⏎", .text("0000000000000000000000000")),
      (.date(DateAnswerFormat()), "1999-12-311⏎", .text("1999-12-311")), (.time, "8.30⏎", .text("8.30")),
      (.integer(NumberAnswerFormat()), "-⏎", .text("-")), (.integer(NumberAnswerFormat()), "4⌫⏎", nil),
      (height, "1.75⏎", .decimal(1.75)), (height, "1,75⏎", .decimal(1.75)), (height, "2.0⏎", .integer(2)),
      (height, "1.7.5⏎", .text("1.7.5")),
      (.boolean, "↓⏎⏎", .boolean(true)), (.boolean, "2⏎", .boolean(false)), (.boolean, "↑⏎⏎", .boolean(false)),
      (.boolean, "y⏎", .boolean(true)), (.boolean, "N⏎", .boolean(false)), (.boolean, "yn⏎", .boolean(false)),
      (.boolean, "⏎", nil), (hands, "↓↓↓⏎⏎", .text("right")), (hands, "2↑⏎", .text("left")), (hands, "3⏎", nil),
      (players, "↓ ↓↓ ⏎", .choices(["radio", "none"])), (players, " ⏎", nil),
      (players, "  ⏎", .choices(["radio"])), (some, " ⏎", .choices([])), (players, "31⏎", .choices(["radio", "none"])),
      (players, "11⏎", nil), (players, "↓⏎", nil), (some, "⏎", .choices([])),
      (.date(DateAnswerFormat()), "1999-12-31⏎", .text("1999-12-31")), (.date(DateAnswerFormat()), "99⏎", .text("99")),
      (.time, "8:30⏎", .text("08:30")), (.time, "830⏎", .text("830")),
      (scale(1...9), "7⏎", .integer(7)), (scale(1...9), "37⏎", .integer(7)), (scale(1...9), "0⏎", .integer(0)),
      (scale(0...100), "42⏎", .integer(42)), (scale(0...100), "421⏎", .integer(1)),
      (scale(0...100), "42⌫⏎", .integer(4)),
      (scale(1...9), "4⌫⏎", nil), (scale(1...9), "→⏎⏎", .integer(1)), (scale(1...9), "←⏎⏎", .integer(9)),
      (scale(1...9), "→→→←⏎→⏎", .integer(3)), (scale(1...9), "8→→→⏎", .integer(9)),
      (scale(1...9), "3←⏎", .integer(2)), (scale(1...9), "⇱→⏎⏎", .integer(2)), (scale(0...100), "→7⏎", .integer(7)),
      (line, "→⏎⏎", .integer(0)), (line, "↓⏎⏎", .integer(100)), (line, "7⏎", .integer(70)),
      (line, "⇟⏎⏎", .integer(100)), (line, "⇲⇟⏎⏎", .integer(90)), (line, "⇱⇞→⏎⏎", .integer(11)),
      (line, "5⇞←⏎", .integer(59)), (line, "⏎", nil),
      (line, String(repeating: "→", count: 160) + "⏎⏎", .integer(100)),
    ] as [(AnswerFormat, String, AnswerValue?)])
  func answers(format: AnswerFormat, keys: String, value: AnswerValue?) {
    var entry = Self.entry(format)
    let uses = keys.map { entry.take(Self.key($0)) }
    #expect(uses.last == value.map(KeyUse.answers) ?? .unused)
  }

  @Test(
    "Moving alone chooses nothing: Return chooses what the cursor is on, and only then answers",
    arguments: [.boolean, hands, scale(1...9), scale(0...100), line] as [AnswerFormat],
    ["→", "←", "↑", "↓", "⇱", "⇲", "⇞", "⇟", "→→→→→"])
  func moving(format: AnswerFormat, keys: String) {
    var entry = Self.entry(format)
    for key in keys { _ = entry.take(Self.key(key)) }
    #expect(entry.entry.state != .chosen(0))
    if case .chosen(let number) = entry.entry.state { Issue.record("\(number) is chosen") }
    guard entry.entry.state != .untouched else { return }
    #expect(entry.take(.enter) == .used)
    guard case .answers = entry.take(.enter) else {
      Issue.record("no answer")
      return
    }
  }

  @Test("What moves a cursor may be held down, and what chooses or marks may not; all that is typed may")
  func held() {
    let lists = [.boolean, Self.hands, Self.players, Self.scale(0...100), Self.line] as [AnswerFormat]
    for format in lists {
      let entry = Self.entry(format).entry
      for key in "→←↑↓⇱⇲⇞⇟" { #expect(entry.repeats(Self.key(key))) }
      for key in "1 9y⌫" { #expect(!entry.repeats(Self.key(key))) }
    }
    for format in [.text(maximumLength: 9), Self.height, .time] as [AnswerFormat] {
      for key in "l1 ⌫" { #expect(Self.entry(format).entry.repeats(Self.key(key))) }
    }
  }

  @Test(
    "A character that no answer of the kind has is refused with what is needed, until it is taken back",
    arguments: [.integer(NumberAnswerFormat()), height, .date(DateAnswerFormat()), .time] as [AnswerFormat],
    ["p", "s", "x", "ü", " "] as [Character])
  func letters(format: AnswerFormat, letter: Character) {
    var entry = Self.entry(format)
    #expect(entry.take(.letter(letter)) == .used)
    #expect(entry.problem == .wrongType(.text(String(letter))))
    #expect(entry.take(.letter("1")) == .used && entry.problem == .wrongType(.text(String(letter))))
    for _ in 1...2 { #expect(entry.take(.letter("\u{7F}")) == .used) }
    #expect(entry.take(.letter("1")) == .used && entry.problem == nil)
    for key in [OperatorKey.letter("\u{E}"), .letter("\t"), .end] { #expect(entry.take(key) == .unused) }
  }

  @Test("Yes and no have the first letters of the words that are shown, where these differ")
  func initials() {
    var german = ChoiceEntry(yes: "Ja", no: "Nein")
    #expect(german.take(.letter("j")) == .used && german.take(.enter) == .answers(.boolean(true)))
    #expect(german.take(.letter("n")) == .used && german.take(.enter) == .answers(.boolean(false)))
    var odd = ChoiceEntry(yes: "never mind", no: "yonder")
    #expect(odd.take(.letter("n")) == .used && odd.take(.enter) == .answers(.boolean(true)))
  }

  @Test(
    "Every entry fits every width, in rows of one width, before and after keys", arguments: [7, 10, 20, 58, 72, 200])
  func rows(width: Int) {
    let many = AnswerFormat.choice((0..<40).map { AnswerChoice("choice \($0)", text: "日本語 choice number \($0)") })
    for format in [.text(maximumLength: 900), Self.height, Self.hands, Self.players, .boolean, Self.line, many] {
      var entry = Self.entry(format)
      for key in "↓12 ↓⌫→" + String(repeating: "long words ", count: 30) {
        let rows = entry.entry.rows(width: width).rows
        #expect(rows.allSatisfy { $0.displayWidth == rows[0].displayWidth && $0.displayWidth <= width })
        _ = entry.take(Self.key(key))
      }
    }
  }

  @Test("Entries are drawn in ASCII")
  func ascii() {
    for format in [.text(maximumLength: 9), Self.hands, Self.players, .boolean, Self.line, Self.scale(1...9)] {
      var entry = Self.entry(format)
      for key in "↓2 →" {
        #expect(entry.entry.rows(width: 40).rows.allSatisfy { $0.utf8.allSatisfy { $0 < 0x80 } })
        _ = entry.take(Self.key(key))
      }
    }
  }

  @Test("What is drawn shows the entry, and of a line no number")
  func drawn() {
    func rows(_ format: AnswerFormat, _ keys: String) -> [String] {
      var entry = Self.entry(format)
      for key in keys { _ = entry.take(Self.key(key)) }
      return entry.entry.rows(width: 30).rows
    }
    #expect(rows(Self.hands, "↓↓") == [" ( ) left         ", ">( ) The right one"])
    #expect(rows(Self.hands, "↓↓⏎") == [" ( ) left         ", " (x) The right one"])
    #expect(rows(Self.players, "↓ ↓") == [" [x] radio", ">[ ] phone", " [ ] none "])
    #expect(rows(.boolean, "") == [" ( ) Yes", " ( ) No "])
    #expect(rows(Self.height, "1.8") == ["> 1.8_ m"])
    #expect(rows(Self.line, "5←") == ["|-------------#--------------|", "not at all           extremely"])
    #expect(rows(Self.line, "→⇞⇞⇞⇞⇞") == ["|-------------?--------------|", "not at all           extremely"])
  }

  @Test("Hostile text is shown escaped, and characters of any number of code points count as many")
  func hostile() {
    var entry = Self.entry(.text(maximumLength: 100))
    for scalar in "\u{202E}abc\u{200F}".unicodeScalars { #expect(entry.take(.letter(Character(scalar))) == .used) }
    #expect(entry.take(.letter("\u{1B}")) == .unused && entry.take(.letter("\u{9B}")) == .unused)
    for shown in [entry.status] + entry.entry.rows(width: 60).rows {
      #expect(!shown.unicodeScalars.contains { $0 == "\u{202E}" || $0 == "\u{200F}" || $0.value < 0x20 })
    }
    for _ in 0..<1000 { _ = entry.take(.letter("\u{301}")) }
    guard case .answers(.text(let text)) = entry.take(.enter) else {
      Issue.record("no answer")
      return
    }
    #expect(text.unicodeScalars.count == 100 && text.hasPrefix("\u{202E}ab"))
  }

  @Test("A letter beyond the longest text is not left out without a word")
  func full() {
    var entry = Self.entry(.text(maximumLength: 2))
    for letter in "ab" { #expect(entry.take(.letter(letter)) == .used && entry.problem == nil) }
    #expect(entry.take(.letter("c")) == .used && entry.problem == .tooLong(3))
    #expect(entry.take(.letter("\u{7F}")) == .used && entry.problem == nil)
    #expect(entry.take(.letter("c")) == .used && entry.take(.enter) == .answers(.text("ac")))
  }

  @Test("A problem is shown until the next key that changes the entry")
  func problem() {
    var entry = Self.entry(Self.scale(1...9))
    entry.problem = .missing
    #expect(entry.take(.enter) == .unused && entry.problem == .missing)
    #expect(entry.take(.letter("4")) == .used && entry.problem == nil)
  }
}

@Suite("Entering an answer on a line")
struct LineEntryTests {
  @Test(
    "A line is read when it ends",
    arguments: [
      (.scale(ScaleAnswerFormat(minimum: 0, maximum: 100)), "7", .integer(7)),
      (.scale(ScaleAnswerFormat(minimum: 0, maximum: 100)), " 7 ", .integer(7)),
      (.scale(ScaleAnswerFormat(minimum: 0, maximum: 100)), "7.5", .text("7.5")),
      (.scale(ScaleAnswerFormat(minimum: 0, maximum: 100)), "x7", .text("x7")),
      (.text(maximumLength: 90), "p s, and more", .text("p s, and more")), (.boolean, "yes", .boolean(true)),
      (.text(maximumLength: 3), "abcdefgh", .text("abcd")), (.boolean, "", nil), (.boolean, " ", nil),
      (.choice([AnswerChoice("a"), AnswerChoice("b", text: "The b")]), "2", .text("b")),
      (.choice([AnswerChoice("a"), AnswerChoice("b", text: "The b")]), "The b", .text("b")),
      (.choices([AnswerChoice("a"), AnswerChoice("b")], count: 1...2), "2, 1", .choices(["a", "b"])),
      (.choices([AnswerChoice("a"), AnswerChoice("b")], count: 1...2), "2, 3", .text("2, 3")),
      (.choices([AnswerChoice("a"), AnswerChoice("b")], count: 0...2), "", .choices([])),
    ] as [(AnswerFormat, String, AnswerValue?)])
  func line(format: AnswerFormat, line: String, value: AnswerValue?) {
    var entry = LineEntry(Question(identifier: "q", format: format))
    for letter in line { #expect(entry.take(.typed(letter)) == .used) }
    #expect(entry.take(.enter) == value.map(KeyUse.answers) ?? .unused)
    // The next line begins empty.
    _ = entry.take(.typed("1"))
    #expect(entry.take(.enter) == .answers(format.value(of: "1")))
  }

  @Test("At a terminal that cannot be redrawn, letters are part of the answer")
  func commands() {
    var number = LineEntry(Question(identifier: "q", format: .integer(NumberAnswerFormat())))
    #expect(number.take(.letter("p")) == .used && number.take(.enter) == .answers(.text("p")))
    var text = LineEntry(Question(identifier: "q", format: .text(maximumLength: 9)))
    #expect(text.take(.letter("p")) == .used)
  }
}

import Bundles
import Quantities
import Study

/// Turns the keys of a terminal into answers to the screen that is shown.
struct ScreenInput: Sendable {
  private(set) var screen: Screen?
  /// What was entered so far to the question of the screen, where it is drawn.
  private(set) var entry: OpenEntry?
  /// What was entered so far, where lines are read.
  private var line: LineEntry?
  private let readsLines: Bool
  private var firstContact: Moment?
  private var changes = 0

  /// No screen is shown yet.
  ///
  /// - Parameter readsLines: whether answers are read as lines, and not drawn key by key.
  init(readsLines: Bool = false) { self.readsLines = readsLines }

  /// How long a terminal may take to draw what was written to it: assumed, not measured.
  ///
  /// A terminal draws at least 20 times a second.
  static let paintUncertainty = Duration.milliseconds(50)

  /// How long a key may take from the finger to the program: assumed, not measured; nothing where keys come through a pipe.
  ///
  /// It is the time of the keyboard's own scan and of the program's turn.
  static func keyUncertainty(isKeyboard: Bool) -> Duration { isKeyboard ? .milliseconds(20) : .zero }

  /// A further screen is shown.
  ///
  /// - Returns: whether it is another one than before, and not a change of the same.
  mutating func show(_ next: Screen, _ phrases: Phrases = Phrases()) -> Bool {
    let isOther = next.number != screen?.number || next.step != screen?.step
    if isOther {
      entry = readsLines ? nil : next.asked.map { OpenEntry($0, phrases: phrases) }
      line = readsLines ? next.asked.map { LineEntry($0) } : nil
      (firstContact, changes) = (nil, 0)
    }
    if case .refused(let problem, _) = next.notice, next.notice != screen?.notice { entry?.problem = problem }
    screen = next
    return isOther
  }

  /// Forgets the screen.
  mutating func clear() { self = ScreenInput(readsLines: readsLines) }

  /// Whether a key that is held down counts as often as it is repeated; `nil` where none does.
  var repeats: ((OperatorKey) -> Bool)? {
    readsLines ? line.map { _ in { _ in true } } : entry.map { $0.entry.repeats }
  }

  /// Takes a key.
  ///
  /// - Parameters:
  ///   - key: the key.
  ///   - made: when it was pressed.
  ///   - painted: when the screen was painted; `nil` where that is not known.
  ///   - isKeyboard: whether it comes from a keyboard, and not through a pipe.
  /// - Returns: what it means.
  mutating func take(
    _ key: OperatorKey, at made: Moment, painted: Moment?, isKeyboard: Bool = true
  ) -> KeyEffect {
    guard let screen, !screen.isPaused else { return .none }
    func answer(_ deed: ScreenAnswer.Deed) -> KeyEffect {
      .answer(
        ScreenAnswer(
          screen: screen.number, deed,
          AnswerInput(
            painted: painted.map { MeasuredMoment(moment: $0, uncertainty: Self.paintUncertainty) },
            made: MeasuredMoment(moment: made, uncertainty: Self.keyUncertainty(isKeyboard: isKeyboard)),
            device: isKeyboard ? .key : .line, firstContact: firstContact, changes: changes)))
    }
    if key == .letter("\u{E}") { return screen.buttons.contains(.skip) ? answer(.skip) : .none }
    switch screen.entry {
    case .question, .signature:
      switch entry?.take(key) ?? line?.take(key) ?? .unused {
      case .used:
        firstContact = firstContact ?? made
        changes += 1
        return .shown
      case .answers(let value): return answer(.value(value))
      case .unused: return key == .enter ? answer(.goOn) : .none
      }
    case .volume(let gain, let range, let step):
      if let sign = key.volumeChange {
        return answer(.gain(max(range.lowerBound, min(gain + sign * step, range.upperBound))))
      }
    case .side: if let side = key.side { return answer(.side(side)) }
    case .form, .line, nil: break
    }
    return key == .enter && screen.mainButton != nil ? answer(.goOn) : .none
  }
}

extension OperatorKey {
  /// The command that the key gives where letters are commands: to pause, to go on after a pause, and to skip; where a
  /// question is open, letters are its answer.
  package func command(whileAsking isAsking: Bool) -> OperatorCommand? {
    switch self {
    case .letter("\u{10}"): .togglePause
    case .letter("\u{E}"): .skipStep
    case .letter("p"): isAsking ? nil : .togglePause
    case .letter("s"): isAsking ? nil : .skipStep
    default: nil
    }
  }

  /// In which direction the key changes a level; `nil` for one that does not.
  fileprivate var volumeChange: Double? {
    switch self {
    case .arrow(.up), .arrow(.right), .letter("+"), .letter("="): 1
    case .arrow(.down), .arrow(.left), .letter("-"), .letter("−"), .letter("_"): -1
    default: nil
    }
  }

  /// The side that the key means; `nil` for one that means none.
  fileprivate var side: HeadphoneCheckStep.Side? {
    switch self {
    case .arrow(.left), .letter("l"), .letter("L"): .left
    case .arrow(.right), .letter("r"), .letter("R"): .right
    default: nil
    }
  }
}

/// Decides which keys count on a screen: those pressed since it was painted, and of what a terminal repeats while a key is
/// held down only what moves a cursor or is typed.
struct KeyGate: Sendable {
  /// When the screen was painted; `nil` if it was not yet.
  var since: Moment?

  /// Whether a key counts.
  ///
  /// - Parameters:
  ///   - key: the key.
  ///   - made: when it was pressed.
  ///   - repeats: whether a key that is held down counts as often as it is repeated; `nil` where none does.
  /// - Returns: whether it counts.
  func admits(_ key: OperatorKey, at made: Moment, repeats: ((OperatorKey) -> Bool)?) -> Bool {
    guard let since, made >= since else { return false }
    guard case .repeated(let key) = key else { return true }
    return repeats?(key) ?? false
  }
}

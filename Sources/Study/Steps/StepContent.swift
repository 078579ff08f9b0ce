import Basics

/// What a step of some kind does, and what a plan has to know of it.
///
/// A kind of step is one file beside this one and a row in `StepKinds.all`; what it does in a trial is one file in the
/// module that runs sessions.
package protocol StepContent: Hashable, Sendable {
  /// The kind's name in protocols.
  static var kind: String { get }

  /// The properties of ResearchKit's `ORKActiveStep`; `nil` for a step without them.
  var active: ActiveStep? { get }

  /// The same step with other properties of an active step, if it has them.
  func with(_ active: ActiveStep) -> Self

  /// The questions that it always asks of a participant whose rules skip none.
  var questions: [Question] { get }

  /// What it shows to the participant beside the texts of every step; `nil` for what is left out.
  func shownTexts(_ phrases: Phrases) -> [String?]

  /// How long it is likely to take.
  var effort: StepEffort { get }

  /// Whether it waits for Return, before it starts or at its end, when there is a person to press it.
  var waitsForReturn: Bool { get }

  /// Whether it may be shown twice in a trial.
  var isRepeatable: Bool { get }

  /// What it may note in journals and results.
  static var notes: [any StepNote.Type] { get }
}

extension StepContent {
  package var active: ActiveStep? { nil }
  package func with(_ active: ActiveStep) -> Self { self }
  package var questions: [Question] { [] }
  package func shownTexts(_ phrases: Phrases) -> [String?] { questions.flatMap(\.shownTexts) }
  package var effort: StepEffort { .screen }
  package var waitsForReturn: Bool { true }
  package var isRepeatable: Bool { active?.recorderConfigurations.isEmpty ?? true }
  package static var notes: [any StepNote.Type] { [] }
}

/// How long a step is likely to take.
package enum StepEffort: Hashable, Sendable {
  /// As long as a screen is read.
  case screen
  /// As long as it takes to answer a number of questions.
  case questions(Int)
  /// A time that the station or a check needs.
  case check(Duration)
  /// Its own duration.
  case active
  /// As long as what is inside of it.
  case inner
}

/// The kinds of step.
enum StepKinds {
  /// How each kind is read, in the order in which messages list them.
  static let all: [any StepReading.Type] = [
    InstructionStep.self, MusicStep.self, RestStep.self, CountdownStep.self, WalkStep.self, FormStep.self,
    ConsentStep.self, SensorCheckStep.self, VolumeStep.self, HeadphoneCheckStep.self, TrialsStep.self,
    CompletionStep.self,
  ]

  /// Their names in protocols.
  static let names: [String] = all.map { $0.kind }

  /// What the schema of protocols says of each kind: its sentence, and the rows of its keys; `nil` for a kind with a
  /// definition in the schema's file.
  static let schema: [(name: String, summary: String, rows: [String: JSONValue]?)] = all.map { type in
    let rows = type.keys.map { ($0.name, $0.row) }
    let whole = rows.compactMap { name, row in row.map { (name, $0) } }
    return (type.kind, type.summary, whole.count == rows.count ? Dictionary(uniqueKeysWithValues: whole) : nil)
  }

  /// The kind of a name; `nil` for a name that no kind has.
  static func named(_ name: String) -> (any StepReading.Type)? { all.first { $0.kind == name } }
}

/// A step that is a value of an active step and nothing else.
protocol ActiveStepReading: StepReading {
  var activeStep: ActiveStep { get set }
}

extension ActiveStepReading {
  package var active: ActiveStep? { activeStep }
  package func with(_ active: ActiveStep) -> Self {
    var step = self
    step.activeStep = active
    return step
  }
  package var effort: StepEffort { .active }
  package var waitsForReturn: Bool { activeStep.waitsForReturn }
  static var keys: [StepKey] { ActiveStep.keys }
}

/// What steps of a kind may say in a protocol, and how it is read.
protocol StepReading: StepContent {
  /// What such a step does, in a sentence of the protocol's schema.
  static var summary: String { get }

  /// The keys beyond those of every step, in their recommended order.
  static var keys: [StepKey] { get }

  /// The objects inside such a step that only this kind has.
  static var objects: [ProtocolObject] { get }

  /// Reads the kind's own keys; `nil` after reporting a problem.
  static func read(_ object: LocatedObject) -> Self?
}

extension StepReading {
  static var keys: [StepKey] { [] }
  static var objects: [ProtocolObject] { [] }
}

/// A key of a kind of step.
struct StepKey: Sendable, ExpressibleByStringLiteral {
  let name: String
  /// Its row in the schema of protocols; `nil` for a key whose kind has a definition in that file.
  let row: JSONValue?

  /// A key whose kind has a definition in the schema's file.
  init(stringLiteral name: String) { (self.name, row) = (name, nil) }

  private init(_ name: String, _ type: String, _ range: ClosedRange<Double>, _ standard: Double?, _ meaning: String) {
    self.name = name
    var row: [String: JSONValue] = [
      "description": .string(meaning), "type": .string(type), "minimum": .number(range.lowerBound),
      "maximum": .number(range.upperBound),
    ]
    row["default"] = standard.map { .number($0) }
    self.row = .object(row)
  }

  /// A key with a whole number.
  static func whole(
    _ name: String, _ range: ClosedRange<Int>, default standard: Int? = nil, _ meaning: String
  ) -> StepKey {
    let range = Double(range.lowerBound)...Double(range.upperBound)
    return StepKey(name, "integer", range, standard.map(Double.init), meaning)
  }

  static func number(
    _ name: String, _ range: ClosedRange<Double>, default standard: Double? = nil, _ meaning: String
  ) -> StepKey { StepKey(name, "number", range, standard, meaning) }
}

/// One step of a trial, with ResearchKit's property names.
package struct Step: Hashable, Sendable {
  /// The step's identifier, unique in its protocol.
  package var identifier: String

  /// The heading shown to the participant.
  package var title: String?

  /// The text shown below the heading.
  package var text: String?

  /// Smaller print below the text.
  package var detailText: String?

  /// Which picture it shows; `nil` for none.
  var pictureChoice: PictureChoice?

  /// The picture that it shows; `nil` for none, and for that of a trial's condition, which a plan puts in its place.
  package var picture: StudyPicture? { if case .own(let picture) = pictureChoice { picture } else { nil } }

  /// Whether the participant may skip it (`optional` in the file).
  package var isOptional: Bool

  /// The groups whose participants perform it; `nil` for everyone.
  var groups: [String]?

  /// Whether a session that is resumed performs it again, if something after it is left (`repeatOnResume` in the file).
  package var isRepeatedOnResume = false

  /// When it is not shown; `nil` for never.
  var skipWhen: Rule?

  /// Where the trial goes on after it, by the first rule that applies; with the next step if none does.
  var navigation: [NavigationRule]

  /// What the step does.
  package var kind: any StepContent {
    get { held.content }
    set { held = HeldContent(content: newValue) }
  }

  private var held: HeldContent

  /// The kind's name in protocols.
  var kindName: String { type(of: kind).kind }

  package init(
    identifier: String, title: String? = nil, text: String? = nil, detailText: String? = nil, isOptional: Bool = false,
    skipWhen: Rule? = nil, navigation: [NavigationRule] = [], kind: any StepContent
  ) {
    self.identifier = identifier
    self.title = title
    self.text = text
    self.detailText = detailText
    self.isOptional = isOptional
    self.skipWhen = skipWhen
    self.navigation = navigation
    held = HeldContent(content: kind)
  }

  /// The properties of ResearchKit's `ORKActiveStep`; `nil` for a step that only shows text.
  package var active: ActiveStep? { kind.active }

  /// The step with other properties of an active step, if it is one.
  func with(_ active: ActiveStep) -> Step {
    var step = self
    step.kind = kind.with(active)
    return step
  }

  /// Whether the step waits for Return, before it starts or at its end, when there is a person to press it.
  var waitsForReturn: Bool { kind.waitsForReturn }
}

/// A content that can be compared.
private struct HeldContent: Hashable, Sendable {
  let content: any StepContent

  static func == (left: HeldContent, right: HeldContent) -> Bool {
    AnyHashable(left.content) == AnyHashable(right.content)
  }

  func hash(into hasher: inout Hasher) { AnyHashable(content).hash(into: &hasher) }
}

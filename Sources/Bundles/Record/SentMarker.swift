import Basics

/// A marker that another device was given, or was to be given.
package struct SentMarker: Hashable, Sendable, Codable {
  /// What a marker marks.
  package enum Event: String, Hashable, Sendable, CaseIterable, Codable {
    /// The trial began.
    case trial
    /// The trial's condition, at its beginning.
    case condition
    /// A step was shown.
    case step
    /// The stimulus, or the silence in its place, began.
    case onset
    case offset
    /// The trial's last step was left.
    case trialEnd
    /// Something that a later version of the station marks.
    case unknown

    /// Decodes the word.
    package init(from decoder: any Decoder) throws {
      self = Self(rawValue: try decoder.singleValueContainer().decode(String.self)) ?? .unknown
    }
  }

  /// Where it went, as the operator wrote it.
  var output: String
  var event: Event
  /// The code; `nil` for an output without codes.
  var code: Int?
  /// The text; `nil` for an output without texts.
  var text: String?
  /// The step; `nil` for the trial.
  var step: String?
  /// How often the step had been paused before.
  var segment: Int?
  /// When it was due; `nil` where that was when it happened.
  var intended: Duration?
  /// When it was sent: of a code, when its byte was handed to the port; of a pulse or a text, the onset that it carries.
  package var sent: MeasuredTime?
  /// Why it was not sent, or not reset.
  package var failure: String?

  package init(
    output: String, event: Event, code: Int? = nil, text: String? = nil, step: String? = nil, segment: Int? = nil,
    intended: Duration? = nil, sent: MeasuredTime? = nil, failure: String? = nil
  ) {
    (self.output, self.event, self.code, self.text) = (output, event, code, text)
    (self.step, self.segment, self.intended) = (step, segment, intended)
    (self.sent, self.failure) = (sent, failure)
  }
}

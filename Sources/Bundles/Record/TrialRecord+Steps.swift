import Basics
package import Quantities
package import Study

extension TrialRecord {
  /// The answer to a question, with its times since the trial's zero.
  package struct Answer: Hashable, Sendable, Codable {
    /// The step that asked.
    package let step: String
    /// The question's identifier.
    package let question: String
    package let value: AnswerValue
    /// When the question was on the screen: when that was painted, as far as it was measured, else when it was asked.
    package let shown: Duration
    /// When the answer was confirmed.
    package let answered: Duration
    /// How it was entered; `nil` where nothing says so.
    package let input: Input?
    /// How many answers before it the participant went back to, to change them.
    package var revised = 0

    /// What tables call the answer: the step, and the question where it has another name.
    package var name: String { Self.name(step: step, question: question) }

    /// What tables call an answer.
    package static func name(step: String, question: String) -> String {
      step == question ? step : "\(step)_\(question)"
    }
  }

  /// When and how an answer was entered; times are since the trial's zero.
  package struct Input: Hashable, Sendable, Codable {
    /// When the screen with the question was painted; `nil` where that was not measured.
    package let painted: MeasuredTime?
    /// When the input that confirmed the answer was made.
    package let made: MeasuredTime
    package let device: InputDevice
    /// When the entry was touched for the first time; `nil` where the answer was the first contact.
    package let firstContact: Duration?
    /// How often the entry was changed before the answer was confirmed.
    package let changes: Int

    package init(
      painted: MeasuredTime?, made: MeasuredTime, device: InputDevice, firstContact: Duration?, changes: Int
    ) {
      (self.painted, self.made, self.device) = (painted, made, device)
      (self.firstContact, self.changes) = (firstContact, changes)
    }
  }

  /// When a screen of a step was painted, or pictures appeared on it; the time is since the trial's zero.
  package struct Screen: Hashable, Sendable, Codable {
    package let step: String
    /// The identifier of the question on it; `nil` for a screen that asks none.
    package let question: String?
    package let painted: MeasuredTime
    /// The pictures that were painted.
    package let pictures: [Picture]

    package init(step: String, question: String?, painted: MeasuredTime, pictures: [Picture]) {
      (self.step, self.question, self.painted, self.pictures) = (step, question, painted, pictures)
    }
  }

  /// A picture on a screen.
  package struct Picture: Hashable, Sendable, Codable {
    /// The path of its file from the protocol's folder.
    package let file: String
    /// The SHA-256 of its file.
    package let sha256: String
    package let size: PictureSize

    package init(file: String, sha256: String, size: PictureSize) {
      (self.file, self.sha256, self.size) = (file, sha256, size)
    }
  }

  /// What a step noted beside answers, with its time since the trial's zero.
  struct Note: Hashable, Sendable, Codable {
    let step: String
    let time: Duration
    /// The note's name and members.
    let value: NotedValue

    private enum CodingKeys: String, CodingKey {
      case step, value
      case time = "t"
    }
  }

  /// The notes of a type, in the order of time.
  func notes<Value: StepNote>(of type: Value.Type) -> [(step: String, time: Duration, note: Value)] {
    notes.compactMap { note in note.value.value(as: type).map { (note.step, note.time, $0) } }
  }

  /// A tone or a noise of a step.
  struct SoundedTone: Hashable, Sendable, Codable {
    let step: String
    /// Which tone of the step it is.
    let tone: Tone
    /// Its number among the noises of its step; `nil` for a tone that a step has once.
    let number: Int?
    /// When its first frame left the sink.
    let onset: MeasuredTime
    /// When its last frame left the sink; `nil` where that is not known.
    var offset: MeasuredTime?
  }
}

/// The size of a picture as a page has shown it.
package struct PictureSize: Hashable, Sendable, Codable {
  /// In CSS pixels, as the height.
  package let width: Double
  /// In CSS pixels.
  package let height: Double
  /// In millimetres; `nil` where the screen was not measured.
  package let widthInMillimetres: Double?

  private enum CodingKeys: String, CodingKey {
    case width = "width_px"
    case height = "height_px"
    case widthInMillimetres = "width_mm"
  }

  /// A size in CSS pixels, and in millimetres where the screen was measured.
  package init(width: Double, height: Double, widthInMillimetres: Double? = nil) {
    (self.width, self.height, self.widthInMillimetres) = (width, height, widthInMillimetres)
  }
}

/// With what an input was made.
package enum InputDevice: String, Hashable, Sendable, CaseIterable, Codable {
  case key
  /// A mouse, a pen or a trackpad.
  case pointer
  /// A finger on a screen.
  case touch
  /// A line of a program or a file, through a pipe.
  case line
}

/// One recorder of a trial's protocol, the step that it belongs to, and the sensor behind it.
package struct TrialRecorder: Hashable, Sendable, FlatInJSON, CheckedInJSON {
  /// The step's identifier.
  package var step: String
  package var configuration: RecorderConfiguration
  package var sensor: SensorSource
  /// The nominal number of samples per second of its channel; `nil` if it has none.
  package var nominalRate: Double?

  /// What is wrong with numbers of the right type.
  package var jsonProblem: String? {
    guard let nominalRate else { return nil }
    if configuration.quantityType.isWaveform, !WaveformFormat.rates.contains(nominalRate) {
      return "“nominalRate_Hz” is \(nominalRate), which is not a rate of a waveform"
    }
    return nominalRate > 0 ? nil : "“nominalRate_Hz” is \(nominalRate), which is not above zero"
  }

  package var identifier: String { configuration.identifier }

  private enum CodingKeys: String, CodingKey {
    case step, configuration, sensor
    case nominalRate = "nominalRate_Hz"
  }

  /// A recorder.
  package init(step: String, configuration: RecorderConfiguration, sensor: SensorSource, nominalRate: Double? = nil) {
    self.nominalRate = nominalRate
    self.step = step
    self.configuration = configuration
    self.sensor = sensor
  }
}

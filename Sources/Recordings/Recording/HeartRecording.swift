import Basics
import Quantities

/// The heart data of one recorder or file: intervals between beats, heart rates, or both, on one time axis.
///
/// Times are in seconds. In a trial they count from the trial's zero, as the times of its sound do; in another file
/// they count from the file's beginning.
package struct HeartRecording: Sendable {
  /// The path as given by the caller.
  package var path: String

  /// The recorder's identifier; `nil` for a file from outside a trial.
  package var recorder: String?

  /// The identifiers of all recorders whose samples it holds; none of a file from outside a trial.
  package var recorders: [String]

  /// The sensor's name; `nil` if the file does not contain it.
  package var sensor: String?

  /// The intervals between beats; `nil` if none were recorded.
  package var beats: IntervalSeries?

  /// The sensor's own heart rates; empty if none were recorded.
  package var rates: HeartRates

  package var caveats: [RecordingCaveat]

  /// How its beats were found in a waveform; `nil` for those that were recorded.
  package var detection: BeatDetection?

  /// Whether the file has times, beside which wrong intervals would be noticed.
  package var hasTimes = true

  /// Whether the header of its file says that the data are simulated.
  package var isInSimulatedFile = false

  /// Whether it is of a simulated sensor, by the sensor's name or the header of its file.
  package var isSimulated: Bool { isInSimulatedFile || sensor?.namesSimulation ?? false }

  /// The names of a table's ignored columns.
  package var unreadColumns: [String] = []

  package init(
    path: String, recorder: String? = nil, sensor: String? = nil, beats: IntervalSeries? = nil,
    rates: HeartRates = HeartRates(), caveats: [RecordingCaveat] = []
  ) {
    self.path = path
    self.recorder = recorder
    recorders = recorder.map { [$0] } ?? []
    self.sensor = sensor
    self.beats = beats
    self.rates = rates
    self.caveats = caveats
    if let tooLong = beats?.tooLong, tooLong > 0 { self.caveats.append(.intervalsTooLong(count: tooLong)) }
  }

  /// Creates a recording without samples.
  package static func nothing(_ path: String, caveats: [RecordingCaveat] = []) -> HeartRecording {
    HeartRecording(path: path, caveats: [.noSamples] + caveats)
  }

  /// Whether it has no samples.
  package var isEmpty: Bool { (beats?.count ?? 0) == 0 && rates.values.isEmpty }

  /// How the items of a heart file are grouped into recordings.
  package enum Grouping: Hashable, Sendable {
    /// One recording for each recorder, with that recorder's items.
    case recorder
    /// One recording for each sensor, with the items of all its recorders, each sample once.
    case sensor
  }
}

/// The properties of a file that its content does not declare.
package struct ReadingOptions: Hashable, Sendable {
  /// The unit of intervals between beats; `nil` for the unit in the column's name, otherwise milliseconds.
  ///
  /// An explicit unit is accepted as long as any heart could beat at that rate.
  package var intervalUnit: TimeUnit?

  /// The unit of a table's times; `nil` for the unit in the column's name, otherwise seconds.
  ///
  /// Explicit seconds are accepted, however far apart the times are.
  package var timeUnit: TimeUnit?

  /// How many samples a second beats or intervals count that have no unit; `nil` if they do not count samples.
  var samplingRate: Double?

  /// How the items of a heart file are grouped into recordings.
  package var grouping: HeartRecording.Grouping

  /// How beats are looked for in waveforms; `nil` to read those that were recorded.
  package var detection: Detection?

  /// Which people's corrections of a bundle's beats are used.
  package var corrections: CorrectionChoice

  /// How beats are looked for in waveforms.
  package struct Detection: Hashable, Sendable {
    /// The channel of a waveform, or the name of a signal in a file; `nil` for the first that can have heartbeats.
    package var channel: String?

    package init(channel: String? = nil) { self.channel = channel }
  }

  /// Creates options; the defaults declare nothing.
  package init(
    intervalUnit: TimeUnit? = nil, timeUnit: TimeUnit? = nil, samplingRate: Double? = nil,
    grouping: HeartRecording.Grouping = .sensor, detection: Detection? = nil, corrections: CorrectionChoice = .all
  ) {
    self.samplingRate = samplingRate
    self.intervalUnit = intervalUnit
    self.timeUnit = timeUnit
    self.grouping = grouping
    self.detection = detection
    self.corrections = corrections
  }

  /// A unit of time in files.
  package typealias TimeUnit = Recordings.TimeUnit
}

/// Which people's corrections of beats are used.
package enum CorrectionChoice: Hashable, Sendable {
  case all
  /// None: the beats are used as they were recorded.
  case none
  /// Those of one author.
  case author(String)
}

extension CorrectionChoice: CustomStringConvertible {
  /// `all`, `none`, or what is read as anything else: the name of an author.
  package init(_ text: String) {
    switch text {
    case "all": self = .all
    case "none": self = .none
    default: self = .author(text)
    }
  }

  /// The choice as written on a command line.
  package var description: String {
    switch self {
    case .all: "all"
    case .none: "none"
    case .author(let name): name
    }
  }
}

/// Why a recording cannot be read, with the place and advice.
package enum RecordingError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The file cannot be read, or contains no recording.
  case unreadable(path: String, reason: String)
  /// The folder is not a bundle; the message comes from the code that opens bundles.
  case bundle(String)
  /// The folder is not a bundle, and contains none.
  case noTrials(path: String)

  /// A sentence for the operator.
  package var description: String {
    switch self {
    case .unreadable(let path, let reason): "“\(path.visible)” cannot be read: \(reason)"
    case .bundle(let error): error
    case .noTrials(let path):
      "“\(path.visible)” is neither a bundle nor a results folder, and holds no bundles; name a trial's bundle, or the folder that "
        + "“station run --results” was given"
    }
  }
}

package import Analysis
import Basics
import Bundles
import Quantities
import Recordings
import Study

/// A trial as exports take it: its bundle with everything that was recorded but waveforms, which stay in the bundle.
struct ExportedTrial: Sendable {
  let bundle: Bundle
  /// The trial's place among those of its participant.
  let place: TrialPlace
  /// What is known of it besides its samples.
  let facts: TrialFacts
  /// What was recorded of a heart, by sensor.
  let hearts: [Recording]
  /// What was recorded of other quantities, by sensor.
  let channels: [ChannelRecording]

  let pseudonymisation: Pseudonymisation
  /// The words of its protocol; read where answers in other words are left out.
  let words: ProtocolWords?

  /// What the bundle's result says.
  var record: TrialRecord { bundle.record }

  /// Reads a trial.
  ///
  /// - Parameters:
  ///   - place: the trial's place among those of its participant.
  ///   - pseudonymisation: the pseudonymisation to apply.
  ///   - corrections: which people's corrections of beats are used.
  /// - Throws: `BundleError`, and `RecordingError` also for a heart file that is not the one that the manifest lists: an
  ///   export holds nothing that `station verify` would refuse.
  init(
    _ place: TrialPlace, _ pseudonymisation: Pseudonymisation = .none, corrections: CorrectionChoice = .all
  ) throws {
    (self.place, self.pseudonymisation) = (place, pseudonymisation)
    bundle = try Bundle(place.path)
    facts = TrialFacts(bundle.record)
    guard Self.isPlain(facts.trial) else {
      throw BundleError.unreadable(
        path: place.path, reason: "its trial is called “\(facts.trial.visible)”, which is not an identifier of a trial")
    }
    let hearts = try Recording.read(bundle, ReadingOptions(corrections: corrections))
    if let caveat = hearts.lazy.flatMap(\.caveats).first(where: { $0.isOfChangedFile }) {
      throw RecordingError.unreadable(path: place.path, reason: "\(caveat.wording)")
    }
    self.hearts = hearts.filter { !$0.isEmpty }
    channels = try ChannelRecording.read(bundle)
    words = pseudonymisation.isActive && !bundle.record.answers.isEmpty ? ProtocolWords(bundle) : nil
  }

  /// Whether an identifier may be the name of a file or folder.
  private static func isPlain(_ identifier: String) -> Bool {
    !identifier.isEmpty && identifier.utf8.count <= 64
      && identifier.unicodeScalars.allSatisfy {
        $0.isASCII && ($0.properties.isAlphabetic || "0123456789-_".unicodeScalars.contains($0))
      }
  }

  /// The participant's code, or the pseudonym.
  var participant: String { pseudonymisation.participant(facts.participant) }

  /// The trial's identifier, or its pseudonym.
  var identifier: String { pseudonymisation.identifier(facts.trial) }

  /// When it began.
  var start: WallTime { pseudonymisation.time(record.startDate, of: facts.participant) }

  /// The station's time zone; `nil` where it is not known, and where it is hidden as what says where a person lives.
  var timeZone: String? { pseudonymisation.isActive ? nil : record.station.timeZone }

  /// A time by the station's clocks on the wall, with its offset from UTC; `nil` without a time zone.
  func localTime(_ time: WallTime) -> String? { pseudonymisation.isActive ? nil : record.station.zone?.precise(time) }

  /// Which people's corrections of a heart's beats are used; `nil` for none.
  ///
  /// With pseudonyms no one is named.
  func corrections(of heart: Recording) -> String? {
    guard let corrections = heart.corrections, let caption = corrections.caption else { return nil }
    return pseudonymisation.isActive ? corrections.used.count.counted("correction") : caption
  }

  /// The same of all hearts of the trial.
  var corrections: String? {
    let texts = hearts.compactMap(corrections)
    return texts.isEmpty ? nil : texts.joined(separator: "; ")
  }

  /// The SHA-256 of a bundle's corrections; `nil` where there are none, or they are not used.
  static func correctionsDigest(ofBundle path: String, _ choice: CorrectionChoice) -> String? {
    let file = CorrectionsFile(ofBundle: path)
    return choice == .none || !file.isThere ? nil : try? File.digest(of: file.path).sha256
  }

  /// What is to be said of corrections that are not used; sentences.
  var correctionNotes: [String] {
    hearts.flatMap { $0.corrections?.caveats ?? [] }.compactMap { caveat in
      switch caveat {
      case .correctionsMisfit, .correctionsUnread, .notCorrected: "“\(place.path)”: \(caveat)"
      default: nil
      }
    }
  }

  /// The name of a sensor; with pseudonyms its recorder's identifier, since the name may be that of a device.
  func sensor(_ name: String?) -> String? {
    guard pseudonymisation.isActive else { return name }
    return record.recordings.first { $0.recorder.sensor.name == name }?.recorder.identifier
  }

  /// The step during which a time lies, by the times at which steps were shown and left; `nil` between steps.
  func step(at time: Double) -> String? {
    facts.steps.last { $0.shown <= time && $0.left.map { time < $0 } ?? true }?.identifier
  }
}

extension RecordingCaveat {
  /// Whether the file is not the one that the trial was finished with.
  fileprivate var isOfChangedFile: Bool {
    switch self {
    case .heartFileChanged, .samplesMissing: true
    default: false
    }
  }
}

/// The trials that an export takes, and what is to be said of the others.
package struct ExportSelection: Sendable {
  /// The trials with their places.
  let order: TrialChronology
  /// What cannot be read; sentences.
  let problems: [String]

  /// Finds the trials of results folders and bundles.
  ///
  /// - Parameters:
  ///   - operands: results folders and bundles.
  ///   - selection: which of their trials are taken.
  /// - Throws: `NoTrialChosen` if nothing is selected.
  package init(_ operands: [String], _ selection: TrialSelection) async throws {
    var paths: [String] = []
    var problems: [String] = []
    for operand in operands {
      do throws(RecordingError) {
        paths += try TrialPaths.expand(operand)
      } catch {
        problems.append("\(error)")
      }
    }
    order = await TrialChronology.read(paths, selection)
    self.problems = problems + order.problems
    if problems.isEmpty { try order.requireChosen() }
  }

  /// What people are told about the choice: trials that count once, or not at all.
  package var notes: [String] { order.notes }
}

/// The words of a protocol: what an answer may say that is not in the participant's own words.
struct ProtocolWords: Sendable {
  private var words: Set<String> = []

  /// Reads the protocol of a bundle; one that cannot be read has no words.
  init(_ bundle: Bundle) {
    guard let bytes = try? File.contents(of: bundle.protocolFile, limit: 64 << 20),
      let document = try? JSONReader.read(bytes).value
    else { return }
    collect(document)
  }

  private mutating func collect(_ value: JSONValue) {
    switch value {
    case .string(let text): words.insert(text)
    case .array(let items): for item in items { collect(item) }
    case .object(let members): for member in members.values { collect(member) }
    case .null, .bool, .number: break
    }
  }

  /// Whether an answer holds only numbers and choices of the protocol.
  func says(_ answer: AnswerValue) -> Bool {
    switch answer {
    case .text(let text): words.contains(text)
    case .choices(let choices): choices.allSatisfy(words.contains)
    case .integer, .decimal, .boolean: true
    }
  }
}

/// Places the frames of a waveform on an even grid, for files that have no time of each frame.
///
/// Every frame is kept, in its order. A sensor's clock is some parts per million off its nominal rate, and the estimate of
/// its delay moves the times of later frames by milliseconds: both are no missing frames, and are in ``rate`` instead.
struct FrameGrid: Sendable {
  /// A later frame than this, in seconds, comes after missing ones.
  static let tolerance = 0.05
  /// The most that a sensor's rate is believed to differ from the nominal one, as a share.
  private static let deviation = 0.02

  private let nominal: Double
  /// The time of the first frame; `nil` before it.
  private(set) var start: Double?
  /// The number of frames so far, missing ones included.
  private(set) var count = 0
  private var last = 0.0

  /// An empty grid for a nominal rate, in frames per second.
  init(rate: Double) { nominal = rate }

  /// Takes the next frame.
  ///
  /// - Parameter time: the frame's time in seconds.
  /// - Returns: how many frames are missing before it.
  mutating func take(_ time: Double) -> Int {
    let late = start == nil ? 0 : time - last - 1 / nominal
    let missing = late > Self.tolerance ? Int((late * nominal).rounded()) : 0
    start = start ?? time
    last = time
    count += missing + 1
    return missing
  }

  /// The frames per second from the first to the last; the nominal rate where they differ by less than half a frame.
  var rate: Double {
    guard let start, last > start else { return nominal }
    let steps = Double(count - 1)
    let measured = steps / (last - start)
    let isNominal = (steps / nominal - (last - start)).magnitude * nominal < 0.5
    return isNominal || (measured / nominal - 1).magnitude > Self.deviation ? nominal : measured
  }
}

package import Basics
package import Bundles
package import Recordings

/// The beats of a sensor, or of one recorder, in a bundle as a person looks at them and corrects them.
///
/// It describes a tachogram (``json(_:)``), and appends corrections to the file beside the bundle, each checked against those that
/// are there already.
package struct BeatEditor: Sendable {
  /// The data as they were recorded.
  package let recording: Recording
  /// Whose corrections are seen, and those that a new one must fit.
  package let choice: CorrectionChoice
  private let file: CorrectionsFile
  private let sha256: String
  /// When each recorder recorded, in seconds.
  private let spans: [(recorder: String, times: [ClosedRange<Double>])]

  /// Opens the beats of a bundle.
  ///
  /// - Parameters:
  ///   - path: the bundle's folder.
  ///   - sensor: the sensor's name; `nil` for the only one.
  ///   - recorder: the identifier of one of its recorders; `nil` for all of them together.
  ///   - detection: the channel of a waveform in which beats are looked for; `nil` for the beats of a sensor.
  ///   - choice: whose corrections are seen: with one author's alone, two people correct without knowing of each other.
  /// - Throws: `BeatEditorError`, and read errors.
  package init(
    bundle path: String, sensor: String? = nil, recorder: String? = nil, detection: ReadingOptions.Detection? = nil,
    choice: CorrectionChoice = .all
  ) throws {
    // A file from outside a trial has no place beside it for corrections.
    guard Folder.isFolder(path) else { throw BeatEditorError.noBundle(path: path) }
    let bundle = try Bundle(path)
    let recordings = try RecordingChoice(
      sensor: sensor, recorder: recorder, events: [.stimulus],
      reading: ReadingOptions(
        grouping: recorder == nil ? .sensor : .recorder, detection: detection, corrections: .none)
    ).recordings(of: path).filter { !$0.heart.recorders.isEmpty && !$0.isEmpty }
    guard let recording = recordings.first else { throw BeatEditorError.noHeart(path: path) }
    guard recordings.count == 1 else {
      throw BeatEditorError.several(path: path, recordings.compactMap(\.heart.recorder))
    }
    self.recording = recording
    self.choice = choice
    file = CorrectionsFile(ofBundle: path)
    sha256 = try recording.dataDigest(bundle, isWaveform: detection != nil)
    spans = bundle.record.recordings.map { one in
      (one.recorder.identifier, one.segments.map { $0.from.seconds...$0.to.seconds })
    }
  }

  /// What a correction at a time is made on: the data of the recorder that recorded then.
  private func basis(at time: Double) -> Correction.Basis {
    let own = spans.filter { recording.heart.recorders.contains($0.recorder) }
    let recorder = own.first { $0.times.contains { $0.contains(time) } }?.recorder
    return recording.basis(recorder ?? recording.heart.recorders[0], sha256: sha256)
  }

  // MARK: Looking

  /// The author whose corrections alone are seen.
  private var author: String? { if case .author(let name) = choice { name } else { nil } }

  /// The recording with the corrections that are there, and its beats.
  private func applied(_ corrections: Corrections) -> (recording: Recording, edited: EditedBeats) {
    var recording = recording
    let seen = choice == .none ? Corrections([]) : corrections
    let edited = recording.apply(ChosenCorrections(seen, of: author), sha256: sha256)
    return (recording, edited)
  }

  /// The corrections of the beats, and what became of them.
  ///
  /// - Throws: `FileError` for a file that cannot be read.
  package func corrections() throws(FileError) -> AppliedCorrections? { applied(try file.read()).recording.corrections }

  /// The recording as it is corrected.
  ///
  /// - Throws: `FileError` for a file of corrections that cannot be read.
  package func corrected() throws(FileError) -> Recording { applied(try file.read()).recording }

  /// The times of its beats as they are corrected, in seconds, without those in unusable stretches.
  func beatTimes() throws(FileError) -> [Double] {
    let edited = applied(try file.read()).edited
    return edited.beats.map(\.time).filter { edited.isUsable($0, $0) }
  }

  /// The tachogram for an editor: every beat with its interval, the artefacts that were found, unusable stretches and
  /// corrections; of the form `station.beats/1`.
  ///
  /// - Parameter correction: how artefacts are found.
  /// - Returns: the document, which `protocols/answers.schema.json` describes.
  /// - Throws: `FileError` for a file of corrections that cannot be read.
  package func json(_ correction: ArtefactCorrection = .lipponenTarvainen) throws(FileError) -> JSONValue {
    let (corrected, edited) = applied(try file.read())
    let raw = recording.heart.beats ?? IntervalSeries([])
    let series = edited.series(raw)
    var kinds: [Int: Artefact] = [:]
    for artefact in correction.correct(series).artefacts where kinds[artefact.index] == nil {
      kinds[artefact.index] = artefact
    }
    var (beats, count): ([JSONValue], Int) = ([], 0)
    var previous: EditedBeats.Beat?
    for beat in edited.beats {
      let interval = previous.flatMap { edited.interval(from: $0, to: beat, raw) }
      let artefact = interval == nil ? nil : kinds[count]
      if interval != nil { count += 1 }
      beats.append([
        "t_ns": .integer(Int((beat.time * 1e9).rounded())), "interval_ms": .finite(interval?.milliseconds),
        "artefact": .text(artefact?.kind.rawValue), "edit": beat.edit.map { .integer($0) } ?? nil,
        "isSettled": .bool(interval?.isSettled ?? false),
      ])
      previous = beat
    }
    let nanoseconds: (Double) -> JSONValue = { .integer(Int(($0 * 1e9).rounded())) }
    return [
      "format": "station.beats/1", "path": .string(recording.heart.path),
      "trial": .text(recording.trial?.trial), "sensor": .text(recording.heart.sensor),
      "simulated": .bool(recording.isSimulated),
      "recorders": .array(recording.heart.recorders.map { .string($0) }), "sha256": .string(sha256),
      "detector": .text(recording.heart.detection?.detector), "channel": .text(recording.heart.detection?.channel),
      "view": .string("\(choice)"), "tolerance_ns": nanoseconds(EditedBeats.tolerance),
      "artefacts": .string("\(correction)"), "beats": .array(beats),
      "rates": .array(
        zip(corrected.heart.rates.times, corrected.heart.rates.values).map {
          ["t_ns": nanoseconds($0.0), "rate_per_min": .finite($0.1)]
        }),
      "unusable": .array(
        edited.unusable.map { ["from_ns": nanoseconds($0.lowerBound), "to_ns": nanoseconds($0.upperBound)] }),
      "corrections": corrected.corrections?.json ?? nil,
    ]
  }

  // MARK: Correcting

  /// Appends a correction; on the disk when this returns.
  ///
  /// - Parameters:
  ///   - edit: what is to be done.
  ///   - reason: why.
  ///   - author: the name of the person who signs it.
  ///   - time: when it is made.
  /// - Returns: the correction.
  /// - Throws: `BeatEditorError` for one that does not fit the beats as they are corrected so far; `LockError` and
  ///   `FileError`.
  package func add(
    _ edit: Correction.Edit, reason: String?, by author: String, at time: WallTime = .now
  ) throws -> Correction {
    guard CorrectionChoice(author) == .author(author) else { throw BeatEditorError.reserved(author) }
    guard choice == .all || choice == .author(author) else { throw BeatEditorError.notSeen(author, choice) }
    return try file.append { corrections in
      let made = Correction(
        number: corrections.nextNumber, time: time, author: author, reason: reason,
        basis: basis(of: edit, corrections), edit: edit)
      if let problem = made.jsonProblem { throw BeatEditorError.faulty(problem) }
      let entry = applied(corrections.with(made)).recording.corrections?.entries.last {
        $0.correction.number == made.number
      }
      // An entry of another recorder is none of these beats.
      if case .undo(let number) = edit,
        entry == nil || Corrections.undone(corrections.of(self.author)).contains(number)
      {
        throw BeatEditorError.misfit(edit, .nothingToUndo(number: number))
      }
      switch entry?.state {
      case .misfit(let misfit): throw BeatEditorError.misfit(edit, misfit)
      case .repeats(let number): throw BeatEditorError.misfit(edit, .changedBefore(by: number))
      case .applied, .undone, nil: return made
      }
    }
  }

  /// What an edit is made on; an undo on what it undoes.
  private func basis(of edit: Correction.Edit, _ corrections: Corrections) -> Correction.Basis {
    switch edit {
    case .deleteBeat(let time), .insertBeat(let time): basis(at: time.seconds)
    case .moveBeat(let from, _), .unusable(let from, _): basis(at: from.seconds)
    case .undo(let number): corrections.all.first { $0.number == number }?.basis ?? basis(at: 0)
    case .reviewed, .unknown: recording.basis(recording.heart.recorders[0], sha256: sha256)
    }
  }
}

extension Recording {
  /// The SHA-256 of the file that its data are in.
  fileprivate func dataDigest(_ bundle: Bundle, isWaveform: Bool) throws -> String {
    guard isWaveform else { return try bundle.openHeart().digest().sha256 }
    let waveform = WaveformRecording.all(of: bundle).first { $0.recorder == heart.recorder }
    return try waveform?.digest() ?? ""
  }
}

/// Why beats cannot be corrected.
package enum BeatEditorError: Error, Hashable, CustomStringConvertible {
  /// It is no bundle, beside which corrections could lie.
  case noBundle(path: String)
  /// The bundle has no heart data.
  case noHeart(path: String)
  /// Several sensors have heart data; with their recorders.
  case several(path: String, [String])
  /// A name stands for something else where authors are chosen.
  case reserved(String)
  /// The author's corrections are not among those that are seen.
  case notSeen(String, CorrectionChoice)
  /// The correction itself is not valid.
  case faulty(String)
  /// The correction does not fit.
  case misfit(Correction.Edit, CorrectionMisfit)

  /// What failed, why, and what to do.
  package var description: String {
    switch self {
    case .noBundle(let path): "“\(path.visible)” is not a bundle; corrections lie beside bundles"
    case .noHeart(let path): "“\(path.visible)” has no heart data; “--detect” looks for beats in its waveforms"
    case .several(let path, let names):
      "“\(path.visible)” has heart data of \(names.count) sensors; choose one with --sensor or --recorder: "
        + "\(Spelling.list(names))"
    case .reserved(let name): "“\(name)” cannot be an author: “--corrections \(name)” has another meaning"
    case .notSeen(let name, let choice):
      "“\(name)” cannot correct beats that are shown with “--corrections \(choice)”; take “all”, or “\(name)”"
    case .faulty(let problem): "cannot correct the beats: \(problem)"
    case .misfit(let edit, let misfit):
      "cannot correct the beats (\(edit)): \(misfit) “station corrections\(edit.needsReason ? " --beats" : "")” lists the "
        + "\(edit.needsReason ? "beats" : "corrections")"
    }
  }
}

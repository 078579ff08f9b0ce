import Basics
import Bundles
import Recordings

/// The corrections beside a bundle that were asked for.
struct ChosenCorrections {
  let corrections: [Correction]
  /// The lines of the file that are no corrections.
  let unread: [String]
  /// The author whose corrections alone were asked for; `nil` for all.
  let author: String?

  /// All corrections, or those of one author.
  init(_ corrections: Corrections, of author: String?) {
    self.corrections = corrections.of(author)
    (unread, self.author) = (corrections.problems, author)
  }

  /// Reads them; `nil` where there are none to say anything of.
  ///
  /// - Throws: `RecordingError` for a file that cannot be read.
  init?(_ choice: CorrectionChoice, besides bundle: String) throws(RecordingError) {
    let author: String?
    switch choice {
    case .none: return nil
    case .all: author = nil
    case .author(let name): author = name
    }
    let file = CorrectionsFile(ofBundle: bundle)
    do throws(FileError) {
      self.init(try file.read(), of: author)
    } catch {
      throw .unreadable(
        path: file.path, reason: "\(error); “--corrections none” uses the beats as they were recorded")
    }
    if author == nil, corrections.isEmpty, unread.isEmpty { return nil }
  }
}

extension Recording {
  /// The data of a recorder that corrections are made on, by the digest of their file.
  func basis(_ recorder: String, sha256: String) -> Correction.Basis {
    Correction.Basis(
      recorder: recorder, sha256: sha256, detector: heart.detection?.detector, channel: heart.detection?.channel)
  }

  /// Applies corrections to the beats and the sensor's heart rates.
  ///
  /// - Parameters:
  ///   - chosen: the corrections of the bundle; those of other recorders are left aside.
  ///   - sha256: the digest of the file that the recording was read from.
  /// - Returns: the beats while they were edited; `nil` for a recording without any.
  @discardableResult
  mutating func apply(_ chosen: ChosenCorrections, sha256: String) -> EditedBeats {
    let raw = heart.beats ?? IntervalSeries([])
    let own = chosen.corrections.filter { heart.recorders.contains($0.basis.recorder) }
    let undone = Corrections.undone(own)
    var edited = EditedBeats(raw, extent: extent ?? 0...0)
    var entries: [AppliedCorrections.Entry] = []
    for correction in own {
      func state() -> AppliedCorrections.State {
        if undone.contains(correction.number) { return .undone }
        do throws(CorrectionMisfit) {
          try check(correction, own, sha256)
          try edited.apply(correction.edit, number: correction.number)
          return .applied
        } catch {
          let same = entries.first { $0.state == .applied && correction.edit.isLike($0.correction.edit) }
          return same.map { .repeats($0.correction.number) } ?? .misfit(error)
        }
      }
      entries.append(AppliedCorrections.Entry(correction: correction, state: state()))
    }
    let applied = AppliedCorrections(entries: entries, unread: chosen.unread, author: chosen.author)
    corrections = applied
    if !applied.used.isEmpty {
      if heart.beats != nil { heart.beats = edited.series(raw) }
      heart.rates = HeartRates(
        zip(heart.rates.times, heart.rates.values).filter { time, _ in edited.isUsable(rateAt: time) }
          .map { (time: $0.0, value: $0.1) })
      heart.caveats.removeAll { if case .gaps = $0 { true } else { false } }
      heart.caveats += [heart.beats?.gapCaveat].compactMap(\.self)
    }
    heart.caveats += applied.caveats
    return edited
  }

  /// Checks whether a correction was made on these data, and is not left over.
  private func check(
    _ correction: Correction, _ own: [Correction], _ sha256: String
  ) throws(CorrectionMisfit) {
    switch correction.edit {
    case .undo(let number):
      guard own.contains(where: { $0.number == number && number < correction.number }) else {
        throw .nothingToUndo(number: number)
      }
      return
    case .reviewed:
      let later = own.last { $0.number > correction.number && $0.edit != .reviewed }
      if let later { throw .editedSince(by: later.number) }
    default: break
    }
    let now = basis(correction.basis.recorder, sha256: sha256)
    guard correction.basis.sha256 == now.sha256 else { throw .otherData }
    // A stretch is of the signal, whatever beats are found in it.
    guard correction.edit.stretch != nil || correction.basis == now else {
      throw .otherDetector(made: correction.basis.origin, now: now.origin)
    }
  }
}

extension Correction.Basis {
  /// Where the beats come from, in words.
  fileprivate var origin: String {
    detector.map { "\($0) in “\(channel ?? "")”" } ?? "the sensor"
  }
}

extension Correction.Edit {
  /// Whether another edit does the same, within the tolerance of times.
  func isLike(_ other: Correction.Edit) -> Bool {
    func isNear(_ times: (Duration, Duration)...) -> Bool {
      times.allSatisfy { ($0.seconds - $1.seconds).magnitude <= EditedBeats.tolerance }
    }
    return switch (self, other) {
    case (.deleteBeat(let one), .deleteBeat(let two)), (.insertBeat(let one), .insertBeat(let two)):
      isNear((one, two))
    case (.moveBeat(let from, let to), .moveBeat(let from2, let to2)),
      (.unusable(let from, let to), .unusable(let from2, let to2)):
      isNear((from, from2), (to, to2))
    default: false
    }
  }
}

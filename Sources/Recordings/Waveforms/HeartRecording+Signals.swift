import Basics

extension HeartRecording {
  /// The beats that a file of signals marks.
  ///
  /// - Throws: ``RecordingError`` for a file without such marks, whose beats have to be detected.
  static func annotated(_ file: SignalFile) throws(RecordingError) -> HeartRecording {
    let (beats, caveats) = try file.annotatedBeats()
    guard beats.count > 1 else {
      throw .unreadable(
        path: file.path,
        reason: file.channels.isEmpty
          ? "it is \(file.format) without signals, and marks no beats"
          : "it is \(file.format) with the samples of \(file.names), and marks no beats; “--detect” finds them in an "
            + "electrocardiogram or a pulse wave")
    }
    var recording = HeartRecording(
      path: file.path, sensor: "annotations", beats: IntervalSeries(beats: beats), caveats: file.caveats + caveats)
    recording.isInSimulatedFile = file.isSimulated
    return recording
  }
}

extension SignalFile {
  /// The times of the beats that it marks, in seconds, each once, and the caveats on them.
  package func annotatedBeats() throws(RecordingError) -> (times: [Double], caveats: [RecordingCaveat]) {
    var beats: [Double] = []
    let (all, isWhole) = try annotations()
    for mark in all where mark.isBeat && mark.time > beats.last ?? -.infinity { beats.append(mark.time) }
    return (beats, isWhole ? [] : [.annotationsCut(at_s: all.last?.time ?? 0)])
  }

  /// The names of its first signals, in quotation marks.
  package var names: String { channels.prefix(12).map { "“\($0.label.visible)”" }.joined(separator: ", ") }
}

extension IntervalSeries {
  /// The longest interval between two beats without one missing, in seconds.
  private static let maxStep = 3.0

  /// The intervals between beats.
  ///
  /// - Parameter beats: the times of the beats in seconds, ascending.
  package init(beats: [Double]) {
    let intervals = zip(beats.dropFirst(), beats).map { $0 - $1 <= Self.maxStep ? ($0 - $1) * 1000 : .nan }
    self.init(Array(intervals), ends: Array(beats.dropFirst()), gapTolerance: BeatPlacement.maxSlip)
  }
}

import Basics

extension HeartRecording {
  /// The beats that a file of signals marks.
  ///
  /// - Throws: ``RecordingError`` for a file without such marks, whose beats have to be detected.
  static func annotated(_ file: SignalFile) throws(RecordingError) -> HeartRecording {
    let beats = try file.annotatedBeats()
    guard beats.count > 1 else {
      let names = file.channels.prefix(12).map { "“\($0.label.visible)”" }.joined(separator: ", ")
      throw .unreadable(
        path: file.path,
        reason: "it is \(file.format) with the samples of \(names), and marks no beats; “--detect” finds them in an "
          + "electrocardiogram or a pulse wave")
    }
    return HeartRecording(path: file.path, sensor: "annotations", beats: IntervalSeries(beats: beats))
  }
}

extension SignalFile {
  /// The times of the beats that it marks, in seconds, each once.
  package func annotatedBeats() throws(RecordingError) -> [Double] {
    var beats: [Double] = []
    for mark in try annotations() where mark.isBeat && mark.time > beats.last ?? -.infinity { beats.append(mark.time) }
    return beats
  }
}

extension IntervalSeries {
  /// The longest interval between two beats without one missing, in seconds.
  private static let longestStep = 3.0

  /// The intervals between beats.
  ///
  /// - Parameter beats: the times of the beats in seconds, ascending.
  package init(beats: [Double]) {
    let intervals = zip(beats.dropFirst(), beats).map { $0 - $1 <= Self.longestStep ? ($0 - $1) * 1000 : .nan }
    self.init(Array(intervals), ends: Array(beats.dropFirst()), gapTolerance: BeatPlacement.longestSlip)
  }
}

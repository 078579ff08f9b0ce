import Basics
package import Bundles

extension Recording {
  /// What the items of a heart file are put together by.
  package enum Grouping: Hashable, Sendable {
    /// A recording for each recorder, with what belongs to that.
    case recorder
    /// A recording for each sensor, with what all recorders cut out of its stream, each reading once.
    case sensor
  }

  /// The recordings of a bundle, in the order of its heart file; none where nothing was recorded.
  ///
  /// The heart file is compared with the bundle's manifest while it is read, and each recording has a remark where it is
  /// no longer the one that is listed. Nothing else of the bundle is checked.
  ///
  /// - Parameters:
  ///   - bundle: the bundle.
  ///   - grouping: what items are put together by.
  ///   - isCompared: whether the heart file is compared; a caller that checks all files need not.
  /// - Returns: the recordings.
  /// - Throws: ``RecordingError`` where the heart file cannot be read.
  package static func read(
    _ bundle: Bundle, by grouping: Grouping = .sensor, isCompared: Bool = true
  ) throws(RecordingError) -> [Recording] {
    let listed = isCompared ? bundle.heartDigest : nil
    var digest = SHA256()
    let pieces = try FilePieces(bundle.heartFile, bundle.path, isRegular: true) {
      if listed != nil { digest.update($0) }
    }
    guard !pieces.beginning.isEmpty else {
      throw .unreadable(
        path: bundle.path, reason: "its “data/heart.json” is empty; “station verify” says what else is wrong")
    }
    let heart = try SensorRecordings(pieces, by: grouping)
    let trial = TrialFacts(bundle.record)
    var remarks: [String] = []
    if let listed, listed != digest.digest().description {
      remarks.append(
        "“data/heart.json” has changed since the trial was finalised: its SHA-256 is not the one in "
          + "manifest-sha256.txt; “station verify” says what else has.")
    }
    if heart.count < bundle.record.samples {
      remarks.append(
        "The result counts \(bundle.record.samples.counted("sample")), and “data/heart.json” has \(heart.count).")
    }
    var recordings = try heart.recordings(path: bundle.path, trial: trial)
    if recordings.isEmpty, !remarks.isEmpty { recordings = [.nothing(bundle.path, trial)] }
    for index in recordings.indices {
      recordings[index].remarks = remarks + recordings[index].remarks
    }
    return recordings
  }

  /// The recordings of a heart file that is no bundle's.
  static func heart(
    _ pieces: consuming FilePieces, _ path: String, by grouping: Grouping
  ) throws(RecordingError) -> [Recording] {
    let heart = try SensorRecordings(pieces, by: grouping)
    if let reason = heart.complaint { throw .unreadable(path: path, reason: reason) }
    return try heart.recordings(path: path, trial: nil)
  }

  /// A recording without samples.
  static func nothing(_ path: String, _ trial: TrialFacts?, remarks: [String] = []) -> Recording {
    Recording(path: path, trial: trial, remarks: ["It holds no samples."] + remarks)
  }
}

extension SensorRecordings {
  /// Reads a heart file to its end.
  ///
  /// - Parameters:
  ///   - file: the file.
  ///   - grouping: what its items are put together by.
  /// - Throws: ``RecordingError`` with the line that cannot be read.
  fileprivate init(
    _ file: consuming FilePieces, by grouping: Recording.Grouping
  ) throws(RecordingError) {
    var heart = SensorRecordings(by: grouping)
    try file.read { (bytes, isLast) throws(RecordingFault) in
      try heart.take(bytes, isLast: isLast)
    }
    self = heart
  }
}

import Basics
package import Bundles
package import Recordings

extension Recording {
  /// The recordings of a bundle's folder, or of any file that `HeartRecording` reads.
  ///
  /// - Parameters:
  ///   - path: the folder, file or pipe; `-` is standard input.
  ///   - options: what the file does not say itself.
  ///   - see: is given every byte of a file while it is read, which a pipe gives once; nothing of a folder.
  /// - Returns: at least one; an empty one where nothing was recorded.
  /// - Throws: `RecordingError` where it cannot be read, with the place and the remedy.
  package static func read(
    path: String, _ options: ReadingOptions = ReadingOptions(), see: @escaping ([UInt8]) -> Void = { _ in }
  ) throws(RecordingError) -> [Recording] {
    if let detection = options.detection { return try detected(path: path, detection) }
    guard Folder.isFolder(path) else {
      return try HeartRecording.read(path: path, options, see: see).map { Recording($0) }
    }
    let bundle: Bundle
    do throws(BundleError) {
      bundle = try Bundle(path)
    } catch {
      throw .bundle("\(error)")
    }
    let recordings = try read(bundle, by: options.grouping)
    return recordings.isEmpty ? [Recording(.nothing(path), trial: TrialFacts(bundle.record))] : recordings
  }

  /// The recordings of a bundle, in the order of its heart file; none where nothing was recorded.
  ///
  /// The heart file is compared with the bundle's manifest while it is read, and each recording has a caveat where it is
  /// no longer the one that is listed. Nothing else of the bundle is checked.
  ///
  /// - Parameters:
  ///   - bundle: the bundle.
  ///   - grouping: what items are put together by.
  ///   - isCompared: whether the heart file is compared; a caller that checks all files need not.
  /// - Returns: the recordings.
  /// - Throws: `RecordingError` where the heart file cannot be read.
  package static func read(
    _ bundle: Bundle, by grouping: HeartRecording.Grouping = .sensor, isCompared: Bool = true
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
    var caveats: [RecordingCaveat] = []
    if let listed, listed != digest.digest().description {
      caveats.append(.heartFileChanged)
    }
    if heart.count < bundle.record.heartSamples {
      caveats.append(.samplesMissing(found: heart.count, counted: bundle.record.heartSamples))
    }
    var recordings = try heart.recordings(path: bundle.path, isTrial: true)
    if recordings.isEmpty, !caveats.isEmpty { recordings = [.nothing(bundle.path)] }
    let trial = TrialFacts(bundle.record)
    return recordings.map { recording in
      var recording = recording
      recording.caveats = caveats + recording.caveats
      return Recording(recording, trial: trial)
    }
  }
}

import Basics
package import Bundles
package import Recordings

/// What one recorder or file holds of a heart, with the trial that it belongs to.
@dynamicMemberLookup
package struct Recording: Sendable {
  package var heart: HeartRecording

  /// The trial that it belongs to; `nil` for a file from outside a trial.
  package var trial: TrialFacts?

  /// What became of people's corrections; `nil` where there are none, or they are not used.
  package internal(set) var corrections: AppliedCorrections?

  /// The extent of a channel's samples, for the frame of a recording that holds nothing of a heart.
  var channelExtent: ClosedRange<Double>?

  /// What its windows, phases and responses are locked to: the first of these that it has.
  package var events: [EventSource] = [.stimulus]

  /// A recording of a trial, or of none.
  init(_ heart: HeartRecording, trial: TrialFacts? = nil) {
    self.heart = heart
    self.trial = trial
  }

  /// A recording of these beats and rates.
  init(
    path: String, recorder: String? = nil, sensor: String? = nil, beats: IntervalSeries? = nil,
    rates: HeartRates = HeartRates(), trial: TrialFacts? = nil, caveats: [RecordingCaveat] = []
  ) {
    self.init(
      HeartRecording(
        path: path, recorder: recorder, sensor: sensor, beats: beats, rates: rates, caveats: caveats), trial: trial)
  }

  /// A member of what was recorded.
  package subscript<Member>(dynamicMember member: WritableKeyPath<HeartRecording, Member>) -> Member {
    get { heart[keyPath: member] }
    set { heart[keyPath: member] = newValue }
  }

  /// Whether its trial, or the file itself, says that the data are simulated.
  package var isSimulated: Bool { trial?.simulation.isSimulated ?? false || heart.isSimulated }

  /// The mark of simulated data and its reason; `nil` for others.
  package var simulationSentence: String? {
    trial?.simulation.sentence
      ?? (heart.isSimulated ? "\(TrialSimulation.mark): the file says that a simulated sensor sent them" : nil)
  }

  /// Whether there is nothing in it to measure.
  package var isEmpty: Bool { heart.isEmpty }

  /// The sensor's own heart rates over time.
  package var ratesTrack: HeartRateTrack { HeartRateTrack(rates: heart.rates.values, times: heart.rates.times) }
}

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
    if let detection = options.detection { return try detected(path: path, detection, options.corrections) }
    guard Folder.isFolder(path) else {
      return try HeartRecording.read(path: path, options, see: see).map { Recording($0) }
    }
    let bundle: Bundle
    do throws(BundleError) {
      bundle = try Bundle(path)
    } catch {
      throw .bundle("\(error)")
    }
    let recordings = try read(bundle, options)
    return recordings.isEmpty ? [Recording(.nothing(path), trial: TrialFacts(bundle.record))] : recordings
  }

  /// The recordings of a bundle, in the order of its heart file; none where nothing was recorded.
  ///
  /// The heart file is compared with the bundle's manifest while it is read, and each recording has a caveat where it is
  /// no longer the one that is listed. Nothing else of the bundle is checked.
  ///
  /// - Parameters:
  ///   - bundle: the bundle.
  ///   - options: what items are put together by, and which corrections of people are used.
  ///   - isCompared: whether the heart file is compared; a caller that checks all files need not.
  /// - Returns: the recordings.
  /// - Throws: `RecordingError` where the heart file, or the file of corrections, cannot be read.
  package static func read(
    _ bundle: Bundle, _ options: ReadingOptions = ReadingOptions(), isCompared: Bool = true
  ) throws(RecordingError) -> [Recording] {
    let chosen = try ChosenCorrections(options.corrections, besides: bundle.path)
    let listed = isCompared ? bundle.heartDigest : nil
    var digest = SHA256()
    let pieces = try FilePieces(bundle.heartFile, bundle.path, isRegular: true) {
      if listed != nil || chosen != nil { digest.update($0) }
    }
    guard !pieces.beginning.isEmpty else {
      throw .unreadable(
        path: bundle.path, reason: "its “data/heart.json” is empty; “station verify” says what else is wrong")
    }
    let heart = try SensorRecordings(pieces, by: options.grouping)
    var caveats: [RecordingCaveat] = []
    let sha256 = digest.digest().description
    if let listed, listed != sha256 {
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
      var whole = Recording(recording, trial: trial)
      if let chosen { whole.apply(chosen, sha256: sha256) }
      return whole
    }
  }
}

/// What heart rates are taken from.
package enum HeartRateSource: String, Hashable, Sendable {
  /// The intervals between beats.
  case intervals
  /// The sensor's own heart rates.
  case heartRates

  /// The better source for a window.
  ///
  /// Those are the intervals, unless the sensor's own rates are known for a tenth of the window more, or there are no
  /// intervals at all: one interval among many rates does not hide them.
  ///
  /// - Parameters:
  ///   - intervals: the heart rate from beat to beat.
  ///   - rates: the sensor's own.
  ///   - window: the window, in seconds on their axis.
  package init(intervals: HeartRateTrack, rates: HeartRateTrack, in window: ClosedRange<Double>) {
    func share(_ track: HeartRateTrack) -> Double { Coverage(of: track, in: window).share }
    let hasOnlyRates = intervals.spans.isEmpty && !rates.spans.isEmpty
    self = hasOnlyRates || share(rates) > share(intervals) + 0.1 ? .heartRates : .intervals
  }
}

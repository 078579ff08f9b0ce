import Analysis
import Basics
import Recordings

extension Report {
  /// Creates the report of a heart data file without a trial, which has no stimulus, no response and no verdict.
  ///
  /// - Parameters:
  ///   - file: the file's content.
  ///   - settings: how its numbers are computed.
  ///   - station: the version of the station that creates the report.
  init(_ file: ReportedFile, _ settings: ReportSettings = ReportSettings(), station: String) {
    let hearts = file.recordings.map { ReportedHeart($0, settings) }
    let place = Whereabouts(file: file.path)
    let hasResponse = file.recordings.contains { $0.event != nil }
    let sections =
      [file.summarySection] + hearts.map { $0.section(isOnlyOne: hearts.count == 1) }
      + [
        file.provenanceSection(settings),
        Section("How to repeat", place.analysis(settings, hasResponse: hasResponse)),
      ]
    let lead =
      file.recordings.count == 1
      ? file.recordings[0].contents : StyledText("\(file.recordings.count.counted("recording"))")
    self.init(
      kind: "Recording report", heading: .given(place.path), lead: lead + ".", sections: sections,
      footer: Self.footer(station, about: "the file " + .given(place.path)),
      mark: file.recordings.lazy.compactMap(\.simulationSentence).first)
  }
}

extension ReportedFile {
  fileprivate var summarySection: Section {
    guard recordings.count > 1 else {
      return Section("Summary", [.facts(recordings.flatMap(\.facts))])
    }
    return Section(
      "Summary",
      [.facts(recordings.map { Fact($0.sensor ?? "unnamed sensor", $0.contents) })])
  }

  /// The source of the numbers, and how the file was read.
  fileprivate func provenanceSection(_ settings: ReportSettings) -> Section {
    var facts = [
      Fact("file", .code(Folder.name(of: path))), Fact("size", StyledText(bytes.counted("byte"))),
      Fact("SHA-256", .code(sha256)),
    ]
    facts += [
      Fact("intervals", Self.words(options.intervalUnit, unlessSaid: .milliseconds)),
      Fact("times", Self.words(options.timeUnit, unlessSaid: .seconds)),
      Fact("preset", StyledText(settings.analysis.preset.name)),
      Fact("artefacts", .given("\(settings.analysis.correction)")),
    ]
    return Section("Provenance", [.facts(facts)])
  }

  private static func words(_ said: ReadingOptions.TimeUnit?, unlessSaid standard: ReadingOptions.TimeUnit)
    -> StyledText
  {
    StyledText(
      said.map { "in \($0.name), as was said" } ?? "in \(standard.name), where the file does not say their unit")
  }
}

extension Recording {
  /// The file's content in one line.
  fileprivate var contents: StyledText {
    guard let extent, !isEmpty else { return "Nothing was recorded" }
    let length = seconds(extent.upperBound - extent.lowerBound)
    guard let beats = heart.beats, beats.count > 0 else {
      return StyledText("\(heart.rates.values.count.counted("heart rate")) over \(length)")
    }
    return StyledText("\(beats.count.counted("interval")) between beats over \(length)")
  }

  fileprivate var facts: [Fact] {
    var facts = [Fact("recorded", contents)]
    if let sensor = heart.sensor { facts.insert(Fact("sensor", .given(sensor)), at: 0) }
    if let beats = heart.beats, !beats.breaks.isEmpty {
      facts.append(Fact("gaps", StyledText("\(beats.breaks.count)")))
    }
    return facts
  }
}

/// A heart data file without a trial, with all the data for its report.
struct ReportedFile: Sendable {
  let path: String
  /// The recordings, one for each sensor or source.
  var recordings: [Recording]
  /// The size in bytes.
  let bytes: Int
  /// The SHA-256 of its bytes.
  let sha256: String
  /// Supplementary information that the file itself does not contain.
  let options: ReadingOptions

  /// Reads a file.
  ///
  /// - Parameters:
  ///   - path: the file's path.
  ///   - options: information that the file itself does not contain.
  /// - Returns: the file's content.
  /// - Throws: `RecordingError` if it cannot be read.
  static func read(
    _ path: String, _ options: ReadingOptions = ReadingOptions()
  ) throws(RecordingError) -> ReportedFile {
    var hash = SHA256()
    var bytes = 0
    let recordings = try Recording.read(path: path, options) { piece in
      hash.update(piece)
      bytes += piece.count
    }
    return ReportedFile(path: path, recordings: recordings, bytes: bytes, sha256: "\(hash.digest())", options: options)
  }
}

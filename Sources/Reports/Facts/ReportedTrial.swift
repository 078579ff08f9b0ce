internal import Analysis
public import Bundles
public import Recordings

/// A trial with all that a report tells of it.
public struct ReportedTrial: Sendable {
  /// The trial's bundle.
  public let bundle: Bundle
  /// Who, what sounded when, and how far it can be trusted.
  public let facts: TrialFacts
  /// What each sensor recorded.
  public let recordings: [Recording]
  /// The title of its protocol; `nil` where its copy does not say one.
  public let protocolTitle: String?
  /// The files that the manifest lists.
  public let files: [Bundle.ListedFile]
  /// What of the bundle could not be read; sentences.
  public let problems: [String]

  /// A trial.
  public init(
    bundle: Bundle, recordings: [Recording], protocolTitle: String? = nil, files: [Bundle.ListedFile] = [],
    problems: [String] = []
  ) {
    self.bundle = bundle
    self.recordings = recordings
    self.protocolTitle = protocolTitle
    self.files = files
    self.problems = problems
    facts = TrialFacts(bundle)
  }

  /// Reads what a bundle holds; what cannot be read is among the problems.
  public static func read(_ bundle: Bundle) -> ReportedTrial {
    var problems: [String] = []
    var recordings: [Recording] = []
    var files: [Bundle.ListedFile] = []
    do throws(RecordingError) {
      recordings = try Recording.read(bundle)
    } catch {
      problems.append("\(error)")
    }
    do {
      files = try bundle.listedFiles()
    } catch {
      problems.append("the bundle's manifest cannot be read: \(error)")
    }
    return ReportedTrial(
      bundle: bundle, recordings: recordings, protocolTitle: bundle.protocolTitle, files: files, problems: problems)
  }

  /// The recording with the most to tell: the one with the most beats, else with the most heart rates.
  var mainRecording: Recording? {
    recordings.filter { !$0.isEmpty }.max {
      ($0.beats?.count ?? 0, $0.rates.values.count) < ($1.beats?.count ?? 0, $1.rates.values.count)
    }
  }
}

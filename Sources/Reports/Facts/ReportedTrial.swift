package import Analysis
import Basics
package import Bundles
package import Recordings

/// A trial with all that a report has of it.
package struct ReportedTrial: Sendable {
  /// The trial's bundle.
  package let bundle: Bundle
  /// Who, what sounded when, and how far it can be trusted.
  package let facts: TrialFacts
  /// What each sensor recorded.
  package var recordings: [Recording]
  /// The title of its protocol; `nil` where its copy does not say one.
  package let protocolTitle: String?
  /// The files that the manifest lists.
  package let files: [Bundle.ListedFile]
  /// Why its heart data could not be read; `nil` where they could.
  let heartProblem: String?
  /// What of the files is not what the manifests say; sentences.
  let fileProblems: [String]
  /// What of the bundle could not be read, or is not what the manifests say; sentences.
  package let problems: [String]

  /// A trial.
  init(
    bundle: Bundle, recordings: [Recording], protocolTitle: String?, files: [Bundle.ListedFile], heartProblem: String?,
    fileProblems: [String], problems: [String]
  ) {
    self.bundle = bundle
    self.recordings = recordings
    self.protocolTitle = protocolTitle
    self.files = files
    self.heartProblem = heartProblem
    self.fileProblems = fileProblems
    self.problems = problems
    facts = TrialFacts(bundle.record)
  }

  /// Reads what a bundle holds; what cannot be read is among the problems, and so is every file that has changed.
  ///
  /// - Parameters:
  ///   - bundle: the bundle.
  ///   - grouping: what makes a recording.
  ///   - isBrief: whether only what a row in a table tells is read, and of the files only those that it is made of are
  ///     checked.
  /// - Returns: the trial.
  package static func read(
    _ bundle: Bundle, by grouping: HeartRecording.Grouping = .sensor, isBrief: Bool = false
  ) -> ReportedTrial {
    let fileProblems = isBrief ? bundle.checkFiles(Self.briefFiles) : bundle.checkFiles()
    var problems = fileProblems
    var recordings: [Recording] = []
    var files: [Bundle.ListedFile] = []
    var heartProblem: String?
    do throws(RecordingError) {
      // Compared above already.
      recordings = try Recording.read(bundle, by: grouping, isCompared: false)
      if bundle.record.samples > 0, recordings.allSatisfy(\.isEmpty) {
        heartProblem = "the result counts \(bundle.record.samples.counted("sample")), and the heart data hold none"
      }
    } catch {
      heartProblem = "\(error)"
    }
    if let heartProblem { problems.append(heartProblem) }
    if !isBrief {
      do throws(FileError) {
        files = try bundle.listedFiles()
      } catch {
        problems.append("the bundle's manifest cannot be read: \(error)")
      }
    }
    return ReportedTrial(
      bundle: bundle, recordings: recordings, protocolTitle: bundle.protocolTitle, files: files,
      heartProblem: heartProblem, fileProblems: fileProblems, problems: problems)
  }

  /// The files of the payload that a row in a table is made of.
  static let briefFiles = ["data/result.json", "data/heart.json"]
}

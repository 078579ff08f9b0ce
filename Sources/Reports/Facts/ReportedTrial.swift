import Analysis
import Basics
import Bundles
import Recordings

/// A trial with all the data for its report.
struct ReportedTrial: Sendable {
  /// The trial's bundle.
  let bundle: Bundle
  /// The participant, the sounds and the verdict.
  let facts: TrialFacts
  /// The recording of each sensor.
  var recordings: [Recording]
  /// The recordings of other quantities, one for each recorder.
  var channels: [ChannelRecording] = []
  /// The waveforms, one for each recorder.
  var waveforms: [WaveformRecording] = []
  /// The title of its protocol; `nil` if its copy of the protocol has no title.
  let protocolTitle: String?
  /// The files that the manifest lists.
  let files: [Bundle.ListedFile]
  /// The reason why its heart data could not be read; `nil` if they were read.
  let heartProblem: String?
  /// Files that do not match the manifests, as sentences.
  let fileProblems: [String]
  /// All problems of the bundle, unreadable or mismatched, as sentences.
  let problems: [String]

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

  /// Reads a bundle; unreadable parts and changed files are reported as problems.
  ///
  /// - Parameters:
  ///   - bundle: the bundle.
  ///   - options: how samples are grouped into recordings, and which corrections of beats are used.
  ///   - isBrief: whether to read only what a table row needs, and to check only those files.
  /// - Returns: the trial.
  static func read(
    _ bundle: Bundle, _ options: ReadingOptions = ReadingOptions(), isBrief: Bool = false
  ) -> ReportedTrial {
    let fileProblems = isBrief ? bundle.checkFiles(Self.briefFiles) : bundle.checkFiles()
    var problems = fileProblems
    var recordings: [Recording] = []
    var files: [Bundle.ListedFile] = []
    var heartProblem: String?
    do throws(RecordingError) {
      // The files have already been compared above.
      recordings = try Recording.read(bundle, options, isCompared: false)
      if bundle.record.heartSamples > 0, recordings.allSatisfy(\.isEmpty) {
        heartProblem = "the result counts \(bundle.record.heartSamples.counted("sample")), and the heart data hold none"
      }
    } catch {
      heartProblem = "\(error)"
    }
    if let heartProblem { problems.append(heartProblem) }
    var channels: [ChannelRecording] = []
    if !isBrief {
      do throws(RecordingError) {
        channels = try ChannelRecording.read(bundle, by: options.grouping)
      } catch {
        problems.append("\(error)")
      }
    }
    if !isBrief {
      do throws(FileError) {
        files = try bundle.listedFiles()
      } catch {
        problems.append("the bundle's manifest cannot be read: \(error)")
      }
    }
    var trial = ReportedTrial(
      bundle: bundle, recordings: recordings, protocolTitle: bundle.protocolTitle, files: files,
      heartProblem: heartProblem, fileProblems: fileProblems, problems: problems)
    trial.channels = channels
    if !isBrief { trial.waveforms = WaveformRecording.all(of: bundle, isCompared: false) }
    return trial
  }

  /// The payload files that a table row needs.
  static let briefFiles = ["data/result.json", "data/heart.json"]
}

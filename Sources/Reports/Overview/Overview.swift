package import Analysis
package import Basics
package import Bundles
import Charts
package import Recordings

/// The trials of a results folder, each in brief.
package struct Overview: Sendable {
  /// The folder's name.
  let name: String
  /// The folder as it was given.
  let path: String
  let selection: TrialSelection
  let measures: OverviewMeasures
  /// The chosen trials, oldest first.
  package let trials: [TrialBrief]
  /// What could not be read, or is not what a manifest says; sentences that name the bundle.
  package let problems: [String]
  /// What lies in the folder twice, and counts once; sentences.
  let repeated: [String]
  /// The trials put together.
  let means: [GroupMeans]
  /// The responses to the sound, as a change from before and as they are, by clip and by mood; bad and stopped trials stay out.
  let responses: [TrialResponses]
  /// The participants with their sessions, of all trials of the folder.
  let sessions: [String: Set<String>]

  /// So many trials of a session are drawn, the oldest; a page of hundreds would take too long to open.
  static let mostDrawn = 20

  /// Whether some trial has several sensors.
  var hasSeveralSensors: Bool { trials.contains { $0.hearts.count > 1 } }

  /// Reads the trials of a results folder, one after the other; what cannot be read is among the problems.
  ///
  /// - Parameters:
  ///   - folder: the folder.
  ///   - selection: which of its trials are reported.
  ///   - settings: how they are measured.
  ///   - grouping: what makes a recording.
  ///   - choose: chooses among the recordings of a bundle, by its path, those that are reported.
  /// - Returns: what there is to tell.
  /// - Throws: `FileError` where the folder itself cannot be read.
  package static func read(
    _ folder: ResultsFolder, _ selection: TrialSelection = TrialSelection(), _ settings: ReportSettings = .init(),
    by grouping: HeartRecording.Grouping = .sensor,
    choosing choose: ([Recording], String) throws -> [Recording] = { recordings, _ in recordings }
  ) throws(FileError) -> Overview {
    let measures = OverviewMeasures(settings)
    var gathered = Gathered(measures, drawing: selection.isOfSomebody ? mostDrawn : 0, leavingOut: selection.omissions)
    let entries = try folder.trials().map { TrialOrder.Entry(reading: folder.bundlePath(named: $0)) }
    let order = TrialOrder(entries, selection: selection)
    var problems = order.problems
    for place in order.places {
      let trial: ReportedTrial
      do throws(BundleError) {
        trial = ReportedTrial.read(try Bundle(place.path), by: grouping, isBrief: true)
      } catch {
        problems.append("\(error)")
        continue
      }
      problems += trial.problems.map { "“\(place.path)”: \($0)" }
      var recordings: [Recording] = []
      do {
        recordings = try choose(trial.recordings, place.path)
      } catch {
        problems.append("\(error)")
      }
      gathered.take(trial, recordings, at: place)
    }
    let name = Folder.name(of: folder.path)
    return Overview(
      name: name == "." ? "results" : name, path: folder.path, selection: selection, measures: measures,
      trials: gathered.trials.sorted(by: TrialBrief.isEarlier), problems: problems, repeated: order.repeated,
      means: gathered.means, responses: gathered.responses, sessions: order.sessions)
  }

  /// Why no trial was chosen, and which there are.
  package func missing(in path: String) -> String {
    "“\(path)” has \(selection.holdsNone(of: sessions))"
  }
}

/// What is kept of trials while they are read, one after the other.
private struct Gathered {
  let measures: OverviewMeasures
  /// How many trials are drawn.
  let mostDrawn: Int
  var trials: [TrialBrief] = []
  var means: [GroupMeans]
  var responses: [TrialResponses]
  /// Those of the trials that are drawn.
  private var drawn: [Int] = []

  init(_ measures: OverviewMeasures, drawing mostDrawn: Int, leavingOut omissions: Set<TrialOmission>) {
    self.measures = measures
    self.mostDrawn = mostDrawn
    means = [.clip, .mood, .condition].map { GroupMeans(measures, by: $0, leavingOut: omissions) }
    let response = measures.settings.response
    let all = response.baseline == .none ? [response] : [response, response.withoutBaseline]
    responses = all.flatMap { settings in
      [.clip, .mood].map { TrialResponses(settings, by: $0, leavingOut: omissions) }
    }
  }

  /// Measures a trial, once for all sections.
  mutating func take(_ trial: ReportedTrial, _ recordings: [Recording], at place: TrialPlace) {
    let analysed = recordings.map { AnalysedRecording($0, measures.settings.analysis) }
    let hearts = analysed.map { measures.measured($0, at: place) }
    trials.append(TrialBrief(trial, recordings, hearts))
    for index in means.indices { means[index].take(trial.facts, hearts, at: place) }
    let compared = analysed.map { $0.response(measures.settings.response) }
    let plain = compared.map { $0?.withoutBaseline }
    if let first = recordings.first {
      for index in responses.indices {
        let made = responses[index].settings.baseline == .none ? plain : compared
        responses[index].add(
          zip(recordings, made).map { TrialResponse(of: $0, at: place, $1, measures.settings.analysis.correction) },
          of: first)
      }
    }
    draw(analysed)
  }

  /// Keeps the charts of the oldest trials; ten thousand of them would not fit.
  private mutating func draw(_ analysed: [AnalysedRecording]) {
    guard mostDrawn > 0, !analysed.isEmpty else { return }
    trials[trials.count - 1].charts = analysed.map { RecordingCharts($0) }
    drawn.append(trials.count - 1)
    guard drawn.count > mostDrawn else { return }
    let latest = drawn.indices.max { TrialBrief.isEarlier(trials[drawn[$0]], trials[drawn[$1]]) }
    if let latest { trials[drawn.remove(at: latest)].charts = [] }
  }
}

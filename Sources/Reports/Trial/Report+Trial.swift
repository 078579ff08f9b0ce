import Analysis
package import Basics
import Bundles
import Recordings

extension Report {
  /// Creates the report of one trial.
  ///
  /// - Parameters:
  ///   - trial: the trial's data.
  ///   - settings: how its numbers are computed.
  ///   - local: the time zone of displayed times.
  ///   - station: the version of the station that creates the report.
  package init(
    _ trial: ReportedTrial, _ settings: ReportSettings = ReportSettings(), local: TimeZone, station: String
  ) {
    let facts = trial.facts
    let hearts = trial.recordings.map { ReportedHeart($0, settings) }
    var sections = [trial.summarySection(local)]
    if let problem = trial.heartProblem {
      let words = "The heart data could not be read, so that there is nothing to draw or measure: "
      sections.append(Section("Heart", [.paragraph(StyledText(words) + .given(problem) + ".")]))
    } else if hearts.isEmpty, trial.channels.isEmpty, trial.waveforms.isEmpty {
      sections.append(
        Section("Heart", [.paragraph("No samples were recorded, so that there is nothing to draw or measure.")]))
    } else {
      sections += hearts.map { $0.section(isOnlyOne: hearts.count == 1) }
    }
    sections += trial.channels.map(\.section) + trial.waveforms.map(\.section)
    sections += [trial.clipSection, trial.soundSection, trial.recordersSection].compactMap(\.self)
    sections += [trial.provenanceSection(local), trial.verificationSection(settings)]
    let clip = facts.clip.map { ", the clip “" + StyledText($0, .given) + "”" } ?? ", without a clip"
    self.init(
      kind: "Trial report", heading: .given(trial.protocolTitle ?? trial.bundle.record.studyProtocol.identifier),
      lead: "Participant " + .given(facts.participant) + ", session " + .given(facts.session) + clip
        + (facts.start.map { StyledText(", \(local.plainText($0))") } ?? StyledText()) + ".",
      sections: sections, footer: Self.footer(station, about: "trial " + .code(facts.trial)),
      mark: facts.simulation.sentence)
  }

  static func footer(_ station: String, about subject: StyledText) -> StyledText {
    StyledText("Made by station \(station) from ") + subject + "."
  }
}

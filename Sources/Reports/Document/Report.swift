import Bundles

/// A report on a trial, a session or a results folder, ready to be written as HTML.
///
/// A report is a value: equal input gives equal reports.
package struct Report: Sendable {
  /// The document title, shown in a browser's tab.
  package let title: String
  /// The kind of report.
  let kind: String
  /// The main heading.
  let heading: StyledText
  /// A sentence below the heading.
  let lead: StyledText
  /// The sections in order.
  let sections: [Section]
  /// The footer of every page.
  let footer: StyledText
  /// The closing remark.
  let closing: StyledText = "The numbers describe what was recorded; no test of significance was made."

  // The mark of simulated data begins the title and the lead, and ends the footer of every page.
  init(
    kind: String, heading: StyledText, lead: StyledText, sections: [Section], footer: StyledText, mark: String? = nil
  ) {
    self.kind = kind
    self.heading = heading
    self.lead = mark.map { StyledText($0.sentence, .strong) + " " + lead } ?? lead
    self.sections = sections
    self.footer = mark.map { footer + " " + StyledText($0.sentence, .strong) } ?? footer
    title = (mark == nil ? "" : "\(TrialSimulation.mark.sentence.dropLast()) · ") + "\(heading.text) · \(kind)"
  }
}

package import Charts

/// What there is to tell of a trial, of a session or of a folder of results, ready to be written as a page or printed.
///
/// A report is a value: made of facts that were read before, the same from the same facts, and written by one code for each
/// output.
package struct Report: Sendable {
  /// What it is about, in the words of a browser's tab.
  package let title: String
  /// What kind of report it is.
  let kind: String
  /// The title as the page shows it.
  let heading: Words
  /// A sentence below the title.
  let lead: Words
  /// What is told, in its order.
  let sections: [Section]
  /// What stands at the foot of every page.
  let footer: Words
  /// What stands at the end.
  let closing: Words = "The numbers describe what was recorded; no test of significance was made."

  init(kind: String, heading: Words, lead: Words, sections: [Section], footer: Words) {
    self.kind = kind
    self.heading = heading
    self.lead = lead
    self.sections = sections
    self.footer = footer
    title = "\(heading.text) · \(kind)"
  }

  /// The report as a page of HTML that needs nothing but itself.
  ///
  /// It holds no script and no address of anything outside, and forbids both to what it shows. The same report gives the
  /// same bytes.
  package func html() -> String { HTMLWriter.write(self) }

  /// The report as a PDF file on pages of A4.
  ///
  /// - Throws: `ChartError` where Cairo and Pango are missing, or fail.
  package func pdf() throws(ChartError) -> [UInt8] { try PagePrinter.print(self) }
}

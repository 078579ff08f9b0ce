package import Basics

/// A machine-readable remark on what was read from a file or recorded by a sensor, with its numbers.
///
/// A new one is a case here, and its words below.
package enum RecordingCaveat: Hashable, Sendable, TaggedInJSON {
  /// The name of the member that holds a caveat's code.
  package static var jsonTag: String { "caveat" }

  /// Nothing usable was recorded.
  case noSamples
  /// Items of a heart file were dropped: the number of one, counted from 1, and why.
  case itemDropped(item: Int, reason: String)
  /// More items were dropped, beside those that are listed.
  case moreItemsDropped(count: Int)
  /// Rows of a table were dropped: how many of how many, and the first of them.
  case rowsDropped(count: Int, rows: Int, first: [DroppedRow])
  /// Entries were dropped because the sensor had no skin contact.
  case noSkinContact(count: Int, entry: Entry)
  /// Entries were earlier than the one before; they were sorted.
  case outOfOrder(count: Int, entry: Entry)
  /// Entries were there more than once; each counts once.
  case repeated(count: Int, entry: Entry)
  /// Heart rates or intervals were dropped because they are not above zero.
  case notAboveZero(count: Int, entry: Entry)
  /// Intervals of more than an hour were dropped.
  case intervalsTooLong(count: Int)
  /// Times have several different heart rates; each time counts with their mean.
  case differentRates(times: Int, rates: Int)
  /// Beats are missing between others; with the longest gap in seconds.
  case gaps(count: Int, longest_s: Double)
  /// Intervals are missing in a list without times.
  case intervalsMissing(count: Int)
  /// Blank lines were read as missing beats; with the first of them.
  case blankLines(count: Int, first: [Int])
  /// The heart rates are this fraction of those computed from the intervals.
  case ratesContradictIntervals(ratio: Double)
  /// The intervals add up to more seconds than their times span.
  case timesTooShort(intervals_s: Double, times_s: Double)
  /// From beat to beat the times advance by a multiple of the interval.
  case timesOutOfScale(factor: Double)
  /// The intervals change as smoothly as a waveform; with the correlation of each with the one before, and of their
  /// differences.
  case smooth(r: Double, differences_r: Double)
  case implausibleIntervals(median_ms: Double)
  /// The median heart rate is implausible.
  case implausibleRates(median: Double)
  /// Times were shifted so that the first row begins at 0.
  case timesShifted(by_s: Double)
  /// Columns of a table were not read; with the names of the first.
  case columnsNotRead(count: Int, first: [String])
  /// A column that was not read rises as times do.
  case columnRises(column: String)
  /// Commas were read as decimal commas.
  case decimalCommas(number: String, line: Int)
  /// A file of signals ends before its header says; with the records or frames that are there, and those announced.
  case endsEarly(found: Int, announced: Int, of: Piece, found_s: Double, announced_s: Double)
  /// A file of signals goes on after the records or frames that its header announces; only those are read.
  case goesOn(found: Int, announced: Int, of: Piece, found_s: Double, announced_s: Double)
  /// A file of annotations has no end; with the time of its last annotation.
  case annotationsCut(at_s: Double)
  /// The header of a file does not say what the numbers of a signal are in its unit.
  case noRange(signal: String)
  /// Times of day without seconds were read as hours and minutes; with the first of them.
  case withoutSeconds(time: String, line: Int)
  /// The last line has no line end, and is shorter than the others.
  case lastLineOpen(line: Int)
  /// The file ends early; with the place and the reason. What came before it is there.
  case cutShort(reason: String)
  /// The heart file is not the one that the bundle's manifest lists.
  case heartFileChanged
  /// The heart file has fewer samples than the result counts.
  case samplesMissing(found: Int, counted: Int)

  /// People's corrections of beats are used: how many, and whose.
  case corrected(edits: Int, by: [String])
  /// Corrections are not used, since they do not fit the beats; with the first of them and its reason.
  case correctionsMisfit(count: Int, first: String)
  /// Lines of the corrections file are no corrections; with the first of them and its reason.
  case correctionsUnread(count: Int, first: String)
  /// There are no corrections by the author whose corrections were asked for.
  case notCorrected(by: String)
  /// These people have looked at the beats as they are corrected, and signed them.
  case reviewed(by: [String])

  /// Whether it says that the file ends early.
  package var isOfEarlyEnd: Bool {
    if case .cutShort = self { return true }
    return false
  }

  /// What a file consists of.
  package enum Entry: String, Codable, Sendable {
    case row, reading, interval
    case rate = "heart rate"
  }

  /// What a file of signals consists of.
  package enum Piece: String, Codable, Sendable { case record, frame }

  /// The caveat on the length of a file of signals.
  ///
  /// - Parameters:
  ///   - found: the number of whole records or frames.
  ///   - announced: their number according to the header.
  ///   - piece: which of them.
  ///   - seconds: how long one is.
  /// - Returns: the caveat; `nil` where the length is as announced.
  static func length(found: Int, announced: Int, of piece: Piece, seconds: Double) -> RecordingCaveat? {
    let (found_s, announced_s) = (Double(found) * seconds, Double(announced) * seconds)
    if found == announced { return nil }
    return found < announced
      ? .endsEarly(found: found, announced: announced, of: piece, found_s: found_s, announced_s: announced_s)
      : .goesOn(found: found, announced: announced, of: piece, found_s: found_s, announced_s: announced_s)
  }

  /// A row that was dropped.
  package struct DroppedRow: Hashable, Codable, Sendable {
    /// Its line in the file.
    let line: Int
    /// The reason, as a clause.
    let reason: String
  }
}

extension RecordingCaveat: CustomStringConvertible {
  package var description: String { wording.description }

  /// The sentence, with its numbers apart.
  package var wording: Wording {
    switch self {
    case .noSamples: "There are no samples."
    case .itemDropped(let item, let reason): "Dropped item \(item): \(reason)."
    case .moreItemsDropped(let count): "Dropped \(count, "more item")."
    case .rowsDropped(let count, let rows, let first):
      "Dropped \(count, "row") of \(rows): \(Self.list(first.map { "line \($0.line): \($0.reason)" }, of: count))."
    case .noSkinContact(let count, let entry): "Dropped \(count, entry.rawValue) without skin contact."
    case .outOfOrder(let count, let entry):
      "Sorted by time: \(count, entry.rawValue) earlier than the \(entry.rawValue) before."
    case .repeated(let count, let entry): "Dropped \(count, "repeated \(entry.rawValue)")."
    case .notAboveZero(let count, let entry): "Dropped \(count, entry.rawValue) not above zero."
    case .intervalsTooLong(let count): "Dropped \(count, "interval") longer than one hour."
    case .differentRates(let times, let rates):
      "\(times, "time") with several different heart rates, \(rates) in all: their mean is used."
    case .gaps(1, let longest): "There is a gap of \(longest, fixed: 1) s between beats."
    case .gaps(let count, let longest):
      "There are \(count) gaps between beats, \(longest, fixed: 1) s at most."
    case .intervalsMissing(let count): "\(count, "missing interval"), a gap each."
    case .blankLines(let count, let first):
      "\(count, "blank line") read as missing beats, a gap each: \(Self.list(first.map { "line \($0)" }, of: count))."
    case .ratesContradictIntervals(let ratio):
      "The sensor's heart rates contradict its intervals: they are \(min(ratio * 100, 1e9), fixed: 0) % of those computed "
        + "from the intervals."
    case .timesTooShort(let intervals, let times):
      "The intervals contradict their times: they add up to \(intervals, fixed: 1) s, and their times span "
        + "\(times, fixed: 1) s."
    case .timesOutOfScale(let factor):
      "The intervals contradict their times: from beat to beat the times advance by \(factor, fixed: 2) times the interval; "
        + "check the units and the sampling rate of both columns."
    case .smooth(let values, let differences):
      "The intervals change more smoothly than those of most hearts (correlation with the one before: "
        + "r = \(values, fixed: 3); of their differences: r = \(differences, fixed: 2)): slow paced breathing has this "
        + "effect, but so has a file with the samples of \(Waveform.noun)."
    case .implausibleIntervals, .implausibleRates:
      "The recorder's units are in doubt: \(implausibility ?? "")."
    case .timesShifted(let shift): "Times are counted from the beginning of the first row, at \(shift, \.shown) s."
    case .columnsNotRead(let count, let first):
      "\(count, "column") not read: \(Self.list(first, of: count))."
    case .columnRises(let column):
      "The column \(column) rises from row to row, as times do; if it contains times, name it “time”, so that gaps "
        + "between beats are found."
    case .decimalCommas(let text, let line):
      "Commas are read as decimal commas: “\(text)” in line \(line) is one interval."
    case .endsEarly(let found, let announced, let piece, let seconds, let all):
      "The file ends early: its header announces \(announced, piece.rawValue) (\(all, fixed: 1) s), and \(found) are there "
        + "(\(seconds, fixed: 1) s); it was cut off, or the recording was stopped."
    case .goesOn(let found, let announced, let piece, let seconds, let all):
      "The file is longer than its header announces: \(found, piece.rawValue) (\(seconds, fixed: 1) s) are there, and only "
        + "the announced \(announced) (\(all, fixed: 1) s) are read."
    case .annotationsCut(let time):
      "The file of annotations has no end: it was cut off after \(time, fixed: 1) s."
    case .noRange(let signal):
      "The header gives “\(signal)” no physical range: its values have no unit."
    case .withoutSeconds(let text, let line):
      "Times of day without seconds are read as hours and minutes: “\(text)” in line \(line) is the first."
    case .lastLineOpen(let line):
      "The last line, line \(line), has no line end and is shorter than the others: the file may have been cut off."
    case .cutShort(let reason): "The file ends early, and what is missing was not measured: \(reason)."
    case .heartFileChanged:
      "“data/heart.json” has changed since the trial was finalised: its SHA-256 is not the one in manifest-sha256.txt; "
        + "“station verify” lists all differences."
    case .samplesMissing(let found, let counted):
      "“data/heart.json” has \(found, "sample"), and the result counts \(counted)."
    case .corrected(let edits, let names): "\(edits, "correction") by \(names.joined(separator: ", ")) used."
    case .correctionsMisfit(let count, let first):
      "\(count, "correction") not used: \(first); “station corrections” lists all."
    case .correctionsUnread(let count, let first): "\(count, "line") of the corrections file not read: \(first)."
    case .notCorrected(let name): "There are no corrections by “\(name)”."
    case .reviewed(let names): "Reviewed by \(names.joined(separator: ", "))."
    }
  }

  /// The words for implausible numbers, as a clause; `nil` for other caveats.
  var implausibility: Wording? {
    switch self {
    case .implausibleIntervals(let median): "the median interval is \(median, \.shown) ms, which no heart has"
    case .implausibleRates(let median): "the median heart rate is \(median, \.shown) count/min, which no heart has"
    default: nil
    }
  }

  private static func list(_ first: [String], of count: Int) -> String {
    first.joined(separator: ", ") + (count > first.count ? " and \(count - first.count) more" : "")
  }
}

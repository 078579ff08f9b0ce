import Analysis
import Basics
import Recordings

extension ReportedHeart {
  /// The artefacts and their correction; `nil` without beats.
  var artefactsSection: Section? {
    guard let corrected else { return nil }
    let share = (100 * corrected.artefactShare).decimals(1)
    var blocks: [Block] = []
    let omitted = corrected.raw.omitted.count
    if corrected.artefacts.isEmpty, omitted == 0 {
      blocks.append(
        .paragraph(
          StyledText(
            "No interval was taken for an artefact: every number above is of the beats as "
              + (recording.corrections?.used.isEmpty ?? true ? "recorded." : "people have left them."))))
    } else {
      blocks.append(
        .paragraph(
          StyledText(
            "\(share) % of the recorded intervals were corrected or left out. The recording itself is unchanged: the "
              + "\(recording.trial == nil ? "file" : "bundle") holds every interval as it was recorded."
              + (omitted > 0
                ? " \(omitted.counted("value")) \(omitted == 1 ? "was" : "were") no interval at all, or twice there."
                : "")
          )))
    }
    if !corrected.artefacts.isEmpty {
      blocks.append(
        .table(
          DataTable(
            caption: "Artefacts and what was done about them",
            columns: [
              .init(title: "time", isNumber: true), .init(title: "recorded, ms", isNumber: true),
              .init(title: "taken for"),
              .init(title: "change"),
            ],
            groups: [.init(title: nil, rows: corrected.artefacts.prefix(Self.maxListed).map(Self.row))])))
      if corrected.artefacts.count > Self.maxListed {
        blocks.append(
          .paragraph(StyledText("The first \(Self.maxListed) of \(corrected.artefacts.count) stand here.")))
      }
    }
    blocks.append(.paragraph(StyledText("Method: \(corrected.method).", .faint)))
    return Section("Artefacts", blocks)
  }

  /// A faulty sensor can produce more artefacts in a day than are worth listing.
  private static let maxListed = 200

  private static func row(_ artefact: Artefact) -> DataTable.Row {
    let kind =
      switch artefact.kind {
      case .ectopic: "ectopic beat"
      case .missed: "missed beat"
      case .extra: "extra beat"
      case .longOrShort: "long or short interval"
      case .outOfRange: "out of range"
      }
    let change =
      switch artefact.change {
      case .moved(let seconds): "the beat was moved by \((seconds * 1000).change(0)) ms"
      case .inserted(let time): "a beat was put in at \(seconds(time, 3))"
      case .removed: "the beat was taken out"
      case .leftOut: "the interval was left out"
      }
    return DataTable.Row([
      StyledText(seconds(artefact.time, 3)), StyledText(artefact.interval.decimals(0)), StyledText(kind),
      StyledText(change),
    ])
  }
}

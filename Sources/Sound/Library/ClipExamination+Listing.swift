package import Basics

extension ClipExamination {
  /// The properties as JSON.
  package var json: JSONValue {
    [
      "name": .string(name),
      "file": .string(Folder.name(of: path)),
      "frames": contents.map { .integer($0.frames) } ?? nil,
      "sampleRate": contents.map { .integer($0.format.sampleRate) } ?? nil,
      "channels": contents.map { .integer($0.format.channels) } ?? nil,
      "durationSeconds": .finite(contents?.seconds),
      "loudnessLUFS": .finite(loudness?.integrated),
      "truePeakDBTP": .finite(loudness?.truePeak),
      "sha256": .text(contents?.sha256),
      "warnings": .array((contents?.warnings ?? []).map { .string($0) }),
      "problem": .text(problem.map { "\($0)" }),
    ]
  }

  /// The examinations as a table.
  package static func table(_ clips: [ClipExamination]) -> TextTable {
    var table = TextTable([
      ("name", .left), ("duration", .right), ("rate", .right), ("channels", .right), ("loudness", .right),
      ("true peak", .right), ("sha256", .left), ("problem", .left),
    ])
    for clip in clips {
      let contents = clip.contents
      table.add([
        clip.name,
        contents.map { $0.seconds.fixed(3) + " s" } ?? "",
        contents.map { "\($0.format.sampleRate) Hz" } ?? "",
        contents.map { "\($0.format.channels)" } ?? "",
        (clip.loudness?.integrated).map { $0.fixed(1) + " LUFS" } ?? "",
        (clip.loudness?.truePeak).map { $0.fixed(1) + " dBTP" } ?? "",
        (contents?.sha256).map { String($0.prefix(16)) } ?? "",
        clip.problem.map { "\($0.reason)" } ?? contents?.warnings.joined(separator: "; ") ?? "",
      ])
    }
    return table
  }
}

extension SkippedFile {
  /// The file and the reason as JSON.
  package var json: JSONValue {
    [
      "file": .string(Folder.name(of: path)), "skipped": .string(reason.rawValue), "problem": .string(explanation),
    ]
  }
}

extension ClipError {
  /// The file and the problem as JSON.
  package var json: JSONValue { ["file": .string(Folder.name(of: path)), "problem": .string("\(reason)")] }
}

extension ClipContents {
  /// The duration in seconds.
  fileprivate var seconds: Double { Double(frames) / Double(format.sampleRate) }
}

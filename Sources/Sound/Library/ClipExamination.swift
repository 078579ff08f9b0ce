package import Basics
import Study

/// The result of `station clips` for one file: its properties, or why it cannot be used.
package struct ClipExamination: Sendable {
  var path: String
  /// The file's name without its extension, or the name that the folder's list assigns.
  var name: String
  /// The file's properties; `nil` if it is not a clip.
  var contents: ClipContents?
  /// The loudness and true peak of the whole clip, without any gain; `nil` if it is not a clip.
  var loudness: Loudness?
  /// Why the file is not a clip.
  package var problem: ClipError?

  /// Reads a file once, from beginning to end: hashes, decodes and measures it, in bounded memory.
  ///
  /// Without a name it has that of the file.
  package init(path: String, name: String? = nil) {
    self.path = path
    self.name = name ?? ClipFormat.stem(of: Folder.name(of: path))
    do throws(ClipError) { try examine() } catch { problem = error }
  }

  /// Creates the examination of a file already known to be unusable.
  ///
  /// A file whose only fault is a duplicate name is measured like a clip.
  init(_ problem: ClipError) {
    path = problem.path
    name = ClipFormat.stem(of: Folder.name(of: problem.path))
    if case .duplicateName(let name, _) = problem.reason { self = ClipExamination(path: path, name: name) }
    self.problem = self.problem ?? problem
  }

  private mutating func examine() throws(ClipError) {
    var reader = try ClipReader(path)
    guard var meter = LoudnessMeter(reader.format) else {
      throw ClipError(path: path, reason: .decoder("no loudness at \(reader.format.sampleRate) Hz"))
    }
    var samples: [Float] = []
    var isSilent = true
    while try reader.read(upTo: 1 << 14, into: &samples) > 0 {
      meter.add(samples)
      isSilent = isSilent && !samples.contains { $0.magnitude > StimulusLoader.silence }
      samples.removeAll(keepingCapacity: true)
    }
    var contents = try reader.finish()
    if isSilent { contents.warnings.append("it is silent: it never passes −90 dB below full scale") }
    self.contents = contents
    loudness = meter.loudness
  }
}

extension ClipLibrary {
  /// Examines every file that is a clip or should be one; sorted by the UTF-8 bytes of the clip names, then of the file
  /// names.
  ///
  /// Problems of the list itself are separate: see ``listProblems``.
  package func examinations() -> [ClipExamination] {
    let faulty = problems.filter { !isAboutList($0) }.map { ClipExamination($0) }
    return (clips.map { ClipExamination(path: $0.path, name: $0.name) } + faulty).sorted { first, second in
      first.name.utf8.elementsEqual(second.name.utf8)
        ? first.path.precedes(second.path)
        : first.name.precedes(second.name)
    }
  }

  package var listProblems: [ClipError] { problems.filter(isAboutList) }

  private func isAboutList(_ problem: ClipError) -> Bool {
    problem.path.utf8.elementsEqual(Folder.path(ClipList.fileName, from: folder).utf8)
  }
}

extension ClipExamination {
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
  package var json: JSONValue {
    [
      "file": .string(Folder.name(of: path)), "skipped": .string(reason.rawValue), "problem": .string(explanation),
    ]
  }
}

extension ClipError {
  package var json: JSONValue { ["file": .string(Folder.name(of: path)), "problem": .string("\(reason)")] }
}

extension ClipContents {
  fileprivate var seconds: Double { Double(frames) / Double(format.sampleRate) }
}

import Basics
import Study

/// The result of `station clips` for one file: its properties, or why it cannot be used.
package struct ClipExamination: Sendable {
  /// The file.
  package var path: String
  /// The file's name without its extension, or the name that the folder's list assigns.
  package var name: String
  /// The file's properties; `nil` if it is not a clip.
  package var contents: ClipContents?
  /// The loudness and true peak of the whole clip, without any gain; `nil` if it is not a clip.
  package var loudness: Loudness?
  /// Why the file is not a clip.
  package var problem: ClipError?

  /// Reads a file once, from beginning to end: hashes, decodes and measures it, in bounded memory.
  ///
  /// - Parameters:
  ///   - path: the file.
  ///   - name: the clip's name; the file's name without its extension if `nil`.
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

  /// The problems of the folder's `clips.json`.
  package var listProblems: [ClipError] { problems.filter(isAboutList) }

  private func isAboutList(_ problem: ClipError) -> Bool {
    problem.path.utf8.elementsEqual(Folder.path(ClipList.fileName, from: folder).utf8)
  }
}

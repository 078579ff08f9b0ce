import Basics
import Study

/// What `station clips` says about one file: everything about it, or what is wrong with it.
package struct ClipExamination: Sendable {
  /// The file.
  package var path: String
  /// The file's name without its ending, or the name that the folder's list gives it.
  package var name: String
  /// What it holds; `nil` for a file that is no clip.
  package var contents: ClipContents?
  /// The loudness and the true peak of the whole clip, without any gain; `nil` for a file that is no clip.
  package var loudness: Loudness?
  /// Why it is no clip.
  package var problem: ClipError?

  /// Reads a file once, from beginning to end: hashes, decodes and measures it, in bounded memory.
  ///
  /// - Parameters:
  ///   - path: the file.
  ///   - name: what to call it; the file's name without its ending, unless something else is given.
  package init(path: String, name: String? = nil) {
    self.path = path
    self.name = name ?? ClipFormat.stem(of: Folder.name(of: path))
    do throws(ClipError) { try examine() } catch { problem = error }
  }

  /// What is left to say about a file that is known to be no clip.
  ///
  /// A file whose name is taken is a clip but for that, and is measured like one.
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
  /// Examines every file that is a clip or should be one; sorted by the bytes of the names, then of the files' names.
  ///
  /// What is wrong with the list is no file's problem: see ``listProblems``.
  package func examinations() -> [ClipExamination] {
    let faulty = problems.filter { !isAboutList($0) }.map { ClipExamination($0) }
    return (clips.map { ClipExamination(path: $0.path, name: $0.name) } + faulty).sorted { first, second in
      first.name.utf8.elementsEqual(second.name.utf8)
        ? first.path.utf8.lexicographicallyPrecedes(second.path.utf8)
        : first.name.utf8.lexicographicallyPrecedes(second.name.utf8)
    }
  }

  /// What is wrong with the folder's `clips.json`.
  package var listProblems: [ClipError] { problems.filter(isAboutList) }

  private func isAboutList(_ problem: ClipError) -> Bool {
    problem.path.utf8.elementsEqual(Folder.path(ClipList.fileName, from: folder).utf8)
  }
}

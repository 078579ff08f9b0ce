import Files
import Study

/// What `station clips` says about one file: everything about it, or what is wrong with it.
public struct ClipExamination: Sendable {
  /// The file.
  public var path: String
  /// The file's name without `.mp3`, or the name that the folder's list gives it.
  public var name: String
  /// What it holds; `nil` for a file that is no clip.
  public var contents: MP3Contents?
  /// The loudness and the true peak of the whole clip, without any gain; `nil` for a file that is no clip.
  public var loudness: Loudness?
  /// Why it is no clip.
  public var problem: ClipError?

  /// Reads a file once, from beginning to end: hashes, decodes and measures it, in bounded memory.
  ///
  /// - Parameters:
  ///   - path: the file.
  ///   - name: what to call it; the file's name without `.mp3`, unless something else is given.
  public init(path: String, name: String? = nil) {
    self.path = path
    let file = Folder.name(of: path)
    self.name = name ?? (ClipName.isMP3(file) ? ClipName.stem(of: file) : file)
    do throws(ClipError) { try examine() } catch { problem = error }
  }

  /// What is left to say about a file that is known to be no clip.
  init(_ problem: ClipError) {
    path = problem.path
    let file = Folder.name(of: problem.path)
    name = ClipName.isMP3(file) ? ClipName.stem(of: file) : file
    self.problem = problem
  }

  private mutating func examine() throws(ClipError) {
    var reader = try MP3Reader(path)
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
  /// Examines every clip, and repeats every problem; sorted by the bytes of the names.
  public func examinations() -> [ClipExamination] {
    let all = clips.map { ClipExamination(path: $0.path, name: $0.name) } + problems.map { ClipExamination($0) }
    return all.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
  }
}

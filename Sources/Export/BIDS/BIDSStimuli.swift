import Basics
import Bundles
import Study

/// The clips of a data set, below `stimuli/`: each once, named after its content, with a description.
struct BIDSStimuli: Sendable {
  private let folder: String
  /// The files of the user's folder of clips, by their names.
  private let given: [String: [String]]

  /// Finds the clips of a folder and the folders in it.
  ///
  /// - Parameters:
  ///   - dataset: the data set's folder.
  ///   - clips: the folder of clips; `nil` where none is given.
  /// - Throws: `FileError` for a folder that cannot be read.
  init(of dataset: String, clips: String?) throws(FileError) {
    folder = "\(dataset)/stimuli"
    var given: [String: [String]] = [:]
    if let clips { try Self.find(in: clips, depth: 8, &given) }
    self.given = given
  }

  private static func find(in folder: String, depth: Int, _ found: inout [String: [String]]) throws(FileError) {
    for name in try Folder.names(in: folder) {
      let path = "\(folder)/\(name)"
      if !Folder.isFolder(path) {
        found[name, default: []].append(path)
      } else if depth > 0 {
        try find(in: path, depth: depth - 1, &found)
      }
    }
  }

  /// Puts the clip of a trial into the data set with a description, if it is not there yet.
  ///
  /// - Returns: the file's name below `stimuli/`; `nil` where neither the bundle nor the user's folder has the clip.
  /// - Throws: `FileError`.
  func place(_ bundle: Bundle) throws(FileError) -> String? {
    guard let clip = bundle.record.clip?.clip else { return nil }
    let name = Self.name(clip)
    let path = "\(folder)/\(name.file)"
    let sidecar = "\(folder)/\(name.stem).json"
    if !Folder.exists(sidecar) { try File.replaceWhole(sidecar, Self.description(clip).encoded(pretty: true)) }
    if Folder.exists(path) { return name.file }
    if let embedded = bundle.record.files.clip {
      try Self.copy(bundle.open(embedded), to: path)
      return name.file
    }
    for source in given[clip.file] ?? [] where try File.digest(of: source).sha256 == clip.sha256 {
      try Self.copy(File(source, .read), to: path)
      return name.file
    }
    return nil
  }

  private static func copy(_ source: borrowing File, to path: String) throws(FileError) {
    var file = try StreamedFile(path)
    while case let piece = try source.read(upTo: 1 << 18), !piece.isEmpty { try file.write(piece) }
    _ = try file.finish()
  }

  private static func name(_ clip: Clip) -> (stem: String, file: String) {
    let stem = "stim-\(BIDSLabels.stem(of: clip.name))\(clip.sha256.prefix(8))_audio"
    let ending = clip.file.split(separator: ".").last.map { $0.lowercased() } ?? ""
    return (stem, ["mp3", "wav", "flac"].contains(ending) ? "\(stem).\(ending)" : stem)
  }

  private static func description(_ clip: Clip) -> JSONValue {
    [
      "Name": .string(clip.name), "SHA256": .string(clip.sha256), "Bytes": .integer(clip.bytes),
      "Duration": .number((clip.duration.seconds * 1e6).rounded() / 1e6),
      "SamplingFrequency": .integer(clip.sampleRate),
      "Channels": .integer(clip.channels), "Title": .text(clip.annotation.title), "Mood": .text(clip.annotation.mood),
      "License": .text(clip.annotation.licence),
    ]
  }
}

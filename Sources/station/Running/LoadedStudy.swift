import Files
import Sound
import Study

/// A protocol and the clips that it draws from, read and checked together.
struct LoadedStudy: Sendable {
  /// The option by which clips are taken from another folder.
  static let clipsOption = CommandSyntax.Option(
    "clips", value: "FOLDER", "take the clips from here instead of where the protocol says")

  let read: ReadProtocol
  /// The library; `nil` for a protocol without music.
  let library: ClipLibrary?

  var studyProtocol: StudyProtocol { read.studyProtocol }
  var clips: [Clip] { library?.clips ?? [] }

  /// Reads a protocol file and its folder of clips.
  ///
  /// - Parameters:
  ///   - path: the protocol's file.
  ///   - clipsFolder: a folder to take instead of the one that the protocol names.
  /// - Throws: ``Failure`` with every problem, a line each.
  init(_ path: String, clipsFolder: String?) throws {
    let read = try Self.read(path)
    let named = read.studyProtocol.clips.map { Folder.path($0.folder, from: Folder.parent(of: path)) }
    guard read.studyProtocol.steps.contains(where: { if case .music = $0.kind { true } else { false } }),
      let folder = clipsFolder ?? named
    else {
      self.read = read
      library = nil
      return
    }
    let library: ClipLibrary
    do {
      library = try ClipLibrary(folder)
    } catch {
      throw Failure("\(path): \(error)", status: .invalidProtocol)
    }
    let problems = read.problems(with: library.clips)
    guard problems.isEmpty else {
      let unusable = library.problems.map { "\($0)" }
      throw Failure(
        (problems.map(\.description) + unusable).joined(separator: "\n"), status: .invalidProtocol)
    }
    self.read = read
    self.library = library
  }

  private static func read(_ path: String) throws -> ReadProtocol {
    let largest = StudyProtocolReader.largestFile
    let size: Int
    let bytes: [UInt8]
    do {
      size = try File(path, .read).size()
      bytes = size > largest ? [] : try File.contents(of: path, limit: largest)
    } catch {
      throw Failure("\(error)", status: .invalidProtocol)
    }
    guard size <= largest else {
      throw Failure(
        "cannot read “\(path)”: it has \(size) bytes, and a protocol at most \(largest)", status: .invalidProtocol)
    }
    do {
      return try StudyProtocolReader.read(bytes, fileName: path)
    } catch {
      throw Failure("\(error)", status: .invalidProtocol)
    }
  }
}

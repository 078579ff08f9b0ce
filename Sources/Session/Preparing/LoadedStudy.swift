import Basics
import Bundles
package import Sound
package import Study

/// A protocol and the clips that it draws from, read and checked together.
package struct LoadedStudy: Sendable {
  /// The protocol, with its bytes and the places of its members.
  let read: ReadProtocol
  /// The bytes of the protocol's file, or of one that needs no other file.
  let protocolBytes: [UInt8]
  /// The protocol, as bundles refer to it.
  let reference: ProtocolReference
  /// The library; `nil` for a protocol without music.
  package let library: ClipLibrary?
  /// Whether clips depend on the participant, and none was named.
  package let lacksParticipant: Bool
  /// Whether clips depend on the participant.
  package var isPersonal: Bool { source.isPersonal }
  private let source: StudyClips
  /// The folder of the protocol's file.
  private let folder: String

  package var studyProtocol: StudyProtocol { read.studyProtocol }
  /// The clips that can be drawn.
  package var clips: [Clip] { library?.clips ?? [] }

  /// Reads a protocol file and its folder of clips.
  ///
  /// - Parameters:
  ///   - path: the protocol's file.
  ///   - clipsFolder: a folder to take instead of the one that the protocol names.
  ///   - participant: whose clips are read, where they depend on the participant; `nil` reads those of everyone.
  ///   - name: what the file is called in messages; its path unless it is given.
  ///   - base: the folder from which the protocol's folder of clips is looked for; the file's own unless it is given.
  /// - Throws: ``StudyRefusal`` with every problem.
  package init(
    _ path: String, clipsFolder: String?, participant: String? = nil, called name: String? = nil,
    clipsFrom base: String? = nil
  ) throws(StudyRefusal) {
    let folder = base ?? Folder.parent(of: path)
    self.folder = folder
    let read = try Self.read(path, called: name ?? path, in: folder)
    protocolBytes = read.selfContained
    reference = ProtocolReference(
      identifier: read.studyProtocol.identifier, version: read.studyProtocol.version,
      sha256: "\(SHA256.digest(of: protocolBytes))")
    let named = read.studyProtocol.clips.map { Folder.path($0.folder, from: folder) }
    let hasMusic = read.studyProtocol.allSteps.contains { $0.step.music != nil }
    source = StudyClips(read: read, folder: hasMusic ? clipsFolder ?? named : nil, isGiven: clipsFolder != nil)
    (self.read, library) = try source.load(for: participant)
    lacksParticipant = source.isPersonal && participant == nil
  }

  private init(_ other: LoadedStudy, _ read: ReadProtocol, _ library: ClipLibrary?) {
    (self.read, self.library, source, lacksParticipant) = (read, library, other.source, false)
    (protocolBytes, reference, folder) = (other.protocolBytes, other.reference, other.folder)
  }

  /// The pictures that it can show, with their files.
  ///
  /// - Throws: ``StudyRefusal`` for one that was changed since the protocol was read.
  package func pictures() throws(StudyRefusal) -> [StudyPicture: [UInt8]] {
    var files: [StudyPicture: [UInt8]] = [:]
    for picture in studyProtocol.pictures where files[picture] == nil {
      do throws(FileError) {
        files[picture] = try File.contents(of: picture.file, inside: folder, limit: ProtocolFiles.maxSize)
      } catch {
        throw StudyRefusal("\(error)")
      }
      guard let bytes = files[picture], "\(SHA256.digest(of: bytes))" == picture.sha256 else {
        throw StudyRefusal(
          "the picture “\(picture.file.visible)” was changed while the session was prepared; start it again")
      }
    }
    return files
  }

  /// The study with its texts in a language.
  ///
  /// - Parameter language: the language, as a BCP 47 tag.
  /// - Returns: the study; the same bundles' protocol, whatever the language.
  /// - Throws: ``StudyRefusal`` for a language that it does not have.
  package func shown(in language: String) throws(StudyRefusal) -> LoadedStudy {
    guard let shown = read.shown(in: language) else {
      let languages = studyProtocol.languages
      throw StudyRefusal(
        "the protocol has no texts in “\(language)”; "
          + (languages.isEmpty
            ? "it does not name its own language: say it with “language”, and add files with “texts”"
            : Spelling.advice(for: language, among: languages)))
    }
    return LoadedStudy(self, shown, library)
  }

  // MARK: Simulated participants

  /// The participants whose clips simulated ones are played, where clips depend on the participant.
  package var persons: [String] { source.persons }

  /// The study with the clips of a participant.
  ///
  /// - Throws: ``StudyRefusal`` with every problem.
  func of(person: String) throws(StudyRefusal) -> LoadedStudy {
    let (read, library) = try source.load(for: person)
    return LoadedStudy(self, read, library)
  }

  /// The study of a simulated participant, to whom the clips of a participant are played that were read.
  func simulated(as participant: String, with person: String) -> LoadedStudy {
    let folders = source.read.studyProtocol.clipFolders
    let names = Dictionary(
      folders.map { (ParticipantFolder.resolve($0, for: person), ParticipantFolder.resolve($0, for: participant)) }
    ) { first, _ in first }
    return LoadedStudy(self, source.read.of(participant: participant), library?.renaming { names[$0] ?? $0 })
  }

  // MARK: Reading

  private static func read(
    _ path: String, called name: String, in folder: String
  ) throws(StudyRefusal) -> ReadProtocol {
    let largest = StudyProtocolReader.maxFile
    let size: Int
    let bytes: [UInt8]
    do throws(FileError) {
      size = try File(path, .read).size()
      bytes = size > largest ? [] : try File.contents(of: path, limit: largest)
    } catch {
      throw StudyRefusal("\(error)")
    }
    guard size <= largest else {
      throw StudyRefusal("cannot read “\(path.visible)”: it has \(size) bytes, and a protocol at most \(largest)")
    }
    do throws(ProtocolProblems) {
      let files = ProtocolFiles { path in
        Result { () throws(FileError) in
          try File.contents(of: path, inside: folder, limit: ProtocolFiles.maxSize)
        }
      }
      return try StudyProtocolReader.read(bytes, fileName: name, files: files)
    } catch {
      throw StudyRefusal(error)
    }
  }
}

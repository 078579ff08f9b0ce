import Basics
package import Bundles
package import Sound
package import Study

/// A protocol and the clips that it draws from, read and checked together.
package struct LoadedStudy: Sendable {
  /// The protocol, with its bytes and the places of its members.
  package let read: ReadProtocol
  /// The bytes of the protocol's file, or of one that needs no other file.
  package let protocolBytes: [UInt8]
  /// The protocol, as bundles refer to it.
  package let reference: ProtocolReference
  /// The library; `nil` for a protocol without music.
  package let library: ClipLibrary?

  /// The protocol.
  package var studyProtocol: StudyProtocol { read.studyProtocol }
  /// The clips that can be drawn.
  package var clips: [Clip] { library?.clips ?? [] }

  /// Reads a protocol file and its folder of clips.
  ///
  /// - Parameters:
  ///   - path: the protocol's file.
  ///   - clipsFolder: a folder to take instead of the one that the protocol names.
  ///   - name: what the file is called in messages; its path unless it is given.
  ///   - base: the folder from which the protocol's folder of clips is looked for; the file's own unless it is given.
  /// - Throws: ``StudyRefusal`` with every problem.
  package init(_ path: String, clipsFolder: String?, called name: String? = nil, clipsFrom base: String? = nil)
    throws(StudyRefusal)
  {
    let folder = base ?? Folder.parent(of: path)
    let read = try Self.read(path, called: name ?? path, in: folder)
    protocolBytes = read.selfContained
    reference = ProtocolReference(
      identifier: read.studyProtocol.identifier, version: read.studyProtocol.version,
      sha256: "\(SHA256.digest(of: protocolBytes))")
    let named = read.studyProtocol.clips.map { Folder.path($0.folder, from: folder) }
    guard read.studyProtocol.allSteps.contains(where: { $0.step.music != nil }),
      let folder = clipsFolder ?? named
    else {
      self.read = read
      library = nil
      return
    }
    let library: ClipLibrary
    do {
      library = try ClipLibrary(folder, subfolders: read.studyProtocol.clipFolders)
    } catch {
      guard clipsFolder == nil else { throw StudyRefusal("\(error); name another folder with --clips") }
      throw StudyRefusal(problems: [read.unreadableClips("\(error)")])
    }
    let problems = read.problems(with: library.clips)
    guard problems.isEmpty else {
      // Where there is no clip at all, what lies in the folder instead is what the researcher looks for.
      let skipped = library.clips.isEmpty ? library.skipped.map { "\($0)" } : []
      let others = library.problems.map { "\($0)" } + skipped
      // The protocol's own folder was not looked into.
      if let clipsFolder, library.clips.isEmpty {
        let advice = "put mp3, WAV or FLAC files there, or name another folder with --clips"
        throw StudyRefusal(problems: [], others: ["there is no clip in “\(clipsFolder.visible)”; \(advice)"] + others)
      }
      throw StudyRefusal(problems: problems, others: others)
    }
    self.read = read
    self.library = library
  }

  private static func read(
    _ path: String, called name: String, in folder: String
  ) throws(StudyRefusal) -> ReadProtocol {
    let largest = StudyProtocolReader.largestFile
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
          try File.contents(of: Folder.path(path, from: folder), limit: ProtocolFiles.largest)
        }
      }
      return try StudyProtocolReader.read(bytes, fileName: name, files: files)
    } catch {
      throw StudyRefusal(error)
    }
  }
}

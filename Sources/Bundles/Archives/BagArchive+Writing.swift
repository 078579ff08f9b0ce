import Basics

extension BagArchive {
  /// Writes the archive to a new file, readable by this user only.
  ///
  /// It gets its name when it is complete and on the disk; nothing is left of one that could not be completed.
  ///
  /// - Parameters:
  ///   - file: the file.
  ///   - form: whether it is compressed and encrypted.
  ///   - recipients: who can read it, if it is encrypted.
  /// - Returns: its size in bytes.
  /// - Throws: ``ArchiveError``, `FileError`, and `OutputFileError` for a name that was taken meanwhile.
  package func write(to file: OutputFile, _ form: ArchiveForm, for recipients: ArchiveRecipients) throws -> Int {
    let folder = Folder.parent(of: file.path)
    let name = ".\(Folder.name(of: file.path)).\(UInt64.random(in: .min ... .max)).part"
    let part = Folder.path(name, from: folder)
    UnfinishedFiles.add(part)
    defer { UnfinishedFiles.remove(part) }
    do {
      try write(toPart: part, form, recipients)
      let size = try Self.finish(part)
      try Folder.rename(part, to: file.path)
      try Folder.synchronize(folder)
      return size
    } catch {
      try? Folder.removeFile(part)
      guard let error = error as? FileError else { throw error }
      if error.isTaken { throw OutputFileError.exists(file.path) }
      throw error.path == part ? FileError(error.action, file.path, code: error.code) : error
    }
  }

  private func write(toPart part: String, _ form: ArchiveForm, _ recipients: ArchiveRecipients) throws {
    var programs: [[String]] = []
    if form.isCompressed { programs.append(ArchiveForm.compressor) }
    if form.isEncrypted { programs.append(ArchiveForm.encryptor(recipients.keys, recipients.files)) }
    guard !programs.isEmpty else {
      let written = try File(part, .create, isPrivate: true)
      return try write { try written.write($0) }
    }
    do {
      let chain = try ProgramChain(programs, to: part)
      try write { try chain.write($0) }
      try chain.finish()
    } catch let failure as ProgramChain.Failure {
      throw ArchiveError(failure)
    }
  }

  private static func finish(_ part: String) throws(FileError) -> Int {
    let written = try File(part, .read)
    try written.synchronize()
    return try written.size()
  }
}

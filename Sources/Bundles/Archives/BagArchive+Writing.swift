import Basics

extension BagArchive {
  /// Writes the archive to a new file.
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
    try file.write { part in try write(to: part, form, recipients) }
  }

  private func write(to part: borrowing File, _ form: ArchiveForm, _ recipients: ArchiveRecipients) throws {
    var programs: [[String]] = []
    if form.isCompressed { programs.append(ArchiveForm.compressor) }
    if form.isEncrypted { programs.append(ArchiveForm.encryptor(recipients.keys, recipients.files)) }
    guard !programs.isEmpty else { return try write { try part.write($0) } }
    do {
      let chain = try ProgramChain(programs, to: part.path)
      try write { try chain.write($0) }
      try chain.finish()
    } catch let failure as ProgramChain.Failure {
      throw ArchiveError(failure)
    }
  }
}

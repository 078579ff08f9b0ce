import Basics

/// The folder, or the archive of it, that the phone exports from Apple Health.
enum AppleHealthFolder {
  /// The export within a folder, whose file name is in the phone's language.
  static func export(in folder: String) throws(ImportError) -> String {
    do throws(FileError) {
      for candidate in [folder, "\(folder)/apple_health_export"] where Folder.isFolder(candidate) {
        let names = try Folder.names(in: candidate).filter { $0.hasSuffix(".xml") }
        for name in names where isExport(try File("\(candidate)/\(name)", .read).read(upTo: 4096)) {
          return "\(candidate)/\(name)"
        }
      }
    } catch {
      throw .file(error)
    }
    throw .notImportable(
      path: folder, reason: "no file of this folder is an Apple Health export; it is called “export.xml” in English")
  }

  /// The export in the archive that the phone wrote, at its beginning; `nil` if there is none.
  static func export(zipped path: String) throws(ImportError) -> ZipReader? {
    do throws(ArchiveFault) {
      let archive = try ZipReader(path)
      while try archive.next() {
        guard archive.name.hasSuffix(".xml"), archive.name.split(separator: "/").count <= 2 else { continue }
        if isExport(try archive.peek(4096)) { return archive }
      }
      return nil
    } catch {
      throw .notImportable(path: path, reason: error.description)
    }
  }

  /// Whether a file begins as an export does.
  static func isExport(_ beginning: [UInt8]) -> Bool {
    let text = String(decoding: beginning, as: UTF8.self)
    return text.contains("<!DOCTYPE HealthData") || text.contains("<HealthData")
  }
}

import Basics

/// The folder to which an Apple Health export unpacks.
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

  /// Whether a file begins as an export does.
  static func isExport(_ beginning: [UInt8]) -> Bool {
    let text = String(decoding: beginning, as: UTF8.self)
    return text.contains("<!DOCTYPE HealthData") || text.contains("<HealthData")
  }
}

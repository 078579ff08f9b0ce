import Basics

/// The files of a page, which are part of the program.
///
/// Scripts and style sheets are addressed by their digest, so that a browser keeps them as long as they do not change.
struct PageFiles: Sendable {
  private let files: [String: PageFile]

  /// The participant's page.
  static let participant = PageFiles(
    page: PackageResources.page_html,
    parts: [
      ("page.css", "text/css; charset=utf-8", PackageResources.page_css),
      ("page.js", "text/javascript; charset=utf-8", PackageResources.page_js),
    ])

  /// Files of a page: `{{page.js}}` in it is the address of that part.
  private init(page: [UInt8], parts: [(name: String, type: String, bytes: [UInt8])]) {
    var files: [String: PageFile] = [:]
    var text = String(decoding: page, as: UTF8.self)
    for part in parts {
      let path = "/a/\(SHA256.digest(of: part.bytes)).\(part.name.split(separator: ".").last ?? "")"
      files[path] = PageFile(type: part.type, bytes: part.bytes, isPermanent: true)
      text = text.replacing("{{\(part.name)}}", with: path)
    }
    files["/"] = PageFile(type: "text/html; charset=utf-8", bytes: Array(text.utf8), isPermanent: false)
    self.files = files
  }

  subscript(path: String) -> PageFile? { files[path] }
}

package import Basics

/// A file that leads a browser of the station's own user to a page, with the page's token.
///
/// The token is in the address after `#`, which browsers do not send, and never among the words of a command, which
/// every user of the computer can read.
package struct PageDoor: Sendable {
  /// The path of the file, which its owner alone may read.
  package let path: String
  /// The page's address, with its token.
  package let address: String
  private let folder: TemporaryFolder

  /// Makes the file.
  ///
  /// - Parameters:
  ///   - server: what serves the page.
  ///   - name: the file's name, without `.html`.
  ///   - title: what the page is.
  /// - Throws: `FileError`.
  package init(
    to server: PageServer, name: String = "participant", title: String = "The participant's page"
  ) throws(FileError) {
    folder = try TemporaryFolder()
    path = "\(folder.path)/\(name).html"
    address = "http://127.0.0.1:\(server.port)/#\(server.token.text)"
    let text = """
      <!doctype html>
      <meta charset="utf-8">
      <title>station</title>
      <meta http-equiv="refresh" content="0; url=\(address)">
      <a href="\(address)">\(title)</a>

      """
    try File(path, .create).write(Array(text.utf8))
  }

  /// Removes the file.
  package func remove() { folder.remove() }
}

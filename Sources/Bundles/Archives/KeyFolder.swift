package import Basics

/// The keys of a station, in a folder: a private key `NAME.key`, which its owner alone may read, and its public key `NAME.pub`.
package struct KeyFolder: Sendable {
  package let path: String

  /// A key as lists show it.
  package struct Listed: Sendable {
    package let name: String
    package let publicKey: VerifyingKey

    package init(name: String, publicKey: VerifyingKey) { (self.name, self.publicKey) = (name, publicKey) }
  }

  /// The keys in a folder, which need not exist.
  package init(_ path: String) { self.path = path }

  /// Makes a key.
  ///
  /// - Returns: the key.
  /// - Throws: ``KeyError``.
  package func create(_ name: String) throws(KeyError) -> Listed {
    guard Self.isName(name) else { throw .badName(name) }
    let key = SigningKey()
    do throws(FileError) {
      try Folder.ensure(path, isPrivate: true)
      try File.createWhole(privateFile(name), Array(key.pem.utf8), isPrivate: true)
      // A public key that is left of a lost private one would be taken for this one's.
      try File.replaceWhole(publicFile(name), Array(key.publicKey.pem.utf8))
    } catch {
      throw error.isTaken ? .taken(name, path: privateFile(name)) : .file(error)
    }
    return Listed(name: name, publicKey: key.publicKey)
  }

  /// The keys, by name.
  ///
  /// - Throws: ``KeyError``.
  package func list() throws(KeyError) -> [Listed] {
    guard Folder.isFolder(path) else { return [] }
    let names: [String]
    do throws(FileError) { names = try Folder.names(in: path) } catch { throw .file(error) }
    var keys: [Listed] = []
    for name in names where name.hasSuffix(".pub") && !name.hasPrefix(".") {
      let name = String(name.dropLast(4))
      keys.append(Listed(name: name, publicKey: try publicKey(name)))
    }
    return keys
  }

  /// The private key of a name, or in a file, whose path has a slash.
  ///
  /// - Throws: ``KeyError``, also for a file that others may read.
  package func signingKey(_ name: String) throws(KeyError) -> SigningKey {
    let file = try located(name, privateFile)
    do throws(PrivateFile.Failure) {
      guard let key = SigningKey(pem: try PrivateFile.text(file)) else { throw .unreadable(FileError("", "", code: 0)) }
      return key
    } catch {
      switch error {
      case .open: throw .readableByOthers(file)
      case .unreadable(let error): throw error.code == 0 ? .noKey(file, isPrivate: true) : .file(error)
      }
    }
  }

  /// The public key of a name, or in a file, whose path has a slash.
  ///
  /// - Throws: ``KeyError``.
  package func publicKey(_ name: String) throws(KeyError) -> VerifyingKey {
    let file = try located(name, publicFile)
    let text: String
    do throws(FileError) {
      text = String(decoding: try File.contents(of: file, limit: 1 << 16), as: UTF8.self)
    } catch {
      throw .file(error)
    }
    guard let key = VerifyingKey(pem: text) else { throw .noKey(file, isPrivate: false) }
    return key
  }

  private func located(_ name: String, _ file: (String) -> String) throws(KeyError) -> String {
    if Self.isName(name), Folder.exists(file(name)) { return file(name) }
    guard name.contains("/") || Folder.exists(name) else { throw .unknown(name, folder: path) }
    return name
  }

  private func privateFile(_ name: String) -> String { "\(path)/\(name).key" }
  private func publicFile(_ name: String) -> String { "\(path)/\(name).pub" }

  private static func isName(_ name: String) -> Bool {
    (1...64).contains(name.utf8.count) && name.first != "." && name.first != "-"
      && name.utf8.allSatisfy {
        (48...57).contains($0) || (65...90).contains($0) || (97...122).contains($0) || "-_.".utf8.contains($0)
      }
  }
}

/// Why a key cannot be made or used.
package enum KeyError: Error, Hashable, Sendable, CustomStringConvertible {
  /// A name has other characters than a key's.
  case badName(String)
  /// There is a key of that name.
  case taken(String, path: String)
  /// There is no such key.
  case unknown(String, folder: String)
  /// Other users may read a private key.
  case readableByOthers(String)
  /// A file holds no key of the kind.
  case noKey(String, isPrivate: Bool)
  /// A file cannot be read or written.
  case file(FileError)

  /// What is wrong, and what to do.
  package var description: String {
    switch self {
    case .badName(let name):
      "“\(name.visible)” cannot be the name of a key: use letters, digits, “-”, “_” and “.”, at most 64"
    case .taken(let name, let path):
      "there is a key “\(name.visible)”, and keys are never overwritten; choose another name, or move “\(path.visible)” away"
    case .unknown(let name, let folder):
      "there is no key “\(name.visible)” in “\(folder.visible)”; “station keys list” shows the keys, “station keys create” "
        + "makes one, and a file is named with a slash: ./\(Folder.name(of: name).visible)"
    case .readableByOthers(let path):
      "other users may read the private key “\(path.visible)”: run “chmod 600 \(path.shellQuoted)”, and make a new key if "
        + "they may have read it"
    case .noKey(let path, let isPrivate):
      isPrivate
        ? "“\(path.visible)” holds no private Ed25519 key in PEM (PKCS #8, without a password)"
        : "“\(path.visible)” holds no public Ed25519 key in PEM; “station keys show NAME” prints one"
    case .file(let error): error.description
    }
  }
}

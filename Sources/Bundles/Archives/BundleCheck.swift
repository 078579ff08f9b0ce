package import Basics

/// What a check of a bundle found, be it a folder or an archive.
package struct BundleCheck: Sendable {
  /// What became of a signature.
  package enum Signature: Hashable, Sendable {
    /// The key's owner has signed the manifest.
    case valid
    /// There is no signature.
    case missing
    /// Another key has signed it: the beginning of that key's fingerprint.
    case otherKey(String)
    /// The manifest is not the one that was signed.
    case altered
    /// There is a signature, and no key to check it with: the fingerprint that it names.
    case unchecked(String?)
  }

  /// One sentence a problem.
  package let problems: [String]
  /// The signature; `nil` if there is none and none was asked for.
  package let signature: Signature?

  /// Whether everything is as it was, and signed by the given key.
  package var isWhole: Bool { problems.isEmpty }

  private init(_ problems: [String], tags: [String: [UInt8]]?, _ key: VerifyingKey?) {
    let signature = tags.flatMap { Self.signature(in: $0, key) }
    (self.signature, self.problems) = (signature, problems + (signature?.problem.map { [$0] } ?? []))
  }

  /// Checks a bundle's folder, from its bag down to its samples.
  ///
  /// - Parameters:
  ///   - path: the folder.
  ///   - key: the key that must have signed it.
  package init(folder path: String, key: VerifyingKey?) {
    var tags: [String: [UInt8]] = [:]
    for name in [Bag.manifestFile, Bag.signatureFile, Bag.keyFile] {
      tags[name] = try? File(inside: path, name).contents(limit: BagContents.maxTagFile)
    }
    self.init(Bundle.verify(path), tags: Folder.isFolder(path) ? tags : nil, key)
  }

  /// Checks an archive, which is not unpacked: that its files are those of its manifests.
  ///
  /// - Parameters:
  ///   - path: the file.
  ///   - identity: the file with the key that decrypts it.
  ///   - key: the key that must have signed it.
  package init(archive path: String, identity: String?, key: VerifyingKey?) {
    do {
      let (name, contents) = try Self.contents(of: path, identity: identity)
      let problems = BagCheck(contents).problems
      let label = contents.tags[Bag.informationFile].map { String(decoding: $0, as: UTF8.self) } ?? ""
      let isNamed = label.split(separator: "\n").contains("External-Identifier: \(name)")
      let misnamed = "the folder in it is named “\(name.visible)”, which “\(Bag.informationFile)” does not say"
      self.init(problems + (isNamed ? [] : [misnamed]), tags: contents.tags, key)
    } catch let failure as ProgramChain.Failure {
      self.init(["\(ArchiveError(failure))"], tags: nil, key)
    } catch {
      self.init(["\(error)"], tags: nil, key)
    }
  }

  private static func contents(of path: String, identity: String?) throws -> (name: String, contents: BagContents) {
    let isEncrypted = try isAge(File(path, .read).read(upTo: 64))
    var programs: [[String]] = []
    if isEncrypted {
      guard let identity else { throw ArchiveError.encrypted }
      programs = [ArchiveForm.decryptor(identity)]
    }
    let beginning =
      isEncrypted ? try ProgramChain(programs, from: path).read(upTo: 4) : try File(path, .read).read(upTo: 4)
    if beginning == [0x28, 0xB5, 0x2F, 0xFD] { programs.append(ArchiveForm.decompressor) }
    if programs.isEmpty {
      let file = try File(path, .read)
      return try withExtendedLifetime(LockedBytes(file)) { bytes in
        var reader = TarReader { try bytes.file.read(upTo: $0) }
        return try BagContents.read(&reader)
      }
    }
    let chain = try ProgramChain(programs, from: path)
    var reader = TarReader { try chain.read(upTo: $0) }
    return try BagContents.read(&reader)
  }

  /// Whether a file begins as age's do, in binary or in ASCII armour.
  private static func isAge(_ bytes: [UInt8]) -> Bool {
    bytes.starts(with: "age-encryption.org/v1".utf8) || bytes.starts(with: "-----BEGIN AGE ENCRYPTED FILE-----".utf8)
  }

  private static func signature(in tags: [String: [UInt8]], _ key: VerifyingKey?) -> Signature? {
    let named = tags[Bag.keyFile].flatMap { VerifyingKey(pem: String(decoding: $0, as: UTF8.self)) }
    guard let signature = tags[Bag.signatureFile] else { return key == nil ? nil : .missing }
    guard let key else { return .unchecked(named?.fingerprint) }
    let manifest = tags[Bag.manifestFile] ?? []
    if key.accepts(signature, of: manifest) { return .valid }
    if let named, named != key, named.accepts(signature, of: manifest) { return .otherKey(named.fingerprint) }
    return .altered
  }
}

/// A file that a closure reads.
private final class LockedBytes: Sendable {
  let file: File

  init(_ file: consuming File) { self.file = file }
}

extension BundleCheck.Signature {
  /// The code in JSON.
  package var code: String {
    switch self {
    case .valid: "valid"
    case .missing: "missing"
    case .otherKey: "otherKey"
    case .altered: "altered"
    case .unchecked: "unchecked"
    }
  }

  /// What is wrong; `nil` where nothing is.
  var problem: String? {
    switch self {
    case .valid, .unchecked: nil
    case .missing: "it is not signed: it has no “\(Bag.signatureFile)”"
    case .otherKey(let fingerprint): "it is signed by another key, \(fingerprint); ask its sender for that public key"
    case .altered:
      "its signature is not of this manifest: the manifest was altered after it was signed, or the signature is damaged"
    }
  }
}

import Basics
import Bundles
import Laboratory

extension Command {
  /// A trial or a session as one archive, signed and encrypted if asked for.
  static let exportBundle = Command(
    "export bundle", operands: "TRIAL|BUNDLE|SESSION",
    "writes a trial or a whole session as one archive, which “station verify” checks",
    options: [
      .init(
        "to", value: "FILE", isRequired: true,
        "the new file; its name says the form: \(ArchiveForm.endings)"),
      .init("sign", value: "KEY", "sign the manifest with this key of “station keys”, or with a private key in a file"),
      .init("recipient", value: "KEY", repeats: true, "encrypt to this public key, age1… or ssh-…, with age"),
      .init("recipients", value: "FILE", repeats: true, "encrypt to the public keys in a file, one a line"),
      .init("encrypt", "encrypt to the recipients that the settings name"), .keys,
      .init(
        "results", value: "FOLDER", "the results folder of trials and sessions named by identifier (default: results)"),
      .shared, .json(),
    ]
  ) { arguments in
    let file = arguments["to"] ?? ""
    guard let form = ArchiveForm(name: file) else {
      throw arguments.refusal(
        "the name “\(file.visible)” does not say the form of the archive: expected a name that ends with "
          + ArchiveForm.endings)
    }
    let recipients = try Self.recipients(arguments)
    if form.isEncrypted, recipients.isEmpty {
      throw arguments.refusal(
        "“\(file.visible)” is to be encrypted: name --recipient KEY, --recipients FILE or --encrypt")
    }
    if !form.isEncrypted, !recipients.isEmpty {
      throw arguments.refusal("an encrypted archive has a name that ends with .age: --to \(file.visible).age")
    }
    let signer = try arguments["sign"].map { (name: $0, keys: try KeyFolder(arguments)) }
    Interrupts.endTidily()
    let output = try OutputFile(file)
    let key = try signer.map { try $0.keys.signingKey($0.name) }
    var archive = try Self.archive(of: arguments.operands[0], in: arguments.results)
    if let key { archive = try archive.signed(by: key) }
    let bytes = try archive.write(to: output, form, for: recipients)
    Console.standard.show(status: "")
    let facts = [
      archive.files.counted("file"), bytes.counted("byte"),
      key.map { "signed by \($0.publicKey.fingerprint)" } ?? "not signed",
      form.isEncrypted ? "encrypted" : "not encrypted",
    ]
    Console.standard.answer(
      arguments,
      [
        "path": .string(file), "name": .string(archive.name), "files": .integer(archive.files),
        "bytes": .integer(bytes),
        "signedBy": .text(key?.publicKey.fingerprint), "isEncrypted": .bool(form.isEncrypted),
        "isCompressed": .bool(form.isCompressed),
      ], ["wrote “\(file.visible)”: \(archive.name), \(facts.joined(separator: ", "))"])
    return .done
  }

  private static func recipients(_ arguments: Arguments) throws -> ArchiveRecipients {
    var recipients = ArchiveRecipients(keys: arguments.all("recipient"), files: arguments.all("recipients"))
    guard recipients.keys.allSatisfy(ArchiveRecipients.isKey) else {
      // What was given may be a private key, which is not repeated.
      throw arguments.refusal("invalid value for --recipient: expected a public key that begins with age1 or ssh-")
    }
    guard arguments.has("encrypt") else { return recipients }
    guard let named = try AppliedSettings(arguments).recipients else {
      throw arguments.refusal(
        "--encrypt needs “recipients” in the settings, for example [\"age1…\"]; see “station settings”")
    }
    recipients.keys += named.value
    return recipients
  }

  private static func archive(of operand: String, in results: String) throws -> BagArchive {
    if let session = try SessionPath(operand, in: results) {
      guard session.sessions.count == 1 else {
        throw Failure(
          "“\(operand.visible)” has \(session.sessions.count.counted("session")); name one of them, as in "
            + "\(operand.visible)/sessions")
      }
      return try BagArchive(ofSession: session.sessions[0], in: session.results) { done, count in
        Console.standard.show(status: "bundle \(done) of \(count)")
      }
    }
    let path = try TrialNames(results: results).path(of: operand)
    let bundle = try Bundle(path)
    try bundle.requireWhole()
    let corrections = CorrectionsFile(ofBundle: path)
    if corrections.isThere {
      Console.standard.report(
        "note: the corrections of its beats are not in the archive, which holds what was recorded: “\(corrections.path.visible)”"
      )
    }
    return try BagArchive(of: bundle)
  }
}

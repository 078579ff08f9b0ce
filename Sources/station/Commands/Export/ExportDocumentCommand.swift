import Export

/// `station export edf|fhir|kubios|omh|researchkit RESULTS…`: trials as documents for other programs.
struct ExportDocumentCommand {
  /// A command for each form.
  static let all: [AnyCommand] = DocumentForm.all.map { form in
    let syntax = CommandSyntax(
      "export \(form.name)", operands: "RESULTS|BUNDLE…", count: 1...1_000_000, "writes \(form.title)",
      options: [ExportOptions.to] + ExportOptions.choice + PseudonymisationOptions.options + [
        .shared, ExportOptions.json,
      ])
    return AnyCommand(syntax) { arguments in try ExportDocumentCommand(form, arguments).run }
  }

  private let form: DocumentForm
  private let options: ExportOptions
  private let pseudonymisation: PseudonymisationOptions

  private init(_ form: DocumentForm, _ arguments: Arguments) throws {
    self.form = form
    options = try ExportOptions(arguments)
    pseudonymisation = try PseudonymisationOptions(arguments)
  }

  private func run() async throws -> ExitStatus {
    Interrupts.endTidily()
    let trials = try await options.trials()
    let export = DocumentExport(
      form, to: options.folder, pseudonymisation: try pseudonymisation.value(for: options.operands))
    let outcome = try await export.write(trials) { ExportOptions.show($0, of: $1) }
    return options.tell(outcome)
  }
}

import Exchange

/// A form of documents as a command.
protocol DocumentKind: Sendable {
  static var form: DocumentForm { get }
}

/// EDF+ files.
enum EDFKind: DocumentKind { static let form = DocumentForm.edf }
/// FHIR Observations.
enum FHIRKind: DocumentKind { static let form = DocumentForm.fhir }
/// Intervals as text.
enum KubiosKind: DocumentKind { static let form = DocumentForm.kubios }
/// Open mHealth data points.
enum OpenMHealthKind: DocumentKind { static let form = DocumentForm.omh }
/// ResearchKit's files.
enum ResearchKitKind: DocumentKind { static let form = DocumentForm.researchkit }

/// `station export edf|fhir|kubios|omh|researchkit RESULTS…`: trials as documents for other programs.
struct ExportDocumentCommand<Kind: DocumentKind>: Command {
  static var syntax: CommandSyntax {
    CommandSyntax(
      "export \(Kind.form.rawValue)", operands: "RESULTS|BUNDLE…", count: 1...1_000_000, "writes \(Kind.form.title)",
      options: [ExportOptions.to] + ExportOptions.choice + DisguiseOptions.options + [.shared, ExportOptions.json])
  }

  private let options: ExportOptions
  private let disguise: DisguiseOptions

  init(_ arguments: Arguments) throws {
    options = try ExportOptions(arguments)
    disguise = try DisguiseOptions(arguments)
  }

  func run() async throws -> ExitStatus {
    Interrupts.endTidily()
    let trials = try await options.trials()
    let export = DocumentExport(Kind.form, to: options.folder, disguise: try disguise.value(for: options.operands))
    let outcome = try await export.write(trials) { ExportOptions.show($0, of: $1) }
    return options.tell(outcome)
  }
}

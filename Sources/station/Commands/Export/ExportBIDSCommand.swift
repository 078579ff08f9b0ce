import Analysis
import Basics
import Export

/// `station export bids RESULTS…`: trials as a BIDS data set, to which later calls add.
struct ExportBIDSCommand: Command {
  static let syntax = CommandSyntax(
    "export bids", operands: "RESULTS|BUNDLE…", count: 1...1_000_000,
    "writes trials as a BIDS 1.11.1 data set, or adds those that it does not have yet",
    options: [ExportOptions.to] + ExportOptions.choice + PseudonymisationOptions.options + [
      .init("clips", value: "FOLDER", "copy clips that bundles do not embed from this folder, by their SHA-256"),
      .init(
        "describe", value: "FILE", "JSON members for dataset_description.json and the tasks: Name, Authors, License …"),
      .shared, ExportOptions.json,
    ])

  private let options: ExportOptions
  private let pseudonymisation: PseudonymisationOptions
  private let clips: String?
  private let description: String?

  init(_ arguments: Arguments) throws {
    options = try ExportOptions(arguments)
    pseudonymisation = try PseudonymisationOptions(arguments)
    (clips, description) = (arguments["clips"], arguments["describe"])
  }

  func run() async throws -> ExitStatus {
    Interrupts.endTidily()
    let export = BIDSExport(
      to: options.folder, version: Version.current, pseudonymisation: try pseudonymisation.value(for: options.operands),
      clips: clips,
      given: try given())
    let outcome = try await export.write(options.operands, options.selection) { ExportOptions.show($0, of: $1) }
    return options.tell(outcome)
  }

  private func given() throws -> BIDSDescription {
    guard let description else { return BIDSDescription() }
    do {
      let document = try JSONReader.read(File.contents(of: description, limit: 1 << 20)).value
      guard let members = document.object else {
        throw Failure("--describe “\(description.visible)”: expected a JSON object")
      }
      return BIDSDescription(members)
    } catch let error as FileError {
      throw error
    } catch let error as Failure {
      throw error
    } catch {
      throw Failure("--describe “\(description.visible)” is not JSON: \(error)")
    }
  }
}

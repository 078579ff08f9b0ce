import Basics
import Bundles
import Glibc
import Pages
import Session

extension Command {
  /// The operator's console in a browser.
  static let console = Command(
    "console", "serves the operator's console: sessions that run here, in a browser", takesInterrupts: true,
    options: [
      .init("results", value: "FOLDER", "the folder whose sessions are shown (default: results)"),
      .init(
        "studies", value: "FOLDER", "where protocols lie, in it or in a folder in it (default: the current folder)"),
      .init("browser", "open it in this user's browser"),
    ]
  ) { try await ConsoleRequest($0).run() }
}

private struct ConsoleRequest {
  let arguments: Arguments

  init(_ arguments: Arguments) throws { self.arguments = arguments }

  func run() async throws -> ExitStatus {
    let console = Console.standard
    let folder = ResultsFolder(arguments.results)
    let work = ConsoleWork(results: arguments.results, studies: arguments["studies"] ?? ".")
    defer { work.started.forget() }
    let page = ConsolePage(
      find: {
        ((try? folder.sessionsAtSockets()) ?? []).map {
          .init(socket: $1, participant: $0.participant, study: $0.study, since: $0.since)
        }
      }, documents: work.documents, work: { await work.answer($0) })
    let server = try PageServer(page)
    defer { server.close() }
    let door = try PageDoor(to: server, name: "console", title: "The operator's console")
    defer { door.remove() }
    console.line("the operator's console: open \(door.path) in a browser of this computer")
    console.line("Ctrl-C ends the console; sessions go on without it")
    if arguments.has("browser"), let problem = open(door.path) { console.report(problem) }
    let (interrupts, told) = AsyncStream.makeStream(of: Void.self)
    Interrupts.onEach { _ in told.yield() }
    for await _ in interrupts { break }
    return .done
  }

  /// Opens a file in the browser that the user has chosen; why that cannot be, else.
  private func open(_ path: String) -> String? {
    guard getuid() != 0 else {
      return
        "a browser does not run as root without its sandbox; run the console as another user, or open the file yourself"
    }
    do {
      _ = try TemporaryFolder().use { try ProgramStart(["xdg-open", path]).run(in: $0) }
      return nil
    } catch {
      return "no browser was opened, since xdg-open failed; install xdg-utils, or open the file yourself"
    }
  }
}

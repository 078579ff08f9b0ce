import CPostgres

/// libpq, loaded when the first server is needed.
@safe final class PostgresLibrary: Sendable {
  /// The library, or the reason why it could not be loaded; tried once a process.
  static let shared: Result<PostgresLibrary, PostgresError> = {
    do throws(PostgresError) { return .success(try PostgresLibrary()) } catch { return .failure(error) }
  }()

  /// The functions; immutable after `init`, and safe to call from any thread.
  let functions: cpostgres_functions

  private init() throws(PostgresError) {
    var functions = cpostgres_functions()
    var reason = [CChar](repeating: 0, count: 256)
    guard unsafe cpostgres_load(&functions, &reason, reason.count) == 0 else {
      let text = reason.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
      throw PostgresError(
        action: "open the PostgreSQL library", state: PostgresError.missingLibrary,
        reason: String(decoding: text, as: UTF8.self))
    }
    self.functions = functions
  }
}

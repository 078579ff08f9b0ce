/// The value of an operation, or `nil` if another one ends earlier; the slower one is cancelled.
package func firstResult<Value: Sendable>(
  of operation: @escaping @Sendable () async -> Value, unless other: @escaping @Sendable () async -> Void
) async -> Value? {
  await withTaskGroup(of: Value?.self) { group in
    group.addTask { await operation() }
    group.addTask {
      await other()
      return nil
    }
    defer { group.cancelAll() }
    return await group.next() ?? nil
  }
}

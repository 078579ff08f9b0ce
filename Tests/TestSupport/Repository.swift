/// Where the repository lies on the machine that built the tests.
package enum Repository: Sendable {
  /// The repository's folder, without a slash at its end.
  package static let root: String = {
    let parts = #filePath.split(separator: "/")
    return "/" + parts.dropLast(3).joined(separator: "/")
  }()

  /// The Python of the tests' own environment, with `jsonschema` and `bagit`; Scripts/test makes it.
  package static let python = "\(root)/.test-env/bin/python"
}

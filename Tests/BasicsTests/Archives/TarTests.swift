import TestSupport
import Testing

@testable import Basics

@Suite("Tar archives")
struct TarTests {
  /// The files of an archive with their contents.
  private static func files(of archive: [UInt8], pieces: Int = .max) throws -> [String: [UInt8]] {
    var position = 0
    var reader = TarReader { count in
      let end = min(archive.count, position + min(count, pieces))
      defer { position = end }
      return Array(archive[position..<end])
    }
    var files: [String: [UInt8]] = [:]
    while let entry = try reader.next() {
      var content: [UInt8] = []
      while case let bytes = try reader.read(upTo: 100), !bytes.isEmpty { content += bytes }
      #expect(content.count == entry.size)
      if !entry.isFolder { files[entry.path] = content }
    }
    return files
  }

  private static let content: [String: [UInt8]] = [
    "bag/empty": [], "bag/data/one.json": Array("{}\n".utf8), "bag/data/block": [UInt8](repeating: 7, count: 512),
    "bag/data/\(String(repeating: "ü", count: 120)).mp3": Array(repeating: 1, count: 2000), "bag/a\nb": [1, 2],
  ]

  private static func archive(_ files: [String: [UInt8]] = content) -> [UInt8] {
    files.sorted { $0.key < $1.key }.flatMap {
      TarHeader.file($0.key, size: $0.value.count) + $0.value + TarHeader.padding(after: $0.value.count)
    } + TarHeader.end
  }

  @Test("What is written is read, in pieces of any size", arguments: [1, 511, 512, 1 << 20])
  func reads(pieces: Int) throws { #expect(try Self.files(of: Self.archive(), pieces: pieces) == Self.content) }

  @Test("Archives of GNU tar and of Python are read", arguments: ["gnu", "pax", "ustar", "python"])
  func others(form: String) throws {
    let scratch = try ScratchFolder()
    var content = Self.content
    if form == "ustar" { content = content.filter { $0.key.utf8.count < 200 } }
    for (path, bytes) in content {
      try Folder.ensure(Folder.parent(of: scratch[path]))
      try File.create(scratch[path], bytes)
    }
    let script = "import sys,tarfile\nwith tarfile.open(sys.argv[1], 'w') as t: t.add(sys.argv[2], 'bag')"
    let made =
      form == "python"
      ? try Program.run("python3", ["-c", script, scratch["x.tar"], scratch["bag"]])
      : try Program.run("tar", ["-C", scratch.path, "--format", form, "-cf", scratch["x.tar"], "bag"])
    #expect(made.status == 0, "\(made.error)")
    #expect(try Self.files(of: File.contents(of: scratch["x.tar"])) == content)
  }

  @Test("GNU tar and Python list and unpack what is written")
  func peers() throws {
    let scratch = try ScratchFolder()
    try File.create(scratch["x.tar"], Self.archive())
    let listed = try Program.run("tar", ["-tf", scratch["x.tar"], "--quoting-style", "literal"])
    #expect(listed.status == 0 && listed.output.contains("bag/data/one.json"))
    let unpack = "import sys,tarfile\nt=tarfile.open(sys.argv[1]); t.extractall(sys.argv[2])"
    #expect(try Program.run("python3", ["-c", unpack, scratch["x.tar"], scratch["python"]]).status == 0)
    try Folder.create(scratch["gnu"])
    #expect(try Program.run("tar", ["-xf", scratch["x.tar"], "-C", scratch["gnu"]]).status == 0)
    for (path, bytes) in Self.content {
      #expect(try File.contents(of: scratch["gnu/\(path)"]) == bytes)
      #expect(try File.contents(of: scratch["python/\(path)"]) == bytes)
    }
  }

  /// Archives that Python makes of entries which no bundle has.
  private static let hostile: [(script: String, problem: @Sendable (TarProblem) -> Bool)] = [
    ("add('../x')", { if case .badName = $0 { true } else { false } }),
    ("add('bag/../../x')", { if case .badName = $0 { true } else { false } }),
    ("add('/etc/x')", { if case .badName = $0 { true } else { false } }),
    ("add('bag//x')", { if case .badName = $0 { true } else { false } }),
    ("add('bag/' + 'x/' * 60 + '../' + 'y' * 100)", { if case .badName = $0 { true } else { false } }),
    ("add('bag/x'); add('bag/x')", { $0 == .twice("bag/x") }),
    ("add('bag/x'); add('bag/x/y')", { $0 == .twice("bag/x") }),
    ("add('bag/x/y'); add('bag/x')", { $0 == .twice("bag/x") }),
    ("add('bag/x', tarfile.SYMTYPE, '/etc')", { if case .otherKind(_, "symbolic link") = $0 { true } else { false } }),
    ("add('bag/x', tarfile.LNKTYPE, 'bag/y')", { if case .otherKind(_, "hard link") = $0 { true } else { false } }),
    ("add('bag/x', tarfile.CHRTYPE)", { if case .otherKind(_, "device") = $0 { true } else { false } }),
    ("add('bag/x', tarfile.FIFOTYPE)", { if case .otherKind(_, "pipe") = $0 { true } else { false } }),
    ("add('bag/x', tarfile.GNUTYPE_SPARSE)", { if case .otherKind(_, "sparse file") = $0 { true } else { false } }),
    ("add('bag/x', pax={'GNU.sparse.major': '1'})", { if case .otherKind = $0 { true } else { false } }),
    ("add('bag/x', pax={'size': '99999999'})", { if case .truncated = $0 { true } else { false } }),
    ("add('bag/x', pax={'size': '-1'})", { if case .damagedHeader = $0 { true } else { false } }),
    ("add('bag/x', pax={'path': 'a/' * 5000 + 'b'})", { if case .badName = $0 { true } else { false } }),
    ("add('bag/x', pax={'path': '../y'})", { if case .badName = $0 { true } else { false } }),
  ]

  @Test("Entries that lead out of an archive, come twice or are no files are refused", arguments: 0..<18)
  func refuses(index: Int) throws {
    let (script, isExpected) = Self.hostile[index]
    let scratch = try ScratchFolder()
    let made = try Program.run(
      "python3",
      [
        "-c",
        """
        import io, sys, tarfile
        archive = tarfile.open(sys.argv[1], "w", format=tarfile.PAX_FORMAT)
        def add(name, kind=tarfile.REGTYPE, link="", pax={}):
            info = tarfile.TarInfo(name)
            info.type, info.linkname, info.pax_headers = kind, link, pax
            info.size = 5 if kind == tarfile.REGTYPE else 0
            archive.addfile(info, io.BytesIO(b"12345"))
        \(script)
        archive.close()
        """, scratch["x.tar"],
      ])
    #expect(made.status == 0, "\(made.error)")
    let problem = try #require(throws: TarProblem.self) { try Self.files(of: File.contents(of: scratch["x.tar"])) }
    #expect(isExpected(problem), "\(script): \(problem)")
  }

  @Test("An archive that was cut anywhere is refused")
  func truncated() {
    let archive = Self.archive()
    for end in stride(from: 0, to: archive.count, by: 97) {
      #expect(throws: TarProblem.self) { try Self.files(of: Array(archive[..<end])) }
    }
  }

  @Test("Damaged archives are refused, or hold other bytes in files: 3000 of a seed", arguments: [1, 2, 3] as [UInt64])
  func damaged(seed: UInt64) throws {
    var generator = SplitMix64(seed: seed)
    let archive = Self.archive()
    var refused = 0
    for _ in 0..<1000 {
      var other = archive
      switch Int.random(in: 0..<4, using: &generator) {
      case 0:
        other[Int.random(in: 0..<other.count, using: &generator)] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
      case 1:
        let start = Int.random(in: 0..<other.count, using: &generator)
        other.removeSubrange(start..<min(other.count, start + Int.random(in: 1...2000, using: &generator)))
      case 2:
        let start = Int.random(in: 0..<other.count, using: &generator) / 512 * 512
        other.insert(contentsOf: archive[start..<min(archive.count, start + 512)], at: start)
      default: other += [UInt8.random(in: 1...255, using: &generator)]
      }
      do {
        let files = try Self.files(of: other)
        // The names, and how many bytes each has, are right in what is read.
        if files.keys == Self.content.keys { continue }
        #expect(files.values.reduce(0) { $0 + $1.count } <= other.count)
      } catch is TarProblem {
        refused += 1
      }
    }
    #expect(refused > 500, "\(refused)")
  }
}

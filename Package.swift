// swift-tools-version: 6.2
import PackageDescription

/// The station: floors of modules, each importing only from the floors below it (see the article "Architecture").
let package = Package(
  name: "station",
  products: [.executable(name: "station", targets: ["station"])],
  targets: [
    // C libraries, each seen by one module; what the system's own headers do not show to Swift is in CSystem.
    // Functions.c opens the library when a zip or gzip file is read or written; its header is that of libarchive-dev.
    .target(name: "CArchive", dependencies: ["CSystem"], path: "Sources/CLibraries/CArchive"),
    .systemLibrary(name: "CEbur128", path: "Sources/CLibraries/CEbur128", providers: [.apt(["libebur128-dev"])]),
    .systemLibrary(name: "CExpat", path: "Sources/CLibraries/CExpat", providers: [.apt(["libexpat1-dev"])]),
    // The line through the readings of a sound card's position; fast enough for real-time threads in tests too.
    .target(name: "CCardClock", path: "Sources/CLibraries/CCardClock", cSettings: [.unsafeFlags(["-O2"])]),
    // Functions.c opens the library when something is sent; its header is that of libcurl4-openssl-dev.
    .target(name: "CCurl", dependencies: ["CSystem"], path: "Sources/CLibraries/CCurl"),
    // Functions.c opens the library at the first digest; its headers are those of libssl-dev.
    .target(name: "CCrypto", dependencies: ["CSystem"], path: "Sources/CLibraries/CCrypto"),
    // Templates are slow unless they are optimised, in tests too.
    .target(name: "CEigen", path: "Sources/CLibraries/CEigen", cxxSettings: [.unsafeFlags(["-O2"])]),
    // Functions.c opens the library when a stream is looked for or offered; its declarations are there.
    .target(name: "CLSL", dependencies: ["CSystem"], path: "Sources/CLibraries/CLSL"),
    .systemLibrary(name: "CMpg123", path: "Sources/CLibraries/CMpg123", providers: [.apt(["libmpg123-dev"])]),
    .systemLibrary(name: "CPostgres", path: "Sources/CLibraries/CPostgres", providers: [.apt(["libpq-dev"])]),
    // Functions.c opens the library when a page is served; its header is that of libmicrohttpd-dev.
    .target(name: "CMicroHTTPD", dependencies: ["CSystem"], path: "Sources/CLibraries/CMicroHTTPD"),
    // Functions.c opens the library when a PipeWire server is looked for; its headers are those of libpipewire-0.3-dev.
    .target(
      name: "CPipeWire", dependencies: ["CCardClock", "CSystem"], path: "Sources/CLibraries/CPipeWire",
      cSettings: [
        .unsafeFlags(["-O2", "-isystem", "/usr/include/pipewire-0.3", "-isystem", "/usr/include/spa-0.2"])
      ]),
    // Functions.c opens the library when sound is played; its headers are those of libpulse-dev.
    .target(name: "CPulse", dependencies: ["CSystem"], path: "Sources/CLibraries/CPulse"),
    // Functions.c opens the library when a WAV or FLAC file is read or written; its header is that of libsndfile1-dev.
    .target(name: "CSndfile", dependencies: ["CSystem"], path: "Sources/CLibraries/CSndfile"),
    // Functions.c opens the library when a sound is resampled; its header is that of libsoxr-dev.
    .target(name: "CSoxr", dependencies: ["CSystem"], path: "Sources/CLibraries/CSoxr"),
    .systemLibrary(name: "CSQLite", path: "Sources/CLibraries/CSQLite", providers: [.apt(["libsqlite3-dev"])]),
    // Signals.c keeps state, which a header must not.
    .target(name: "CSystem", path: "Sources/CLibraries/CSystem"),
    // Functions.c opens the library when a message bus is connected to; its header is that of libsystemd-dev.
    .target(name: "CSystemd", dependencies: ["CSystem"], path: "Sources/CLibraries/CSystemd"),
    .target(name: "CTimeZones", path: "Sources/CLibraries/CTimeZones", linkerSettings: [.linkedLibrary("cctz")]),

    // What knows nothing of experiments: JSON, tables, files, digests, times.
    .target(name: "Basics", dependencies: ["CArchive", "CCrypto", "CTimeZones", "CSystem"]),

    // Units, quantities and samples.
    .target(name: "Quantities", dependencies: ["Basics", "CSystem"]),

    // Filters, and the detection of beats in waves.
    .target(name: "Signals"),

    // Series of beats and samples, and the files that hold them.
    .target(name: "Recordings", dependencies: ["Quantities", "Basics", "CExpat"]),

    // Protocols and plans, as values.
    .target(
      name: "Study", dependencies: ["Quantities", "Basics"],
      resources: ["en", "de", "fr", "es", "it", "pt", "nl", "zh", "ja", "ar"]
        .map { .embedInCode("Language/Texts/\($0).json") }),

    // Sound, sensors and bundles.
    .target(
      name: "Sound",
      dependencies: [
        "Study", "Quantities", "Basics", "CCardClock", "CPulse", "CPipeWire", "CMpg123", "CSndfile", "CSoxr",
        "CEbur128", "CSystem",
      ]),
    .target(
      name: "Sensors",
      dependencies: ["Sound", "Recordings", "Signals", "Quantities", "Basics", "CLSL", "CSystem", "CSystemd"]),
    .target(name: "Bundles", dependencies: ["Sound", "Recordings", "Study", "Quantities", "Basics"]),

    // Measures of recordings.
    .target(
      name: "Analysis",
      dependencies: ["Bundles", "Recordings", "Signals", "Study", "Quantities", "Basics", "CEigen"]),

    // The sample store.
    .target(
      name: "SampleStore",
      dependencies: ["Recordings", "Quantities", "Basics", "CSQLite", "CPostgres"]),

    // Charts.
    .target(name: "Charts", dependencies: ["Analysis", "Bundles", "Recordings", "Quantities", "Basics"]),

    // Documents and listings.
    .target(
      name: "Reports",
      dependencies: [
        "Charts", "SampleStore", "Analysis", "Bundles", "Sound", "Recordings", "Study", "Quantities", "Basics",
      ]),

    // Exports in the formats of other programs.
    .target(
      name: "Export",
      dependencies: ["Analysis", "Bundles", "Recordings", "Study", "Quantities", "Basics"]),

    // What outlives a session: settings, participants, outbox, sending.
    .target(
      name: "Laboratory",
      dependencies: ["SampleStore", "Bundles", "Sensors", "Sound", "Study", "Quantities", "Basics", "CCurl"]),

    // The session and its trials.
    .target(
      name: "Session",
      dependencies: [
        "Laboratory", "Analysis", "SampleStore", "Sound", "Sensors", "Bundles", "Signals", "Study", "Quantities",
        "Basics", "CSystem",
      ]),

    // The participant's page.
    .target(
      name: "Pages", dependencies: ["Session", "Study", "Bundles", "Quantities", "Basics", "CMicroHTTPD"],
      resources: [
        .embedInCode("Assets/page.html"), .embedInCode("Assets/page.css"), .embedInCode("Assets/page.js"),
        .embedInCode("Assets/link.js"), .embedInCode("Assets/entries.js"), .embedInCode("Assets/typed.js"),
        .embedInCode("Assets/form.js"), .embedInCode("Assets/console.html"), .embedInCode("Assets/console.css"),
        .embedInCode("Assets/console.js"), .embedInCode("Assets/chart.js"), .embedInCode("Assets/beats.js"),
        .embedInCode("Assets/house.js"),
        .embedInCode("Assets/dom.js"), .embedInCode("Assets/start.js"),
        .embedInCode("Assets/results.js"),
      ]),

    // The command.
    .executableTarget(
      name: "station",
      dependencies: [
        "Pages", "Session", "Laboratory", "Export", "Reports", "Charts", "SampleStore", "Analysis", "Bundles",
        "Sensors", "Sound", "Study", "Recordings", "Quantities", "Basics", "CSystem",
      ],
      // The toolchain's own linker packs the addresses that are set at the start: 1.4 MB less to read. No library asks
      // the command for symbols, whose table has another megabyte.
      linkerSettings: [
        .unsafeFlags(
          ["-use-ld=lld", "-Xlinker", "-z", "-Xlinker", "pack-relative-relocs", "-Xlinker", "--no-export-dynamic"],
          .when(configuration: .release))
      ]),

    // What Benchmarks/ times; the command does without it.
    .executableTarget(
      name: "benchmark",
      dependencies: [
        "SampleStore", "Analysis", "Bundles", "Sensors", "Sound", "Study", "Recordings", "Signals", "Quantities",
        "Basics",
      ],
      path: "Benchmarks/Program"),

    // Sensors that are not there, to rehearse and to test with; Scripts/pretend runs them.
    .executableTarget(
      name: "pretend", dependencies: ["Sensors", "Quantities", "Basics", "CSystem"], path: "Tests/Pretend"),

    .target(
      name: "TestSupport", dependencies: ["Sensors", "Quantities", "Basics", "CSystem"], path: "Tests/TestSupport"),
    .target(name: "CAllocations", path: "Tests/CAllocations"),
    .testTarget(name: "TestSupportTests", dependencies: ["TestSupport"]),
    .testTarget(name: "BasicsTests", dependencies: ["Basics", "Quantities", "TestSupport"]),
    .testTarget(
      name: "QuantitiesTests", dependencies: ["Quantities", "Basics", "TestSupport"], exclude: ["pint.txt"]),
    .testTarget(
      name: "RecordingsTests",
      dependencies: [
        "Recordings", "SampleStore", "Analysis", "Sensors", "Bundles", "Study", "Quantities", "Basics", "TestSupport",
      ],
      exclude: ["Peers"]),
    .testTarget(
      name: "StudyTests", dependencies: ["Study", "Quantities", "Basics", "TestSupport"], exclude: ["Corpus"]),
    .testTarget(
      name: "SoundTests",
      dependencies: ["Sound", "Study", "Quantities", "Basics", "CPipeWire", "CAllocations", "TestSupport"],
      exclude: ["Fixtures"]),
    .testTarget(
      name: "SensorsTests",
      dependencies: [
        "Sensors", "Sound", "Signals", "Recordings", "Quantities", "Basics", "CSystem", "pretend", "TestSupport",
      ],
      exclude: ["Bluetooth/read_strap.py"]),
    .testTarget(name: "SignalsTests", dependencies: ["Signals", "Basics", "TestSupport"]),
    .testTarget(
      name: "BundlesTests",
      dependencies: ["Bundles", "Sound", "Recordings", "Study", "Quantities", "Basics", "TestSupport"],
      exclude: ["Fixtures"]),
    .testTarget(
      name: "AnalysisTests",
      dependencies: ["Analysis", "Recordings", "Bundles", "Quantities", "Basics", "TestSupport"],
      exclude: ["Series"]),
    .testTarget(
      name: "SampleStoreTests",
      dependencies: ["SampleStore", "Laboratory", "Study", "Quantities", "Basics", "CSQLite", "TestSupport"]),
    .testTarget(
      name: "ChartsTests",
      dependencies: ["Charts", "Recordings", "Bundles", "Analysis", "Quantities", "Basics", "TestSupport"],
      exclude: ["Golden"]),
    .testTarget(
      name: "ReportsTests",
      dependencies: [
        "Reports", "Recordings", "Analysis", "Bundles", "Charts", "Sound", "Study", "Quantities", "Basics",
        "TestSupport",
      ],
      exclude: ["Golden"]),
    .testTarget(
      name: "ExportTests",
      dependencies: [
        "Export", "Session", "Analysis", "Bundles", "Recordings", "Quantities", "Basics", "TestSupport",
      ]),
    .testTarget(
      name: "LaboratoryTests",
      dependencies: [
        "Laboratory", "Session", "SampleStore", "Sensors", "Bundles", "Study", "Quantities", "Basics", "TestSupport",
      ],
      exclude: ["Server"]),
    .testTarget(
      name: "SessionTests",
      dependencies: [
        "Session", "Laboratory", "Sound", "Sensors", "Bundles", "Study", "Quantities", "Basics", "TestSupport",
      ]),
    .testTarget(
      name: "PagesTests",
      dependencies: ["Pages", "Session", "Study", "Bundles", "Quantities", "Basics", "TestSupport"],
      exclude: ["ask.py", "console.py", "streams.py"]),
    .testTarget(
      name: "StationTests",
      dependencies: [
        "station", "Session", "Laboratory", "SampleStore", "Sound", "Bundles", "Study", "Quantities", "Basics",
        "CSystem", "pretend", "TestSupport",
      ],
      exclude: ["Golden", "Page"]),
  ]
)

// They compute much, and are optimised in debug builds too: their tests then take less than half of the time, and building
// takes as long as before.
let computing: Set = ["Basics", "Signals", "Recordings", "Sound", "Sensors", "Bundles", "Analysis", "SampleStore"]

for target in package.targets where target.type != .system {
  target.swiftSettings = [
    // SE-0335: existentials are spelt `any`.
    .enableUpcomingFeature("ExistentialAny"),
    // SE-0409: a signature that shows another module says `public import`.
    .enableUpcomingFeature("InternalImportsByDefault"),
    // SE-0444: a member is visible only where its module is imported.
    .enableUpcomingFeature("MemberImportVisibility"),
    // SE-0461: an async function runs where its caller runs.
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    // SE-0458: whatever could touch memory wrongly is marked `unsafe`.
    .strictMemorySafety(),
    .treatAllWarnings(as: .error),
    .treatWarning("ExplicitSendable", as: .error),
    // Types are named to the runtime by their accessors rather than by strings, which it would have to read at the start,
    // looking for the conformance of each generic argument.
    .unsafeFlags(
      ["-Xfrontend", "-disable-concrete-type-metadata-mangled-name-accessors"], .when(configuration: .release)),
  ]
  // The sanitizer for threads fails in optimised code; see Tests/Torture/sanitize.
  if computing.contains(target.name), Context.environment["STATION_SANITIZER"] == nil {
    target.swiftSettings?.append(.unsafeFlags(["-O", "-assert-config", "Debug"], .when(configuration: .debug)))
  }
}

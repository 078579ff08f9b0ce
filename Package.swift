// swift-tools-version: 6.2
import PackageDescription

/// The station: floors of modules, each importing only from the floors below it (see the article "Architecture").
let package = Package(
  name: "station",
  products: [.executable(name: "station", targets: ["station"])],
  targets: [
    // C libraries, each seen by one module; what the system's own headers do not show to Swift is in CSystem.
    .systemLibrary(name: "CEbur128", path: "Sources/CLibraries/CEbur128", providers: [.apt(["libebur128-dev"])]),
    .systemLibrary(name: "CExpat", path: "Sources/CLibraries/CExpat", providers: [.apt(["libexpat1-dev"])]),
    // Templates are slow unless they are optimised, in tests too.
    .target(name: "CEigen", path: "Sources/CLibraries/CEigen", cxxSettings: [.unsafeFlags(["-O2"])]),
    .systemLibrary(name: "CMpg123", path: "Sources/CLibraries/CMpg123", providers: [.apt(["libmpg123-dev"])]),
    .systemLibrary(name: "CPango", path: "Sources/CLibraries/CPango", providers: [.apt(["libpangocairo-1.0-0"])]),
    .systemLibrary(name: "CPostgres", path: "Sources/CLibraries/CPostgres", providers: [.apt(["libpq-dev"])]),
    // Functions.c opens the library when sound is played; its headers are those of libpulse-dev.
    .target(name: "CPulse", path: "Sources/CLibraries/CPulse"),
    // Functions.c opens the library when a WAV or FLAC file is read; its header is that of libsndfile1-dev.
    .target(name: "CSndfile", path: "Sources/CLibraries/CSndfile"),
    .systemLibrary(name: "CSodium", path: "Sources/CLibraries/CSodium", providers: [.apt(["libsodium-dev"])]),
    .systemLibrary(name: "CSQLite", path: "Sources/CLibraries/CSQLite", providers: [.apt(["libsqlite3-dev"])]),
    // Signals.c keeps state, which a header must not.
    .target(name: "CSystem", path: "Sources/CLibraries/CSystem"),
    .target(name: "CTimeZones", path: "Sources/CLibraries/CTimeZones", linkerSettings: [.linkedLibrary("cctz")]),

    // The ground, which knows nothing of experiments.
    .target(name: "Decimals"),
    .target(name: "Tables"),
    .target(name: "JSON"),
    .target(name: "Spelling"),
    .target(name: "Randomness"),
    .target(name: "Files", dependencies: ["Spelling", "CSystem"]),
    .target(name: "Digests", dependencies: ["CSodium"]),

    // What is measured.
    .target(name: "Quantities", dependencies: ["Spelling", "CSystem"]),

    // Time zones, and the calendar's clock.
    .target(name: "Times", dependencies: ["Quantities", "CTimeZones", "CSystem"]),

    // What is written of a heart.
    .target(name: "HeartFiles", dependencies: ["Quantities", "JSON", "Tables", "Decimals"]),

    // The experiment, a value.
    .target(name: "Study", dependencies: ["Quantities", "JSON", "Spelling", "Randomness"]),

    // What a laboratory does it with.
    .target(
      name: "Sound",
      dependencies: [
        "Study", "Quantities", "JSON", "Files", "Digests", "Spelling", "CPulse", "CMpg123", "CSndfile", "CEbur128",
        "CSystem",
      ]),
    .target(
      name: "Sensors",
      dependencies: [
        "HeartFiles", "Quantities", "JSON", "Tables", "Decimals", "Files", "Spelling", "Randomness", "CSystem",
      ]),
    .target(
      name: "Bundles", dependencies: ["HeartFiles", "Study", "Quantities", "JSON", "Files", "Digests", "Spelling"]),
    .target(name: "Charts", dependencies: ["Quantities", "Decimals", "Spelling", "CPango"]),
    .target(
      name: "Imports",
      dependencies: [
        "HeartFiles", "Times", "Quantities", "JSON", "Tables", "Decimals", "Files", "Digests", "Spelling", "CExpat",
      ]),
    .target(name: "Analysis", dependencies: ["Randomness", "CEigen"]),
    .target(
      name: "HealthStore",
      dependencies: ["Times", "Quantities", "JSON", "Files", "Digests", "Spelling", "CSQLite", "CPostgres"]),

    // What was recorded, ready to be analysed.
    .target(
      name: "Recordings",
      dependencies: [
        "Analysis", "Bundles", "HeartFiles", "Quantities", "JSON", "Tables", "Decimals", "Digests", "Files", "Spelling",
      ]),

    // What it looks like.
    .target(name: "HeartCharts", dependencies: ["Recordings", "Analysis", "Charts", "Decimals", "Spelling"]),

    // What is told of it.
    .target(
      name: "Reports",
      dependencies: [
        "HeartCharts", "Recordings", "Analysis", "Bundles", "Charts", "HeartFiles", "Study", "Times", "Quantities",
        "Decimals", "Files", "Digests", "Spelling",
      ]),

    // What a laboratory does.
    .target(name: "Experiment", dependencies: ["Sound", "Sensors", "Bundles", "Study", "Quantities"]),

    // The command.
    .executableTarget(
      name: "station",
      dependencies: [
        "Reports", "HeartCharts", "Recordings", "Analysis", "Charts", "Experiment", "Sound", "Sensors", "Bundles",
        "HealthStore", "Imports", "HeartFiles", "Study", "Times", "Quantities", "JSON", "Tables", "Decimals", "Files",
        "Digests", "Spelling", "CSystem",
      ]),

    // What Benchmarks/ times; the command does without it.
    .executableTarget(
      name: "benchmark",
      dependencies: [
        "Sound", "Sensors", "Bundles", "HealthStore", "Imports", "Analysis", "Study", "Times", "Quantities", "Digests",
        "Randomness",
      ],
      path: "Benchmarks/Program"),

    .target(name: "TestSupport", dependencies: ["Quantities", "JSON", "Files", "CSystem"], path: "Tests/TestSupport"),
    .target(name: "CAllocations", path: "Tests/CAllocations"),
    .testTarget(name: "TestSupportTests", dependencies: ["TestSupport"]),
    .testTarget(name: "DecimalsTests", dependencies: ["Decimals", "Randomness"]),
    .testTarget(name: "TablesTests", dependencies: ["Tables"]),
    .testTarget(name: "JSONTests", dependencies: ["JSON", "TestSupport"]),
    .testTarget(name: "SpellingTests", dependencies: ["Spelling"]),
    .testTarget(name: "RandomnessTests", dependencies: ["Randomness"]),
    .testTarget(name: "FilesTests", dependencies: ["Files", "TestSupport"]),
    .testTarget(name: "DigestsTests", dependencies: ["Digests", "Files", "TestSupport"]),
    .testTarget(name: "QuantitiesTests", dependencies: ["Quantities", "Randomness", "TestSupport"]),
    .testTarget(name: "TimesTests", dependencies: ["Times", "Quantities"]),
    .testTarget(
      name: "HeartFilesTests",
      dependencies: [
        "HeartFiles", "Recordings", "Analysis", "Sensors", "Bundles", "Quantities", "JSON", "Files", "Randomness",
        "TestSupport",
      ]),
    .testTarget(
      name: "StudyTests",
      dependencies: ["Study", "Quantities", "JSON", "Files", "TestSupport"],
      exclude: ["Corpus"]),
    .testTarget(
      name: "SoundTests",
      dependencies: ["Sound", "Study", "Quantities", "Files", "Digests", "CAllocations", "TestSupport"],
      exclude: ["Fixtures"]),
    .testTarget(
      name: "SensorsTests", dependencies: ["Sensors", "Quantities", "Decimals", "Randomness", "CSystem"]),
    .testTarget(
      name: "BundlesTests",
      dependencies: ["Bundles", "Study", "Quantities", "JSON", "Files", "Digests", "TestSupport"],
      exclude: ["Fixtures"]),
    .testTarget(
      name: "HealthStoreTests",
      dependencies: ["HealthStore", "Times", "Quantities", "Randomness", "CSQLite", "TestSupport"]),
    .testTarget(
      name: "ChartsTests", dependencies: ["Charts", "Spelling", "Randomness", "TestSupport"], exclude: ["Golden"]),
    .testTarget(
      name: "ImportsTests",
      dependencies: ["Imports", "Times", "Quantities", "JSON", "Files", "Randomness", "TestSupport"]),
    .testTarget(
      name: "AnalysisTests", dependencies: ["Analysis", "Randomness", "JSON", "TestSupport"], exclude: ["Series"]),
    .testTarget(
      name: "RecordingsTests",
      dependencies: [
        "Recordings", "HeartFiles", "Analysis", "Bundles", "Quantities", "JSON", "Decimals", "Files", "TestSupport",
      ]),
    .testTarget(
      name: "HeartChartsTests",
      dependencies: ["HeartCharts", "Recordings", "Bundles", "Analysis", "Charts", "Quantities", "Randomness"]),
    .testTarget(
      name: "ReportsTests",
      dependencies: [
        "Reports", "Recordings", "Analysis", "Bundles", "Charts", "Study", "Times", "Quantities", "Files", "Digests",
        "Spelling", "TestSupport",
      ],
      exclude: ["Golden"]),
    .testTarget(
      name: "ExperimentTests",
      dependencies: ["Experiment", "Sound", "Sensors", "Bundles", "Study", "Quantities", "Randomness"]),
    .testTarget(
      name: "StationTests",
      dependencies: [
        "station", "Sound", "Bundles", "Study", "Quantities", "JSON", "Spelling", "CSystem", "TestSupport",
      ],
      exclude: ["Golden"]),
  ]
)

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
  ]
}

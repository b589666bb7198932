// swift-tools-version: 6.2
import PackageDescription

var settings: [SwiftSetting] = [
  .strictMemorySafety(),
  .treatAllWarnings(as: .error),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

/// With `PEERNOTE_FUZZ` set there is a fuzzer, and all code of ours counts what it covers.
let isFuzzing = Context.environment["PEERNOTE_FUZZ"] != nil
if isFuzzing { settings.append(.unsafeFlags(["-sanitize=fuzzer,address"])) }

/// Commands and tests are compiled file by file, on all cores; what they do takes its time elsewhere.
let fileByFile: [SwiftSetting] = [
  .unsafeFlags(
    ["-no-whole-module-optimization", "-enable-batch-mode"], .when(configuration: .release))
]

/// Tests try what people run, and are not optimized themselves, which would take longer than it saves.
let testSettings =
  settings + fileByFile + [.unsafeFlags(["-Onone"], .when(configuration: .release))]

/// How the program is linked for people.
///
/// It holds Swift's libraries, so that it starts at once and runs where there is no Swift. That is
/// said to the linker alone: so the tests need nothing compiled anew. Tables of relocations take a
/// hundredth of their usual room (glibc 2.36 or later), and only what is used of the libraries is
/// kept. That saves a tenth of the memory that a merge of small files takes. The libraries of C++
/// are linked as a whole: to load and relocate them took a sixth of the time of `git driver`, of
/// which git starts a process for each file.
let programLinkage: [LinkerSetting] = [
  .unsafeFlags(
    [
      "-use-ld=lld", "-Xlinker", "-z", "-Xlinker", "pack-relative-relocs", "-Xlinker",
      "--no-export-dynamic", "-L\(Context.packageDirectory)/Sources/pnmerge/Linking",
      "-Xclang-linker", "-static-libgcc", "-static-stdlib", "-l_FoundationCShims",
      "-l_FoundationCollections",
    ], .when(platforms: [.linux], configuration: .release))
]

/// libcbor is the system's on Linux. On Apple's systems, where no package manager brings it, the few
/// files of it that are used are compiled, as they are elsewhere with `PEERNOTE_LIBCBOR=source`.
#if os(macOS)
  let compilesLibCBOR = true
#else
  let compilesLibCBOR = Context.environment["PEERNOTE_LIBCBOR"] == "source"
#endif
let libCBOR: Target =
  compilesLibCBOR
  ? .target(
    name: "CLibCBOR", path: "Sources/CLibCBORSource", exclude: ["LICENSE.md"],
    cSettings: [.headerSearchPath("."), .headerSearchPath("include/cbor")])
  : .systemLibrary(name: "CLibCBOR", pkgConfig: "libcbor", providers: [.apt(["libcbor-dev"])])

/// The library's parts, and the module that hands them on.
///
/// Whoever uses the library depends on all, and so is compiled anew when one of them changes.
let parts = ["PeernoteEngine", "PeernoteMerging", "PeernoteModels", "PeernoteFolders", "Peernote"]
let library = parts.map { Target.Dependency(stringLiteral: $0) }

let package = Package(
  name: "peernote",
  platforms: [.macOS(.v26), .iOS(.v26)],
  products: [
    .library(name: "Peernote", targets: parts + ["PeernoteFiles", "PeernoteFoundation"]),
    .executable(name: "pnmerge", targets: ["pnmerge"]),
    .executable(name: "peernote-bench", targets: ["peernote-bench"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2")
  ],
  targets: [
    // SHA-256, by the system's library.
    .systemLibrary(
      name: "CNettle", pkgConfig: "nettle",
      providers: [.apt(["nettle-dev"]), .brew(["nettle"])]),
    .target(
      name: "PeernoteDigest",
      dependencies: [
        .target(name: "CNettle", condition: .when(platforms: [.linux, .android, .windows]))
      ],
      swiftSettings: settings),

    // Bytes: libcbor, one CBOR item at a time.
    libCBOR,
    .target(name: "CPeernoteCBOR", dependencies: ["CLibCBOR"]),
    .target(
      name: "PeernoteCBOR", dependencies: ["CPeernoteCBOR", "PeernoteJSON"],
      swiftSettings: settings),

    // Text: JSON values, read and written, and text made safe to show; then JSON Schema.
    .target(name: "PeernoteJSON", swiftSettings: settings),
    .target(name: "JSONSchema", dependencies: ["PeernoteJSON"], swiftSettings: settings),

    // The library: the engine with history, text, objects and the file format; what is made of it, in
    // targets of its own, which the engine is compiled without; and the one that apps import.
    .target(
      name: "PeernoteEngine", dependencies: ["PeernoteCBOR", "PeernoteJSON", "PeernoteDigest"],
      swiftSettings: settings),
    .target(
      name: "PeernoteMerging", dependencies: ["PeernoteEngine", "PeernoteCBOR"],
      swiftSettings: settings),
    .target(
      name: "PeernoteModels", dependencies: ["PeernoteEngine", "PeernoteMerging", "PeernoteJSON"],
      swiftSettings: settings),
    .target(
      name: "PeernoteFolders", dependencies: ["PeernoteEngine", "PeernoteMerging", "PeernoteCBOR"],
      swiftSettings: settings),
    .target(
      name: "Peernote", dependencies: Array(library.dropLast()), swiftSettings: settings),

    // Other programs' files: Automerge documents, and MeetingNotes' envelope around them.
    .systemLibrary(
      name: "CLibZ", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"]), .brew(["zlib"])]),
    .target(
      name: "AutomergeFormat",
      dependencies: ["CLibZ", "PeernoteCBOR", "PeernoteJSON", "PeernoteDigest"],
      swiftSettings: settings),

    // Documents in files: reading them, and replacing them so that nothing is lost.
    .systemLibrary(name: "CRenaming"),
    .target(
      name: "PeernoteFiles", dependencies: library + ["PeernoteJSON", "CRenaming"],
      swiftSettings: settings),

    // What apps that use Foundation need no code of their own for.
    .target(
      name: "PeernoteFoundation", dependencies: library + ["PeernoteFiles"],
      swiftSettings: settings),

    // The command line.
    .systemLibrary(
      name: "CLibYAML", pkgConfig: "yaml-0.1",
      providers: [.apt(["libyaml-dev"]), .brew(["libyaml"])]),
    .target(
      name: "PnmergeCommands",
      dependencies: library + [
        "PeernoteFiles", "AutomergeFormat", "PeernoteJSON", "JSONSchema", "CLibYAML",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        "PeernoteDigest",
      ],
      resources: [.embedInCode("share/peernote.vim")],
      swiftSettings: settings + fileByFile),
    .executableTarget(
      name: "pnmerge", dependencies: ["PnmergeCommands", "PeernoteFiles"], exclude: ["Linking"],
      swiftSettings: settings, linkerSettings: programLinkage),
    .executableTarget(
      name: "peernote-bench",
      dependencies: library + [
        "PeernoteTestSupport",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        "PeernoteDigest",
      ],
      resources: [.embedInCode("Peers/peers.py")],
      swiftSettings: settings),

    // Tests: the naive oracle and random histories live in the support target.
    .target(
      name: "PeernoteTestSupport", dependencies: library,
      path: "Tests/PeernoteTestSupport", swiftSettings: settings),
    .testTarget(
      name: "PeernoteCBORTests", dependencies: ["PeernoteCBOR"], swiftSettings: testSettings),
    .testTarget(
      name: "PeernoteJSONTests", dependencies: ["PeernoteJSON", "PeernoteTestSupport"],
      swiftSettings: testSettings),
    .testTarget(
      name: "JSONSchemaTests", dependencies: ["JSONSchema", "PeernoteJSON", "PeernoteTestSupport"],
      swiftSettings: testSettings),
    .testTarget(
      name: "PeernoteEngineTests", dependencies: library + ["PeernoteTestSupport"],
      swiftSettings: testSettings),
    .target(
      name: "PeernoteFuzzing",
      dependencies: library + [
        "PeernoteCBOR", "PeernoteJSON", "JSONSchema", "AutomergeFormat",
        "PeernoteFiles", "PnmergeCommands", "PeernoteTestSupport",
        "PeernoteDigest",
      ],
      path: "Tests/PeernoteFuzzing", swiftSettings: settings),
    .testTarget(
      name: "PeernoteFormatTests",
      dependencies: library + ["PeernoteCBOR", "PeernoteTestSupport", "PeernoteFuzzing"],
      swiftSettings: testSettings),
    .testTarget(
      name: "AutomergeFormatTests",
      dependencies: ["AutomergeFormat", "PeernoteJSON", "PeernoteTestSupport"],
      swiftSettings: testSettings),
    .testTarget(
      name: "PeernoteTests",
      dependencies: library + ["PeernoteFiles", "PeernoteFoundation", "PeernoteTestSupport"],
      exclude: ["Examples"],
      swiftSettings: testSettings),
    // The guides' code sees what apps see.
    .testTarget(
      name: "PeernoteExamples", dependencies: library + ["PeernoteFiles", "PeernoteFoundation"],
      path: "Tests/PeernoteTests/Examples", packageAccess: false, swiftSettings: testSettings),
    .target(name: "CSystemCallFaults", path: "Tests/CSystemCallFaults"),
    // They run the program, which is built with all else; as a dependency it would be linked into
    // the tests, as it is linked.
    .testTarget(
      name: "PnmergeTests",
      dependencies: library + [
        "PnmergeCommands", "PeernoteFiles", "AutomergeFormat", "PeernoteJSON",
        "JSONSchema", "PeernoteDigest", "PeernoteTestSupport", "PeernoteFuzzing",
        "CSystemCallFaults",
      ],
      swiftSettings: testSettings),
  ],
  swiftLanguageModes: [.v6]
)

if isFuzzing {
  package.targets += [
    .systemLibrary(name: "CLibFuzzer", path: "Tests/CLibFuzzer"),
    .executableTarget(
      name: "peernote-fuzz", dependencies: ["PeernoteFuzzing", "CLibFuzzer"],
      path: "Tests/peernote-fuzz", swiftSettings: settings,
      linkerSettings: [.unsafeFlags(["-sanitize=fuzzer,address", "-use-ld=lld"])]),
  ]
}

/// With `PEERNOTE_ENGINE` set there are only the engine, CBOR and their tests: what a sanitizer can
/// build and run in minutes.
if Context.environment["PEERNOTE_ENGINE"] != nil {
  let engine = Set(parts).union([
    "CNettle", "PeernoteDigest", "CLibCBOR", "CPeernoteCBOR", "PeernoteCBOR", "PeernoteJSON",
    "PeernoteTestSupport", "PeernoteCBORTests", "PeernoteEngineTests",
  ])
  package.targets.removeAll { !engine.contains($0.name) }
  package.products = []
}

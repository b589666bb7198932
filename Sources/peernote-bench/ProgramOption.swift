import ArgumentParser
import Foundation

/// Which program a benchmark runs.
struct ProgramOption: ParsableArguments {
  @Option(help: "The program; by default the one beside this.", completion: .file())
  var pnmerge: String?

  /// The program's file.
  var path: String {
    let beside = Bundle.main.executableURL?.deletingLastPathComponent().appending(path: "pnmerge")
    return (pnmerge.map { URL(filePath: $0) } ?? beside)?.path ?? "pnmerge"
  }
}

/// Reads the number of an option, which takes no smaller one than some.
func number(from least: Int) -> @Sendable (String) throws -> Int {
  { text in
    guard let number = Int(text), number >= least else {
      throw ValidationError("only numbers from \(least) up are taken")
    }
    return number
  }
}

import ArgumentParser
import Foundation

/// Where traces are found that are called by the beginning of their names.
enum TraceFolder {
  /// Those that come with the repository, seen from its top.
  static let standard = "Fixtures/traces"

  /// What a command's help says of an argument that names a trace.
  static let help = "A trace: a file, or the beginning of a name in \(standard), such as C1."

  /// The file of a trace.
  ///
  /// - Parameters:
  ///   - trace: the path of a file, or what a name in the folder begins with.
  ///   - folder: where to look for names.
  /// - Returns: its path.
  /// - Throws: if there is none.
  static func file(_ trace: String, in folder: String = standard) throws -> String {
    if isFile(trace) { return trace }
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    guard let name = names.sorted().first(where: { $0.hasPrefix("\(trace)-") }) else {
      throw ValidationError(
        "\(trace): there is no such file, and no trace of this name in \(folder); "
          + "its README says which there are, and where to get others")
    }
    return "\(folder)/\(name)"
  }

  /// The file that says what two sides did after a trace.
  ///
  /// - Parameters:
  ///   - name: the path of a file, or the name of a case, such as `C1-1000`.
  ///   - folder: where to look for names.
  /// - Returns: its path.
  /// - Throws: if there is none.
  static func sides(_ name: String, in folder: String = standard) throws -> String {
    if isFile(name) { return name }
    let file = "\(folder)/offline/\(name).json.gz"
    guard isFile(file) else {
      throw ValidationError("\(name): there is no such file, and no \(file)")
    }
    return file
  }

  private static func isFile(_ path: String) -> Bool {
    let values = try? URL(filePath: path).resourceValues(forKeys: [.isRegularFileKey])
    return values?.isRegularFile ?? false
  }
}

import Peernote
import PeernoteJSON

/// The documents of a directory, to choose copies from.
struct CopyChoice {
  /// A document, and what it is to the file that is merged into.
  private struct Candidate {
    var file: FileName
    var sentence: String
    /// Whether it can be merged.
    var isCopy: Bool
  }

  private let candidates: [Candidate]
  private let directory: FileName
  private let invocation: Invocation

  /// Looks at the documents of a directory and those below.
  ///
  /// - Parameters:
  ///   - directory: the directory.
  ///   - into: the file to merge into, which is no candidate.
  ///   - invocation: the run of the program.
  /// - Throws: ``Failure`` if it cannot be listed, or the file cannot be read.
  init(of directory: FileName, for into: FileName, _ invocation: Invocation) throws {
    let ours = try invocation.readDocument(into)
    let place = try? invocation.host.identity(of: into, followingLinks: true)
    var candidates: [Candidate] = []
    let found = try invocation.documentFiles(in: [directory])
    for failure in found.failures {
      candidates.append(Candidate(file: directory, sentence: failure.line, isCopy: false))
    }
    for (index, file) in found.files.enumerated() {
      invocation.console.progress(
        "looking at \(index + 1) of \(found.files.count): \(file.visible)")
      if let place, (try? invocation.host.identity(of: file, followingLinks: true)) == place {
        continue
      }
      candidates.append(Self.candidate(file, for: into, ours, invocation))
    }
    // Copies first, as they are what is looked for.
    self.candidates = candidates.filter(\.isCopy) + candidates.filter { !$0.isCopy }
    self.directory = directory
    self.invocation = invocation
  }

  private static func candidate(
    _ file: FileName, for into: FileName, _ ours: Document, _ invocation: Invocation
  ) -> Candidate {
    do {
      let document = try invocation.readDocument(file, beside: ours)
      let relation = try document.relation(to: ours)
      let sentence = relation.sentence(file, document, comparedWith: into, ours)
      switch relation {
      case .same, .unrelated, .differentDocument:
        return Candidate(file: file, sentence: sentence, isCopy: false)
      case .behind, .ahead, .diverged:
        let known = document.commonVersion(with: ours)
        let news = ChangeTally(authors: document.changes(since: known).map(\.author))
        let who = news.count == 0 ? "" : " (\(news.summary))"
        return Candidate(file: file, sentence: sentence + who, isCopy: news.count > 0)
      }
    } catch let failure as Failure {
      return Candidate(file: file, sentence: failure.line, isCopy: false)
    } catch {
      return Candidate(file: file, sentence: "\(file.inputName): \(error)", isCopy: false)
    }
  }

  /// Lists the documents and asks which are to be merged.
  ///
  /// - Returns: the files; `nil` if the user chose none.
  /// - Throws: ``Failure`` if there is none to choose.
  func ask() throws -> [FileName]? {
    let copies = candidates.filter(\.isCopy)
    for (index, candidate) in candidates.enumerated() {
      let number = candidate.isCopy ? String(index + 1) : "-"
      try invocation.console.printError("\(number, .cyan)  \(candidate.sentence)")
    }
    if copies.isEmpty {
      throw Failure(.usage, file: directory, "holds no copy with anything new")
    }
    while true {
      switch try invocation.ask("Which? Numbers, [a]ll or [q]uit: ") {
      case .end, .interrupt, .line("q"), .line("quit"): return nil
      case .line("a"), .line("all"): return copies.map(\.file)
      case .line(let line):
        let numbers = line.split { $0 == " " || $0 == "," }.map { Int($0) ?? 0 }
        if !numbers.isEmpty, numbers.allSatisfy({ copies.indices.contains($0 - 1) }) {
          return numbers.map { copies[$0 - 1].file }
        }
        try invocation.console.printError("Give numbers from 1 to \(copies.count).")
      }
    }
  }
}

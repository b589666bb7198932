import Peernote

/// Everything about a document that a person may be asked: values that compete, and passages that
/// overlapped in a merge.
struct OpenConflicts {
  /// In the order of the content.
  private(set) var conflicts: [Conflict] = []
  private var merges: [OpenMerge] = []
  /// The names of each merge's passages that are open.
  private var passages: [Set<String>] = []

  /// Looks for what is undecided.
  ///
  /// - Parameters:
  ///   - document: the document, merged.
  ///   - file: where it comes from, for messages.
  ///   - merge: what has just been merged; passages left by earlier merges come in any case.
  ///   - identityKeys: what tells elements of lists apart.
  ///   - invocation: the run of the program.
  /// - Throws: ``Failure`` if the history contradicts itself.
  init(
    in document: Document, from file: FileName, after merge: OpenMerge? = nil,
    identityKeys: [String] = ContentMatching.exact.identityKeys, _ invocation: Invocation
  ) throws(Failure) {
    // Without a place to keep them there are no earlier merges.
    let kept = (try? OpenMerges(of: document.id, host: invocation.host))?.read() ?? []
    merges = kept + [merge].compactMap(\.self)
    var found: [Conflict] = []
    do {
      for merge in merges {
        let open = try merge.passages(in: document)
        passages.append(Set(open.map(\.id)))
        found += open
      }
    } catch {
      throw error.failure(in: file)
    }
    conflicts = (document.conflicts(identityKeys: identityKeys) + found).inOrder(of: document)
  }

  /// The most merges of a history that are looked at for what is worth a look.
  private static let mergeCount = 8

  /// What is undecided, and what of the last merges in the history is worth a look: passages that
  /// both sides changed, or lines next to each other, and that nobody has touched since.
  ///
  /// Some replays of the history for each merge.
  ///
  /// - Parameters:
  ///   - document: the document.
  ///   - file: where it comes from, for messages.
  /// - Returns: the places, in the order of the content.
  /// - Throws: ``Failure`` if the history takes more than the limits.
  func withPassages(
    of document: Document, from file: FileName
  ) throws(Failure) -> [Conflict] {
    var found = conflicts
    do throws(DocumentError) {
      for versions in document.lastMerges(Self.mergeCount) {
        found += try document.overlaps(ofMerging: versions, withAdjacentLines: true)
      }
    } catch {
      throw error.failure(in: file)
    }
    return found.inOrder(of: document)
  }

  /// Keeps for later what nobody settled, on this machine.
  ///
  /// - Parameters:
  ///   - open: what is still to be asked.
  ///   - document: names the document.
  ///   - invocation: the run of the program.
  /// - Throws: ``Failure`` if the run was interrupted; that nothing could be kept is a warning.
  func keep(_ open: [Conflict], of document: UniqueID, _ invocation: Invocation) throws {
    let answered = Set(conflicts.map(\.id)).subtracting(open.map(\.id))
    var left: [OpenMerge] = []
    for (merge, passages) in zip(merges, passages) where !passages.isSubset(of: answered) {
      var merge = merge
      merge.settled.formUnion(passages.intersection(answered))
      left.append(merge)
    }
    do {
      let store = try OpenMerges(of: document, host: invocation.host)
      if left != store.read() { try store.write(left) }
    } catch let failure as Failure where failure.status != .interrupted {
      try invocation.console.warn(
        "the passages that were left cannot be asked about again: \(failure.message)")
    }
  }
}

extension [Conflict] {
  /// The conflicts in the order of the content, as far as paths tell it.
  ///
  /// Of passages that were combined and share text only the first is there, and none that just adjoin
  /// where a contested one is.
  fileprivate func inOrder(of document: Document) -> [Conflict] {
    if count < 2 { return self }
    let order = document.root.order(of: Set(map(\.path)))
    let sorted = self.sorted { left, right in
      let (first, second) = (order[left.path] ?? .max, order[right.path] ?? .max)
      return first != second
        ? first < second
        : (left.scalars?.lowerBound ?? 0) < (right.scalars?.lowerBound ?? 0)
    }
    let contested = sorted.filter { !$0.isCombined }
    var (passed, lastCombined): (Int, Conflict?) = (0, nil)
    var result: [Conflict] = []
    for conflict in sorted {
      if conflict.isCombined {
        let near = contested[Swift.max(0, passed - 1)..<Swift.min(passed + 1, contested.count)]
        if lastCombined?.sharesText(with: conflict) ?? false
          || conflict.kind == .adjacent && near.contains(where: { $0.sharesText(with: conflict) })
        {
          continue
        }
        lastCombined = conflict
      } else {
        passed += 1
      }
      result.append(conflict)
    }
    return result
  }
}

extension Node {
  /// In which order some paths stand in the content, each before what is in it.
  fileprivate func order(of paths: Set<JSONPointer>) -> [JSONPointer: Int] {
    var result: [JSONPointer: Int] = [:]
    func walk(_ node: Node, _ path: JSONPointer) {
      if paths.contains(path) { result[path] = result.count }
      for child in node.children { walk(child.node, path.appending(child.token)) }
    }
    walk(self, JSONPointer())
    return result
  }
}

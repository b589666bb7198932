extension Objects {
  /// What a document still holds though its content does not show it.
  package struct Hidden: Sendable {
    /// Values that were replaced or removed, or that lost against a concurrent write.
    package var values: [Value] = []
    /// The texts that stand in no container that is shown, by number, ascending.
    package var texts: [ContainerIndex] = []
  }

  /// Finds what the content does not show.
  ///
  /// Values of counters don't count: only their sum means anything. O(n log n).
  package func hidden() -> Hidden {
    let shown = shownContent()
    var result = Hidden()
    for (number, container) in log.containers.enumerated() where !shown.containers[number] {
      if container.kind == .text { result.texts.append(ContainerIndex(number)) }
    }
    for index in log.objectOperations {
      let operation = log.operations[Int(index)]
      // The values of sets come below.
      guard [.map, .list].contains(operation.kind.containerKind) else { continue }
      for number in operation.contents where !shown.contents[number] {
        if case .value(let value) = log.contents[number] { result.values.append(value) }
      }
    }
    for (number, container) in log.containers.enumerated() where container.kind == .set {
      let all = everyMember(ofSet: ContainerIndex(number))
      if !shown.containers[number] {
        result.values += all
      } else {
        let members = Set(members(ofSet: ContainerIndex(number)))
        result.values += all.filter { !members.contains($0) }
      }
    }
    return result
  }

  /// Which containers are shown, and which contents, by number in the log.
  private func shownContent() -> (containers: [Bool], contents: [Bool]) {
    var containers = [Bool](repeating: false, count: log.containers.count)
    var contents = [Bool](repeating: false, count: log.contents.count)
    var waiting = [ContainerIndex.root]
    while let container = waiting.popLast() {
      containers[container] = true
      let shown =
        switch log.containers[container].kind {
        case .map: entries(ofMap: container).map(\.entry)
        case .list: entries(ofList: container)
        case _: [Entry]()
        }
      for entry in shown {
        contents[entry.content] = true
        if let created = self.container(createdBy: entry.event) { waiting.append(created) }
      }
    }
    return (containers, contents)
  }
}

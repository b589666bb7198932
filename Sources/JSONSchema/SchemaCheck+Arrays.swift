import PeernoteJSON

extension SchemaCheck {
  /// Checks what a schema says about arrays.
  mutating func checkArray(
    _ elements: [JSON], _ rule: Rule, _ marking: Bool, _ evaluated: inout EvaluatedParts
  ) {
    switch rule {
    case .elements(let first, let others):
      for (place, element) in elements.enumerated() where goesOn {
        guard let schema = place < first.count ? first[place] : others else { break }
        descend(String(place), element, schema)
        if marking { evaluated.insert(place) }
      }
    case .contains(let schema, let least, let most, let evaluates):
      var count = 0
      for (place, element) in elements.enumerated() where stepsLeft >= 0 {
        let fits = descend(String(place)) { $0.isValid(element, schema, marking: false).0 }
        guard fits else { continue }
        count += 1
        if marking, evaluates { evaluated.insert(place) }
      }
      if count < least { add("must hold at least \(least) elements that fit, not \(count)") }
      if let most, count > most {
        add("must hold at most \(most) elements that fit, not \(count)")
      }
    case .unique: checkUnique(elements)
    case .unevaluatedElements(let schema):
      for (place, element) in elements.enumerated() where goesOn && !evaluated.contains(place) {
        descend(String(place), element, schema)
      }
      evaluated.insertAll()
    case _: break
    }
  }
}

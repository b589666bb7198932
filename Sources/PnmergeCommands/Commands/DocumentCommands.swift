import ArgumentParser

extension Pnmerge {
  /// The commands for documents of any kind.
  static let documentCommands: [any ParsableCommand.Type] = [
    Get.self, SetValue.self, Insert.self, Remove.self, Move.self, Increment.self, Export.self,
    Import.self, Conflicts.self, Resolve.self, Blame.self, Restore.self, Anonymize.self,
    Find.self,
  ]
}

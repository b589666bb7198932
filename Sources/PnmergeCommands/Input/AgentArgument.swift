import ArgumentParser
import Peernote

/// An agent on the command line: by itself, or in the name of one of its changes.
struct AgentArgument {
  let agent: AgentID

  /// Reads an argument; the error says what is expected.
  init(parsing argument: String) throws {
    guard let agent = ChangeID(argument)?.agent ?? AgentID(argument) else {
      throw ValidationError("An agent such as 5f0c21ab9d3e4477 is expected; 'log' shows them.")
    }
    self.agent = agent
  }
}

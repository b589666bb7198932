import ArgumentParser
import Peernote

/// An agent on the command line: by itself, or in the name of one of its changes.
struct AgentArgument: ExpressibleByArgument {
  let agent: AgentID

  init?(argument: String) {
    guard let agent = ChangeID(argument)?.agent ?? AgentID(argument) else { return nil }
    self.agent = agent
  }
}

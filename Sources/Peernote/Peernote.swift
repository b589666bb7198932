// Apps import this module alone. A change inside the engine compiles the engine alone anew.
@_exported public import PeernoteEngine
@_exported public import PeernoteFolders
@_exported public import PeernoteMerging
@_exported public import PeernoteModels

// Apps import this module alone. Its parts are modules of their own, which are compiled side by side.
@_exported public import PeernoteEngine
@_exported public import PeernoteFolders
@_exported public import PeernoteMerging
@_exported public import PeernoteModels

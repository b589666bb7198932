import PeernoteTestSupport

/// The seed of a test is its argument, so the name of a failing case tells how to replay it.
extension SplitMix64: RandomNumberGenerator {}

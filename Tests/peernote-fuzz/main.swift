// peernote-fuzz TARGET [CORPUS...] [-OPTION=VALUE ...]   feeds a reader with libFuzzer's inputs
// peernote-fuzz TARGET --seeds DIRECTORY                 writes inputs to start from
import Foundation
import PeernoteFuzzing

let arguments = CommandLine.arguments
guard arguments.count > 1, let target = FuzzTarget(rawValue: arguments[1]) else {
  let names = FuzzTarget.allCases.map(\.rawValue).joined(separator: ", ")
  print("usage: peernote-fuzz TARGET [--seeds DIRECTORY | CORPUS... -OPTION=VALUE...]")
  print("targets: \(names)")
  exit(64)
}
if arguments.count == 4, arguments[2] == "--seeds" {
  let directory = URL(filePath: arguments[3])
  try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
  for (index, seed) in target.seeds.enumerated() {
    try Data(seed).write(to: directory.appending(path: "seed-\(index)"))
  }
  exit(0)
}
exit(Fuzzer.run(target, options: Array(arguments.dropFirst(2))))

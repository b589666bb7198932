#include <stddef.h>
#include <stdint.h>

/// Runs libFuzzer, which comes with the compiler; see its documentation, "Using libFuzzer as a
/// library".
int LLVMFuzzerRunDriver(int *argc, char ***argv,
                        int (*callback)(const uint8_t *data, size_t size));

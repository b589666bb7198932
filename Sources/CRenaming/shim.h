#if defined(__APPLE__)
#include <stdio.h>

/* Lets two entries of one file system exchange their names, in one step. */
static inline int pn_exchange(int in, const char *first, int beside, const char *second) {
  return renameatx_np(in, first, beside, second, RENAME_SWAP);
}
#else
#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Lets two entries of one file system exchange their names, in one step. The C libraries hide
   renameat2(2) and RENAME_EXCHANGE, which is 2, from those who do not ask for them. */
static inline int pn_exchange(int in, const char *first, int beside, const char *second) {
  return (int)syscall(SYS_renameat2, in, first, beside, second, 2);
}
#endif

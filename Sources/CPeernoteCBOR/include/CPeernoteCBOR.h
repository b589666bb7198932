#ifndef CPEERNOTECBOR_H
#define CPEERNOTECBOR_H
#include <stdint.h>
#endif

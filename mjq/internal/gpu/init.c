//go:build cuda

// The package cu calls cuInit when the program starts and ends the program if
// that fails, so a program built with the tag could not even say that there is no
// device. This cuInit, which the linker prefers to the driver's, calls the
// driver's, keeps its answer for Devices, and always reports success.

#define _GNU_SOURCE
#include <dlfcn.h>

int mjqInitialised = 3; // CUDA_ERROR_NOT_INITIALIZED

int cuInit(unsigned int flags) {
	int (*real)(unsigned int) = (int (*)(unsigned int))dlsym(RTLD_NEXT, "cuInit");
	if (real)
		mjqInitialised = real(flags);
	return 0;
}

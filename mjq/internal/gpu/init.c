//go:build cuda

// The package cu calls cuInit when the program starts and ends the program if
// that fails, so a program built with the tag could not even say that there is no
// device. This cuInit, which the linker prefers to the driver's, calls the
// driver's, keeps its answer for Devices, and always reports success.

#include <dlfcn.h>

int mjqInitialised = -1; // no library

int cuInit(unsigned int flags) {
	void *driver = dlopen("libcuda.so.1", RTLD_NOW);
	int (*real)(unsigned int) = driver ? (int (*)(unsigned int))dlsym(driver, "cuInit") : 0;
	if (real)
		mjqInitialised = real(flags);
	return 0;
}

// Stands between a program and NVIDIA's driver library, which it opens when the
// program starts, if there is one: so a program with the tag cuda can be built
// where there is no driver and runs where there is none. names.h, which link.sh
// writes, lists the functions as STAND_IN(name). Each jumps to the driver's, and
// without it returns CUDA_ERROR_NO_DEVICE.

#include <dlfcn.h>
#include <stddef.h>

#if defined(__x86_64__)
#define JUMP(name) \
	"movq mjqReal_" #name "(%rip), %r11\n" \
	"testq %r11, %r11\n" \
	"jz 1f\n" \
	"jmp *%r11\n" \
	"1: movl $100, %eax\n" \
	"ret\n"
#elif defined(__aarch64__)
#define JUMP(name) \
	"adrp x16, mjqReal_" #name "\n" \
	"ldr x16, [x16, :lo12:mjqReal_" #name "]\n" \
	"cbz x16, 1f\n" \
	"br x16\n" \
	"1: mov w0, #100\n" \
	"ret\n"
#else
#error "mjq: the GPU back end is for x86-64 and arm64"
#endif

// Weak, because the program has a cuInit of its own.
#define STAND_IN(name) \
	__attribute__((visibility("hidden"))) void *mjqReal_##name; \
	__asm__(".text\n.weak " #name "\n.type " #name ", %function\n" #name ":\n" JUMP(name));
#include "names.h"
#undef STAND_IN

static const struct {
	const char *name;
	void **real;
} entries[] = {
#define STAND_IN(name) {#name, &mjqReal_##name},
#include "names.h"
};

__attribute__((constructor)) static void find(void) {
	void *driver = dlopen("libcuda.so.1", RTLD_NOW | RTLD_GLOBAL);
	for (size_t i = 0; driver && i < sizeof entries / sizeof *entries; i++)
		*entries[i].real = dlsym(driver, entries[i].name);
}

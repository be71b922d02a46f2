// A stand-in for NVIDIA's driver library, of what mjq calls: one device, whose
// kernels run on the CPU. Programs with the tag cuda can be tested with it as they
// are. What must hold on a GPU is checked: a context is current to one thread,
// code is PTX, addresses are allocated ones.
#include "machine.h"

enum { SUCCESS = 0, INVALID_VALUE = 1, OUT_OF_MEMORY = 2, INVALID_IMAGE = 200, INVALID_CONTEXT = 201, NOT_FOUND = 500, LAUNCH_FAILED = 719 };

static int context, module, stream; // their addresses serve as handles
static thread_local void *active;

static std::string code; // of the loaded module

#define CURRENT \
	if (active != &context) \
	return INVALID_CONTEXT

extern "C" {

int cuInit(unsigned flags) {
	budget = 1ull << 30;
	return flags == 0 ? SUCCESS : INVALID_VALUE;
}

int cuDriverGetVersion(int *version) {
	*version = 12010;
	return SUCCESS;
}

int cuDeviceGetCount(int *n) {
	*n = 1;
	return SUCCESS;
}

int cuDeviceGet(int *device, int ordinal) {
	*device = 0;
	return ordinal == 0 ? SUCCESS : INVALID_VALUE;
}

int cuDeviceGetName(char *name, int size, int) {
	strncpy(name, "emulated", size);
	return SUCCESS;
}

int cuDeviceTotalMem_v2(size_t *bytes, int) {
	*bytes = budget;
	return SUCCESS;
}

// Compute capability 9.0 (attribute 75), and three multiprocessors (16).
int cuDeviceGetAttribute(int *value, int attribute, int) {
	*value = attribute == 75 ? 9 : attribute == 16 ? 3 : 0;
	return SUCCESS;
}

int cuCtxCreate_v2(void **made, unsigned, int) {
	*made = active = &context;
	return SUCCESS;
}

int cuCtxSetCurrent(void *wanted) {
	active = wanted;
	return SUCCESS;
}

int cuCtxDestroy_v2(void *) {
	CURRENT;
	while (!blocks.empty())
		release(blocks.begin()->first);
	active = 0;
	return SUCCESS;
}

int cuModuleLoadData(void **loaded, const char *image) {
	CURRENT;
	code = image;
	*loaded = &module;
	return code.find("\n.target sm_80\n") != std::string::npos ? SUCCESS : INVALID_IMAGE;
}

int cuModuleGetFunction(const void **function, void *, const char *name) {
	CURRENT;
	auto k = kernels.find(name);
	if (k == kernels.end() || code.find(".entry " + std::string(name) + "(") == std::string::npos)
		return NOT_FOUND;
	*function = &k->first;
	return SUCCESS;
}

int cuStreamCreate(void **made, unsigned) {
	CURRENT;
	*made = &stream;
	return SUCCESS;
}

int cuStreamSynchronize(void *) {
	CURRENT;
	return SUCCESS;
}

int cuMemGetInfo_v2(size_t *left, size_t *total) {
	CURRENT;
	*left = budget - held;
	*total = budget;
	return SUCCESS;
}

int cuMemAlloc_v2(u64 *at, size_t bytes) {
	CURRENT;
	if (bytes == 0)
		return INVALID_VALUE;
	*at = allocate(bytes);
	return *at ? SUCCESS : OUT_OF_MEMORY;
}

int cuMemFree_v2(u64 at) {
	CURRENT;
	if (!blocks.count(at))
		return INVALID_VALUE;
	release(at);
	return SUCCESS;
}

int cuMemcpyHtoD_v2(u64 to, const void *from, size_t bytes) {
	CURRENT;
	if (!inside(to, bytes))
		return INVALID_VALUE;
	memcpy((void *)to, from, bytes);
	return SUCCESS;
}

int cuMemcpyDtoH_v2(void *to, u64 from, size_t bytes) {
	CURRENT;
	if (!inside(from, bytes))
		return INVALID_VALUE;
	memcpy(to, (const void *)from, bytes);
	return SUCCESS;
}

int cuLaunchKernel(const std::string *function, unsigned x, unsigned y, unsigned z, unsigned tx, unsigned ty, unsigned tz,
	unsigned bytes, void *on, void **parameters, void **extra) {
	CURRENT;
	if (y != 1 || z != 1 || ty != 1 || tz != 1 || on != &stream || extra)
		return INVALID_VALUE;
	Arguments words;
	for (size_t i = 0; i < kernels.at(*function).parameters; i++)
		words.push_back(*(const u64 *)parameters[i]);
	return run(*function, words.data(), x, tx, bytes) ? LAUNCH_FAILED : SUCCESS;
}
}

// A stand-in for a GPU: reads requests from standard input, holds memory, runs
// kernels, answers on standard output. A request is eight words (operation and
// up to seven arguments) and what the operation says follows; an answer is a
// word, 0 or the length of an error's text, and then a word of result or the text.
#include "machine.h"

#include <cstdio>

static void take(void *to, size_t n) {
	if (n && fread(to, 1, n, stdin) != n)
		exit(0); // the host has gone
}

static void put(const void *from, size_t n) { fwrite(from, 1, n, stdout); }

static void answer(u64 result) {
	u64 words[2] = {0, result};
	put(words, sizeof words);
}

static void refuse(const std::string &text) {
	u64 n = text.size();
	put(&n, sizeof n);
	put(text.data(), n);
}

static void launch(const u64 *r) {
	std::string name(r[5], 0);
	take(&name[0], name.size());
	Arguments words(r[4]);
	take(words.data(), 8 * words.size());
	auto k = kernels.find(name);
	if (k != kernels.end() && k->second.parameters != words.size())
		return refuse("wrong number of arguments");
	if (const char *wrong = run(name, words.data(), r[1], r[2], r[3]))
		return refuse(wrong);
	answer(0);
}

enum { ALLOCATE = 1, FREE, UPLOAD, DOWNLOAD, LAUNCH, AVAILABLE };

int main(int, char **argv) {
	budget = strtoull(argv[1], 0, 10);
	for (u64 r[8];; fflush(stdout)) {
		take(r, sizeof r);
		switch (r[0]) {
		case ALLOCATE:
			if (u64 at = allocate(r[1]))
				answer(at);
			else
				refuse("out of memory");
			break;
		case FREE:
			release(r[1]);
			answer(0);
			break;
		case UPLOAD: {
			std::vector<char> bytes(r[2]);
			take(bytes.data(), r[2]);
			if (!inside(r[1], r[2])) {
				refuse("illegal address");
				break;
			}
			memcpy((void *)r[1], bytes.data(), r[2]);
			answer(0);
			break;
		}
		case DOWNLOAD:
			if (!inside(r[1], r[2])) {
				refuse("illegal address");
				break;
			}
			answer(0);
			put((void *)r[1], r[2]);
			break;
		case LAUNCH:
			launch(r);
			break;
		case AVAILABLE:
			answer(budget - held);
			break;
		default:
			refuse("unknown operation");
		}
	}
}

// Package playground is a page on which a multiserver-job queue can be tried without
// installing anything: it runs package mjq in the browser, compiled to WebAssembly, and
// needs no server but for its own files. This package is what the page asks; folder page
// is what it looks like, and folder wasm the program that joins the two. Its files are
// put together by
//
//	make playground
package playground

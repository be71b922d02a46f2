// Package playground is a page on which you can try a multiserver-job queue without installing
// anything. It runs package mjq in the browser, compiled to WebAssembly, and needs a server for
// its own files only. This package answers the page; folder page is its appearance, and folder
// wasm the program that joins the two. Its files are put together by
//
//	make playground
package playground

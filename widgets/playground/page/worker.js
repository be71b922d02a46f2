// Runs package mjq. The page ends this worker and starts another one when it does not
// want to wait for an answer; the compiled module is handed on.
"use strict";
importScripts("wasm_exec.js");

self.mjqAnswer = (id, text) => postMessage({ id, answer: JSON.parse(text) });
self.mjqSized = (text) => postMessage({ sized: JSON.parse(text) });
self.mjqReady = (text) => postMessage({ ready: JSON.parse(text) });

onmessage = async ({ data }) => {
  if (data.module || data.load) {
    const go = new Go();
    let module = data.module;
    if (!module) {
      module = await WebAssembly.compile(await unpacked(data.load));
      postMessage({ module });
    }
    go.run(await WebAssembly.instantiate(module, go.importObject));
  } else if (data.ask) {
    self.mjqAsk(data.id, JSON.stringify(data.ask));
  } else if (data.fewest) {
    self.mjqFewest(JSON.stringify(data.fewest), JSON.stringify(data.target));
  } else if (data.write) {
    postMessage({ written: self[data.write](JSON.stringify(data.setting)), as: data.write });
  }
};

// unpacked fetches the compressed program, so that the page is small on any server.
async function unpacked(url) {
  const body = (await fetch(url)).body.pipeThrough(new DecompressionStream("gzip"));
  return new Response(body).arrayBuffer();
}

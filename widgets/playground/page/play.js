// The page: what is chosen, the worker that answers, and the address that holds it.
"use strict";

const $ = (id) => document.getElementById(id);
let setting = null, offered = null, worker = null, module = null, number = 0, busy = false, ready = false, waiting = false;

// start makes a worker; one that computes what nobody wants any more is ended.
function start() {
  if (worker) worker.terminate();
  ready = busy = false;
  worker = new Worker("worker.js");
  worker.onmessage = ({ data }) => {
    if (data.module) module = data.module;
    if (data.ready) begun(data.ready);
    if (data.answer && data.id === number) show(data.answer);
    if (data.written !== undefined) save(data.as, data.written);
  };
  worker.postMessage(module ? { module } : { load: "mjq.wasm.gz" });
}

function begun(what) {
  ready = true;
  if (!offered) {
    offered = what;
    fill($("policy"), what.policies.map((p) => p.name), "");
    setting = fromAddress() || what.presets["five classes"];
    write();
  }
  ask();
}

function fill(select, names, chosen) {
  select.replaceChildren(...names.map((n) => new Option(n, n, false, n === chosen)));
}

// ask has the worker answer, or a new one where it has not finished.
function ask() {
  clearTimeout(waiting);
  waiting = setTimeout(() => {
    number++;
    $("verdict").classList.add("late");
    if (busy || !ready) { if (ready) start(); return; }
    busy = true;
    worker.postMessage({ id: number, ask: setting });
    history.replaceState(null, "", "#" + btoa(String.fromCharCode(...new TextEncoder().encode(JSON.stringify(setting)))));
  }, 60);
}

function fromAddress() {
  try {
    const s = JSON.parse(new TextDecoder().decode(Uint8Array.from(atob(location.hash.slice(1)), (c) => c.charCodeAt(0))));
    return s.servers && s.classes && s.classes.length ? s : null;
  } catch { return null; }
}

// tall tells the page that shows this one inside it how high it is.
const tall = () => { if (parent !== window) parent.postMessage({ mjqHeight: document.body.offsetHeight + 20 }, "*"); };

let shown = null;
addEventListener("resize", () => { if (shown) show(shown); });

// show draws what an answer has; what it does not have yet stays, but pale.
function show(a) {
  busy = !a.done;
  shown = a;
  const verdict = $("verdict");
  verdict.classList.remove("late");
  verdict.classList.toggle("bad", Boolean(a.error) || !a.stable);
  verdict.textContent = a.error || a.verdict;
  $("method").textContent = a.error ? "" : !a.stable ? "Waits grow without bound." :
    (a.all && a.all.half === 0 ? (a.done ? "Exact." : "Means are exact; tails are sampled, exact ones to come…") : a.method ? `Sampled (${a.method}), 95 % intervals` + (a.done ? "." : "; going on…") : "Sampling…");
  const width = (id) => Math.max(280, $(id).clientWidth);
  const draw = (id, picture) => { $(id).innerHTML = picture; $(id).classList.remove("late"); };
  if (a.use) draw("use", drawUse(a.use, width("use")));
  if (a.all) {
    draw("means", drawMeans([...a.classes, a.all], width("means")));
    draw("tails", drawTails(a.classes, a.grid, width("tails")));
  }
  if (a.path) draw("gantt", drawGantt(a.path, Math.max(600, width("gantt"))));
  if (a.error || !a.stable) for (const id of ["use", "means", "tails"]) $(id).classList.add("late");
  $("notes").replaceChildren(...(a.notes || []).map((n) => { const li = document.createElement("li"); li.textContent = n; return li; }));
  if (!setting.load && a.limit) limitKnown(a);
  tall();
  document.body.dataset.state = a.error ? "error" : a.done ? "done" : "going";
}

// limitKnown shows the load of a queue that was given by its rate.
function limitKnown(a) {
  $("load").value = $("load-slide").value = Number((100 * a.rate / a.limit).toPrecision(4));
}

// own is what the list of presets says of a queue that is none of them.
const own = "a queue of your own";

// asGiven is a law or a policy that came with the queue and has no name here.
const asGiven = "as given";

// write puts the setting into the form.
function write() {
  const same = (s) => JSON.stringify(s.classes) === JSON.stringify(setting.classes);
  const preset = Object.keys(offered.presets).find((n) => same(offered.presets[n]));
  fill($("preset"), [...(preset ? [] : [own]), ...Object.keys(offered.presets)], preset || own);
  $("servers-slide").max = Math.max(128, 2 * setting.servers);
  $("servers").value = $("servers-slide").value = setting.servers;
  $("load").value = $("load-slide").value = setting.load ? Number((100 * setting.load).toPrecision(4)) : "";
  fill($("policy"), [...(setting.rule ? [asGiven] : []), ...offered.policies.map((p) => p.name)], setting.policy || "FCFS");
  // The fields are new ones: whoever was in one by the keyboard is to stay there.
  const held = document.activeElement?.closest("#classes") && document.activeElement.getAttribute("aria-label");
  $("classes").replaceChildren(...setting.classes.map(classRow));
  if (held) ($("classes").querySelector(`[aria-label="${held}"]:enabled`) || $("add")).focus();
}

// classRow is the row of a class. Every field has a label that names the class.
function classRow(c, k) {
  const tr = document.createElement("tr");
  const cell = (field) => { const td = document.createElement("td"); td.append(...field); tr.append(td); };
  const input = (key, type, what) => {
    const i = document.createElement("input");
    i.type = type; i.value = c[key] ?? ""; i.className = key; i.setAttribute("aria-label", `${what} of class ${k + 1}`);
    if (type === "number") { i.step = key === "need" ? 1 : "any"; i.min = 0; }
    i.oninput = () => { c[key] = type === "number" ? Number(i.value) : i.value; changed(); };
    return i;
  };
  const key = document.createElement("span");
  key.className = "key"; key.style.background = colour(k);
  cell([key, " ", input("name", "text", "name")]);
  cell([input("need", "number", "servers")]);
  cell([input("share", "number", "share")]);
  const law = document.createElement("select");
  law.setAttribute("aria-label", `service time of class ${k + 1}`);
  fill(law, [...(c.form ? [asGiven] : []), ...offered.laws.map((l) => l.name)], c.law);
  law.onchange = () => {
    c.law = law.value;
    c.shape = (offered.laws.find((l) => l.name === c.law) || {}).usual || 0;
    write(); changed();
  };
  cell([law]);
  const mean = input("mean", "number", "mean service time");
  mean.disabled = c.law === asGiven;
  cell([mean]);
  const shape = (offered.laws.find((l) => l.name === c.law) || {}).shape;
  if (shape) { const i = input("shape", "number", shape); i.title = shape; cell([i]); } else { cell(["–"]); }
  const out = document.createElement("button");
  out.type = "button"; out.textContent = "×"; out.setAttribute("aria-label", `leave out class ${k + 1}`);
  out.disabled = setting.classes.length < 2;
  out.onclick = () => { setting.classes.splice(k, 1); write(); changed(); };
  cell([out]);
  return tr;
}

const changed = () => ask();

function save(as, text) {
  const name = as === "mjqNotebook" ? "queue.ipynb" : "main.go";
  const a = document.createElement("a");
  a.href = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
  a.download = name;
  a.click();
  URL.revokeObjectURL(a.href);
  $("said").textContent = `Saved as ${name}.`;
}

for (const [id, key, scale] of [["servers", "servers", 1], ["load", "load", 0.01]]) {
  for (const from of [id, id + "-slide"]) {
    $(from).oninput = () => {
      const v = Number($(from).value);
      if (!(v > 0)) return;
      $(id).value = $(id + "-slide").value = v;
      setting[key] = key === "servers" ? Math.round(v) : v * scale;
      changed();
    };
  }
}
$("policy").onchange = () => { setting.policy = $("policy").value; changed(); };
$("preset").onchange = () => { if ($("preset").value === own) return; setting = structuredClone(offered.presets[$("preset").value]); write(); changed(); };
$("add").onclick = () => {
  setting.classes.push({ name: `T${setting.classes.length + 1}`, need: 1, share: 0.1, law: "exponential", mean: 1 });
  write(); changed();
};
$("again").onclick = () => { setting.seed = (setting.seed || 0) + 1; changed(); };
$("share").onclick = async () => {
  try { await navigator.clipboard.writeText(location.href); $("said").textContent = "The link is on the clipboard."; }
  catch { $("said").textContent = "The address of this page is the link."; }
};
$("notebook").onclick = () => worker.postMessage({ write: "mjqNotebook", setting });
$("program").onclick = () => worker.postMessage({ write: "mjqProgram", setting });
addEventListener("hashchange", () => { const s = fromAddress(); if (s && offered) { setting = s; write(); changed(); } });
if (new URLSearchParams(location.search).has("inside")) document.body.classList.add("inside");
$("setting").onsubmit = (e) => e.preventDefault();
start();

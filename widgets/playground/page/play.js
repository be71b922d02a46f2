// The page: what is chosen, the worker that answers, and the address that holds it.
"use strict";

const $ = (id) => document.getElementById(id);
let setting = null, offered = null, worker = null, module = null, number = 0, busy = false, ready = false, waiting = false;
let answered = false; // the queue shown is answered before the program could
let searcher = null, found = null; // a worker that looks for the fewest servers, and what it has found

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
  offer(what);
  if (!answered) ask();
  answered = false;
}

// offer fills the form, once.
function offer(what) {
  if (offered) return;
  offered = what;
  fill($("policy"), what.policies.map((p) => p.name), "");
  setting = fromAddress() || what.presets["five classes"];
  write();
  if (location.hash.length > 1 && !fromAddress()) $("said").textContent = "The link holds no queue. This is another one.";
}

// begin shows the form, and the answer to its queue that was computed when the page was built,
// while the program is on its way.
async function begin() {
  try {
    const first = await (await fetch("first.json")).json();
    offer(first.ready);
    if (location.hash.length < 2 && number === 0) { answered = true; show(first.answer); }
  } catch { /* without that file the first answer comes with the program */ }
  start();
}

function fill(select, names, chosen) {
  select.replaceChildren(...names.map((n) => new Option(n, n, false, n === chosen)));
}

// ask has the worker answer, or a new one where it has not finished.
function ask() {
  clearTimeout(waiting);
  forget();
  answered = false;
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
    const list = s.classes;
    return Array.isArray(list) && list.length && list.every((c) => c && typeof c === "object") ? s : null; // Go judges the rest
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
  mark(a.faults || []);
  $("method").textContent = a.error ? ($("gantt").firstChild ? "The pictures show the queue before this change." : "") : !a.stable ? "Waits grow without bound." :
    (a.all && a.all.half === 0 ? (a.sampled ? "Means are exact, tails are sampled." : a.done ? "Exact." : "Means are exact; tails are sampled, exact ones to come…") : a.method ? `Sampled (${a.method}), 95 % intervals` + (a.done ? "." : "; going on…") : "Sampling…");
  const width = (id) => Math.max(280, $(id).clientWidth);
  const draw = (id, picture) => { $(id).innerHTML = picture; $(id).classList.remove("late"); };
  if (a.use) draw("use", drawUse(a.use, width("use")));
  if (a.all) {
    draw("means", drawMeans([...a.classes, a.all], width("means")));
    draw("waits", waitsTable([...a.classes, a.all]));
    draw("tails", drawTails(a.classes, a.grid, width("tails")));
  }
  if (a.all || !a.error && a.stable) draw("whole", (a.whole || []).map((m) => `${m.name} ${interval(m.value, m.half)}`).join(", "));
  if (a.path) draw("gantt", drawGantt(a.path, Math.max(600, width("gantt"))));
  else if (!a.error) draw("gantt", "No chart of this queue: it shows at most 256 servers that are always on, of jobs that arrive and keep their servers.");
  if (a.error || !a.stable) for (const id of ["use", "whole", "means", "waits", "tails"]) $(id).classList.add("late");
  if (a.error) $("gantt").classList.add("late");
  $("notes").replaceChildren(...(a.notes || []).map((n) => { const li = document.createElement("li"); li.textContent = n; return li; }));
  reach(a);
  tall();
  document.body.dataset.state = a.error ? "error" : a.done ? "done" : "going";
}

// mark says at each field what is wrong with it, and no longer what was.
function mark(faults) {
  for (const e of document.querySelectorAll(".fault")) e.remove();
  for (const e of document.querySelectorAll("#setting [aria-invalid]")) for (const name of ["aria-invalid", "aria-errormessage"]) e.removeAttribute(name);
  for (const { field, text } of faults) {
    const e = $(field) || document.querySelector(`[data-field="${field}"]`);
    if (!e) continue;
    const said = document.createElement("p"), row = e.closest("tr");
    said.className = "fault"; said.id = `${field}-fault`; said.textContent = row ? `${e.closest("td").dataset.label}: ${text}` : text;
    e.setAttribute("aria-invalid", "true"); e.setAttribute("aria-errormessage", said.id);
    if (row) {
      const below = document.createElement("tr"), cell = document.createElement("td");
      below.className = "fault"; cell.colSpan = row.cells.length;
      cell.append(said); below.append(cell); row.after(below);
    } else e.closest(".row").append(said);
  }
}

// four is a number of four digits, as fields show it; they are empty for what is no number.
const four = (x) => Number.isFinite(x) ? Number(x.toPrecision(4)) : "";

// typed is the number in a field; NaN, which JSON writes as null, where there is none.
const typed = (field) => field.value === "" ? NaN : Number(field.value);

// blank says that a field was left empty.
const blank = (field) => field.value === "" && !field.validity.badInput;

// offers says that a load is that of the servers: some jobs are not served, so that there is no
// limit, or it is not known at once.
const offers = () => setting.room !== undefined || setting.patience > 0 || setting.nodeSize > 0 || beyond();

// plain are the fields of servers that fail and sleep, by the name in the setting.
const plain = { up: "up", repair: "repair", every: "every", cost: "cost", recovery: "recovery", spares: "spares", setup: "setup", sleepAfter: "sleep-after", awake: "awake" };

// beyond says that servers fail or sleep, jobs stretch or users wait.
const beyond = () => setting.up > 0 || setting.spares > 0 || setting.setup > 0 || setting.classes.some((c) => c.users > 0 || c.least > 0 || c.most > 0);

// byRate says that arrivals are given in jobs a unit of time, not as a load.
const byRate = () => setting.load === undefined || (setting.load === 0 && setting.rate !== undefined);

// times is the unit of time in the plural, and per how often something happens.
const times = () => setting.unit ? setting.unit + "s" : "units of time";
const per = () => setting.unit === "hour" ? "an hour" : `a ${setting.unit || "unit of time"}`;
const shorts = { second: "s", minute: "min", hour: "h", day: "d" };

// given shows how arrivals are given, and how often jobs arrive.
function given() {
  const names = [offers() ? "Offered load, % of servers" : "Load, % of the limit", `Jobs ${per()}`];
  fill($("given"), names, names[byRate() ? 1 : 0]);
  $("load").setAttribute("aria-label", names[byRate() ? 1 : 0]);
  $("load-slide").setAttribute("aria-label", byRate() ? "Arrival rate, slider" : "Load, slider");
  if (byRate()) reach(shown);
  else Object.assign($("load-slide"), { min: 5, max: 99, step: 1 });
  $("load").value = $("load-slide").value = four(byRate() ? setting.rate : 100 * setting.load);
}

// reach lets the slider of a rate go a little beyond the limit.
function reach(a) {
  if (!byRate() || !(setting.rate > 0)) return;
  const most = four(1.1 * ((a && (a.limit || a.ideal)) || setting.rate));
  Object.assign($("load-slide"), { min: most / 100, max: Math.max(most, setting.rate), step: "any" });
  $("load-slide").value = setting.rate;
}

// give keeps the arrivals as they are and gives them the other way. A load is one of the
// limit first come first served.
function give() {
  const rate = $("given").selectedIndex === 1;
  if (rate === byRate() || !shown || !shown.rate) return given();
  const limit = offers() ? shown.ideal : setting.policy && setting.policy !== "FCFS" ? limitOfLoads : shown.limit;
  if (!rate && !limit) {
    $("said").textContent = "The limit first come first served is not known here; choose FCFS to give a load of it.";
    return given();
  }
  if (rate) { limitOfLoads = shown.rate / setting.load; setting.rate = four(shown.rate); delete setting.load; }
  else { setting.load = four(setting.rate / limit); delete setting.rate; }
  given();
  changed();
}
let limitOfLoads = 0;

// named puts the unit of time wherever times are.
function named() {
  fill($("unit"), ["unit of time", ...offered.units], setting.unit || "unit of time");
  for (const e of document.querySelectorAll(".times")) e.textContent = times();
  for (const e of document.querySelectorAll(".short-unit")) e.textContent = setting.unit ? `, ${shorts[setting.unit]}` : "";
}

// find looks for the fewest servers, in a worker beside that of the answers. A changed
// queue ends it.
function find() {
  if (!module) { $("sized").textContent = "The program is still on its way."; return; }
  forget();
  $("sized").textContent = "Looking…";
  const target = { share: Number($("goal").value), most: Number($("most").value) };
  const mine = searcher = new Worker("worker.js");
  mine.onmessage = ({ data }) => {
    if (mine !== searcher) return;
    if (data.ready) mine.postMessage({ fewest: setting, target });
    if (data.sized) showSized(data.sized);
  };
  mine.postMessage({ module });
}

function showSized(a) {
  if (a.done) stop();
  $("sized").classList.toggle("bad", Boolean(a.error));
  if (a.field) { $("most").setAttribute("aria-invalid", "true"); $("most").setAttribute("aria-errormessage", "sized"); }
  $("sized").textContent = a.error || (a.done ? a.verdict : `Looking… ${a.tried} numbers of servers tried`);
  if (a.done && a.servers) {
    found = a;
    $("take").textContent = `Use ${a.servers} servers`;
    $("take").hidden = a.servers === setting.servers;
  }
  tall();
}

function stop() {
  if (searcher) searcher.terminate();
  searcher = null;
}

// forget leaves out what was found, or is looked for, for another queue.
function forget() {
  stop();
  found = null;
  $("sized").textContent = "";
  $("sized").classList.remove("bad");
  $("most").removeAttribute("aria-invalid");
  $("take").hidden = true;
}

// own is what the list of presets says of a queue that is none of them.
const own = "a queue of your own";

// asGiven is a law or a policy that came with the queue and has no name here.
const asGiven = "as given";

// nodes shows on what nodes the servers are; without nodes there is no placement to choose.
function nodes() {
  if (document.activeElement !== $("node-size")) $("node-size").value = setting.nodeSize || "";
  $("placement").value = setting.placement || "BestFit";
  $("placement").disabled = !setting.nodeSize;
}

// write puts the setting into the form.
function write() {
  const same = (s) => JSON.stringify(s.classes) === JSON.stringify(setting.classes);
  const preset = Object.keys(offered.presets).find((n) => same(offered.presets[n]));
  fill($("preset"), [...(preset ? [] : [own]), ...Object.keys(offered.presets)], preset || own);
  $("servers-slide").max = Math.max(128, 2 * setting.servers);
  $("servers").value = $("servers-slide").value = setting.servers;
  named();
  given();
  nodes();
  $("room").value = setting.room ?? "";
  $("patience").value = setting.patience || "";
  for (const [key, id] of Object.entries(plain)) if (document.activeElement !== $(id)) $(id).value = setting[key] ?? "";
  $("after").value = setting.after || "restart";
  if (beyond()) $("beyond").open = true;
  fill($("policy"), [...(setting.rule ? [asGiven] : []), ...offered.policies.map((p) => p.name)], setting.policy || "FCFS");
  // The fields are new ones: whoever was in one by the keyboard is to stay there.
  const held = document.activeElement?.closest("#classes") && document.activeElement.getAttribute("aria-label");
  $("classes").replaceChildren(...setting.classes.map(classRow));
  $("more").replaceChildren(...setting.classes.map(moreRow));
  if (held) ($("classes").querySelector(`[aria-label="${held}"]:enabled`) || $("add")).focus();
}

// classRow is the row of a class. Every field has a label that names the class.
function classRow(c, k) {
  const tr = document.createElement("tr");
  const cell = (field, label = "") => { const td = document.createElement("td"); td.dataset.label = label; td.append(...field); tr.append(td); };
  const input = (key, type, what) => {
    const i = document.createElement("input");
    i.dataset.field = `classes.${k}.${key}`;
    i.type = type; i.value = c[key] ?? ""; i.className = key; i.setAttribute("aria-label", `${what} of class ${k + 1}`);
    if (type === "number") { i.step = key === "need" ? 1 : "any"; i.min = 0; }
    i.oninput = () => {
      c[key] = type === "number" ? typed(i) : i.value;
      if (key === "name") $("more").rows[k].cells[0].textContent = i.value;
      changed();
    };
    return i;
  };
  const key = document.createElement("span");
  key.className = "key"; key.style.background = colour(k);
  cell([key, " ", input("name", "text", "name")], "name");
  cell([input("need", "number", "servers")], "servers");
  cell([input("share", "number", "share")], "share");
  const law = document.createElement("select");
  law.dataset.field = `classes.${k}.law`;
  law.setAttribute("aria-label", `service time of class ${k + 1}`);
  fill(law, [...(c.form ? [asGiven] : []), ...offered.laws.map((l) => l.name)], c.law);
  law.onchange = () => {
    c.law = law.value;
    c.shape = (offered.laws.find((l) => l.name === c.law) || {}).usual || 0;
    write(); changed();
  };
  cell([law], "service time");
  const mean = input("mean", "number", "mean service time");
  mean.disabled = c.law === asGiven;
  cell([mean], "mean" + (setting.unit ? `, ${shorts[setting.unit]}` : ""));
  const shape = (offered.laws.find((l) => l.name === c.law) || {}).shape;
  if (shape) { const i = input("shape", "number", shape); i.title = shape; cell([i], shape); } else { cell(["–"], "shape"); }
  const out = document.createElement("button");
  out.type = "button"; out.textContent = "×"; out.setAttribute("aria-label", `leave out class ${k + 1}`);
  out.disabled = setting.classes.length < 2;
  out.onclick = () => { setting.classes.splice(k, 1); write(); changed(); };
  cell([out]);
  return tr;
}

// moreRow are the sizes and the users of a class.
function moreRow(c, k) {
  const tr = document.createElement("tr");
  const cell = (field, label) => { const td = document.createElement("td"); td.dataset.label = label; td.append(field); tr.append(td); };
  const input = (key, what, whole, hint = "") => {
    const i = document.createElement("input");
    i.dataset.field = `classes.${k}.${key}`;
    i.type = "number"; i.min = 0; i.step = whole ? 1 : "any"; i.value = c[key] ?? ""; i.placeholder = hint;
    i.setAttribute("aria-label", `${what} of class ${k + 1}`);
    i.oninput = () => { if (blank(i)) delete c[key]; else c[key] = typed(i); share(); given(); changed(); };
    cell(i, what);
    return i;
  };
  const share = () => { const i = document.querySelector(`[data-field="classes.${k}.share"]`); if (i) i.disabled = c.users > 0; };
  cell(c.name, "class");
  input("least", "least servers", true);
  input("most", "most servers", true);
  const speed = document.createElement("select");
  speed.dataset.field = `classes.${k}.speed`;
  speed.setAttribute("aria-label", `speed of class ${k + 1}`);
  fill(speed, offered.speeds.map((s) => s.name), c.speed || offered.speeds[0].name);
  cell(speed, "speed");
  const spread = input("spread", "speed with");
  const chosen = () => {
    const s = offered.speeds.find((x) => x.name === speed.value);
    spread.disabled = !s.shape; spread.title = s.shape || ""; spread.placeholder = s.usual || "–";
  };
  speed.onchange = () => { if (speed.selectedIndex) c.speed = speed.value; else delete c.speed; delete c.spread; spread.value = ""; chosen(); changed(); };
  chosen();
  input("users", "users", true, "none");
  input("think", "time to think");
  share();
  return tr;
}

const changed = () => ask();

function save(as, text) {
  if (!text) { $("said").textContent = "Nothing is saved: the queue on the page has a fault."; return; }
  const name = as === "mjqNotebook" ? "queue.ipynb" : "main.go";
  const a = document.createElement("a");
  a.href = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
  a.download = name;
  a.click();
  URL.revokeObjectURL(a.href);
  $("said").textContent = `Saved as ${name}.`;
}

for (const id of ["servers", "load"]) {
  for (const from of [id, id + "-slide"]) {
    $(from).oninput = () => {
      const v = from === "load-slide" ? four(typed($(from))) : typed($(from));
      if (v > 0) for (const other of [id, id + "-slide"]) if (other !== from) $(other).value = v;
      if (id === "servers") setting.servers = v;
      else if (byRate()) setting.rate = v;
      else setting.load = v * 0.01;
      changed();
    };
  }
}
$("given").onchange = give;
$("unit").onchange = () => {
  setting.unit = offered.units[$("unit").selectedIndex - 1] || "";
  write(); changed();
};
$("find").onclick = find;
$("goal").onchange = $("most").oninput = forget;
$("take").onclick = () => {
  setting.servers = found.servers; setting.rate = found.rate; delete setting.load;
  write(); changed(); $("servers").focus();
};
$("policy").onchange = () => { setting.policy = $("policy").value; changed(); };
$("node-size").oninput = () => {
  if (blank($("node-size"))) { delete setting.nodeSize; delete setting.placement; } else setting.nodeSize = typed($("node-size"));
  nodes(); given(); changed();
};
$("placement").onchange = () => { setting.placement = $("placement").value; changed(); };
$("room").oninput = () => {
  if (blank($("room"))) delete setting.room; else setting.room = typed($("room"));
  given(); changed();
};
$("patience").oninput = () => {
  if (blank($("patience"))) delete setting.patience; else setting.patience = typed($("patience"));
  given(); changed();
};
for (const [key, id] of Object.entries(plain)) {
  $(id).oninput = () => {
    if (blank($(id))) delete setting[key]; else setting[key] = typed($(id));
    given(); changed();
  };
}
$("after").onchange = () => { if ($("after").selectedIndex) setting.after = $("after").value; else delete setting.after; changed(); };
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
addEventListener("hashchange", () => { const s = fromAddress(); if (s && offered) { setting = s; write(); changed(); } else if (offered) $("said").textContent = "The link holds no queue."; });
if (new URLSearchParams(location.search).has("inside")) document.body.classList.add("inside");
$("setting").onsubmit = (e) => e.preventDefault();
begin();

(function controls(spec, waited = 0) {
  if (!globalThis.WebSocket || !document.getElementById("jupyter-config-data")) return; // no kernel: the playground has the sliders
  // The output of this cell, which may not stand in the page yet and is there once in each view of the notebook.
  const panel = [...document.querySelectorAll(`[data-panel="${spec.panel}"]`)].find((e) => !e.dataset.ready);
  if (!panel) return waited < 1800 && setTimeout(controls, 1000, spec, waited + 1); // as long as the program waits
  panel.dataset.ready = "yes";
  panel.style.cssText = "display:grid;grid-template-columns:max-content 1fr max-content;gap:4px 12px;max-width:960px;font:13px sans-serif;align-items:center";
  // After a reload of the page the controls stand where they stood.
  const at = { ...spec.initial, ...JSON.parse(sessionStorage.getItem(spec.panel) || "{}") };
  let seq = Date.now(), acked = 0;
  const born = Date.now();
  // The page speaks with the kernel on a connection of its own, as Jupyter's pages do.
  const config = JSON.parse(document.getElementById("jupyter-config-data")?.textContent || "{}");
  const base = new URL(config.baseUrl || "/", location.href);
  base.protocol = base.protocol === "https:" ? "wss:" : "ws:";
  const session = crypto.randomUUID?.() || String(Math.random());
  let line = null;
  const connect = () => {
    line = new WebSocket(new URL(`api/kernels/${spec.kernel}/channels?session_id=${session}`, base));
    line.onmessage = (event) => {
      const m = JSON.parse(event.data);
      if (m.msg_type === "update_display_data" && m.content.transient?.display_id === spec.picture) {
        setTimeout(draw, 250, m.content.data["text/html"]);
      }
      if (m.msg_type !== "comm_msg" || m.content.comm_id !== spec.panel) return;
      acked = Date.now();
      note.textContent = "";
    };
  };
  // After a reload JupyterLab no longer knows what has displayed the picture, and does not
  // draw it anew; then we do.
  const draw = (html) => {
    const area = panel.closest(".jp-OutputArea") || document, place = [...area.querySelectorAll(".mjq-panel")].indexOf(panel);
    const fresh = document.createElement("template"), old = area.querySelectorAll(".mjq-explore")[place];
    fresh.innerHTML = html;
    const now = fresh.content.querySelector(".mjq-explore");
    if (old && now && old.outerHTML !== now.outerHTML) old.replaceWith(now);
  };
  const say = (what) => {
    if (what === "set") sessionStorage.setItem(spec.panel, JSON.stringify(at));
    if (line?.readyState !== WebSocket.OPEN) return;
    const header = { msg_id: `${session}-${++seq}`, msg_type: "comm_msg", session, username: "", date: new Date().toISOString(), version: "5.3" };
    const content = { comm_id: spec.panel, data: { seq, do: what, ...at } };
    line.send(JSON.stringify({ header, parent_header: {}, metadata: {}, content, buffers: [], channel: "shell" }));
  };
  const add = (tag, name, text) => {
    const e = document.createElement(tag);
    if (name) e.className = "mjq-" + name;
    e.dataset.lmSuppressShortcuts = "true"; // or JupyterLab takes the arrow keys from a slider
    e.textContent = text || "";
    panel.appendChild(e);
    return e;
  };
  const slider = (label, name, min, max, step, read, tell) => {
    add("label", "", label);
    const s = add("input", name);
    Object.assign(s, { type: "range", min, max, step });
    s.value = at[name];
    const value = add("output", "", tell(at[name]));
    s.oninput = () => {
      at[name] = read(s.value);
      value.textContent = tell(at[name]);
      going(true);
      say("set");
    };
  };
  slider("offered load", "load", 0.01, 1, 0.005, Number, (v) => (100 * v).toFixed(1) + " %");
  slider("servers", "servers", spec.fewest, spec.most, 1, Number, String);
  slider("job mix", "tilt", -2, 2, 0.05, Number, (v) => v < 0 ? "fewer big jobs" : v > 0 ? "more big jobs" : "as given");
  add("label", "", "service law");
  const law = add("select", "law");
  for (const name of spec.laws) law.add(new Option(name));
  law.value = at.law;
  law.onchange = () => { at.law = law.value; going(true); say("set"); };
  const buttons = add("span");
  const button = (name, text, act) => {
    const b = document.createElement("button");
    b.className = "mjq-" + name;
    b.textContent = text;
    b.onclick = act;
    buttons.appendChild(b);
    return b;
  };
  let on = true;
  const going = (now) => { on = now; pause.textContent = on ? "❚❚ pause" : "▶ run"; };
  const pause = button("pause", "❚❚ pause", () => { going(!on); say(on ? "run" : "pause"); });
  const stop = button("stop", "■ stop", () => { say("stop"); end("Stopped: run the cell to move the sliders."); });
  const note = add("small", "note", "connecting …");
  note.style.gridColumn = "1 / -1";

  // The page says now and then that it is here, and looks whether it is heard.
  let timer = 0, away = 0;
  const here = () => {
    // Out of sight it may be taken out of the page, and be back before the program ends.
    if (!panel.isConnected) {
      away ||= Date.now();
      if (Date.now() - away > 150000) end("");
      return;
    }
    if (away && acked) acked = Date.now() - 4000;
    away = 0;
    if (!line || line.readyState === WebSocket.CLOSED) connect();
    if (!acked && Date.now() - born > 20000 || acked && Date.now() - acked > 20000) {
      return end("Not connected: run the cell to move the sliders.");
    }
    if (!acked || Date.now() - acked > 4000) say("here");
  };
  const end = (text) => {
    clearInterval(timer);
    setTimeout(() => line?.close(), 500);
    note.textContent = text;
    for (const e of panel.querySelectorAll("input,select,button")) e.disabled = true;
  };
  timer = setInterval(here, 500);
  // A page that goes says so while it still can. If it stays after all, it is
  // heard again soon.
  addEventListener("beforeunload", () => {
    if (!panel.isConnected || !acked) return;
    say("bye");
    acked = Math.min(acked, Date.now() - 4000);
  });
})

((id, steps) => {
  const picture = [...document.getElementsByClassName(id)].find((e) => !e.dataset.ready);
  if (!picture || !steps.length) return;
  picture.dataset.ready = "yes";
  // Titles on hover need the drawing itself in the page, and not as an image.
  const image = picture.querySelector("img");
  const drawing = image && new DOMParser().parseFromString(
    new TextDecoder().decode(Uint8Array.from(atob(image.src.split(",")[1]), (c) => c.charCodeAt(0))), "image/svg+xml").documentElement;
  if (drawing?.nodeName === "svg") {
    drawing.removeAttribute("width");
    drawing.removeAttribute("height");
    drawing.style.cssText = "width:100%;display:block";
    drawing.setAttribute("role", "img");
    drawing.setAttribute("aria-label", image.alt);
    image.replaceWith(document.importNode(drawing, true));
  }
  const add = (parent, tag, style, text) => {
    const e = document.createElement(tag);
    e.style.cssText = style;
    e.dataset.lmSuppressShortcuts = "true"; // or JupyterLab takes the arrow keys from the slider
    e.textContent = text || "";
    parent.appendChild(e);
    return e;
  };
  // The veil hides what has not happened yet, between legend and axis.
  const veil = add(picture.firstElementChild, "div",
    "position:absolute;top:9%;bottom:7%;right:0;background:rgba(255,255,255,.86);border-left:2px solid #222;display:none");
  const bar = add(picture, "div", "display:flex;gap:6px;align-items:center;font:13px sans-serif");
  const text = add(picture, "div", "font:13px sans-serif;min-height:2.6em;padding:4px 2px");
  text.className = "mjq-gantt-text";
  let at = steps.length, timer = 0;
  const show = (k) => {
    at = Math.max(0, Math.min(steps.length, k));
    veil.style.display = at < steps.length ? "block" : "none";
    if (at < steps.length) veil.style.left = 100 * steps[at].x + "%";
    text.textContent = at < steps.length ? steps[at].text : "";
    slider.value = at;
    if (at === steps.length) pause();
  };
  const pause = () => {
    clearInterval(timer);
    timer = 0;
    play.textContent = "▶ play";
  };
  const button = (label, title, act) => {
    const b = add(bar, "button", "padding:2px 8px", label);
    b.title = title;
    b.onclick = act;
    return b;
  };
  button("◀", "one event back", () => { pause(); show(at - 1); });
  const play = button("▶ play", "play the path", () => {
    if (timer) return pause();
    if (at === steps.length) show(0);
    play.textContent = "❚❚ pause";
    // A picture that is taken from the page stops playing.
    timer = setInterval(() => picture.isConnected ? show(at + 1) : pause(), 700);
  });
  button("▶", "one event on", () => { pause(); show(at === steps.length ? 0 : at + 1); });
  const slider = add(bar, "input", "flex:1");
  Object.assign(slider, { type: "range", min: 0, max: steps.length, value: at });
  slider.oninput = () => { pause(); show(+slider.value); };
})

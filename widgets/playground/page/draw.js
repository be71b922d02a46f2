// Draws answers as SVG. Colours are variables of the style sheet, so that they follow
// the reader's theme.
"use strict";

const colour = (k) => `var(--c${k % 7})`;
const escaped = (s) => String(s).replace(/[&<>"]/g, (c) => `&#${c.charCodeAt(0)};`);

// short is a number to three digits, as people write it.
function short(x) {
  if (x === null || x === undefined) return "–";
  if (x === 0) return "0";
  const a = Math.abs(x);
  if (a >= 1e5 || a < 1e-3) return x.toExponential(1);
  return String(Number(x.toPrecision(3)));
}

// interval is a number with its half-width, both to the digits that the latter warrants. A
// half-width of 0 is that of an exact number, one of null is not known.
function interval(mean, half) {
  if (half === null && mean !== null) return `${short(mean)} ± ?`;
  if (!(half > 0) || mean === null) return short(mean);
  const digits = Math.min(12, Math.max(0, 1 - Math.floor(Math.log10(half))));
  return `${mean.toFixed(digits)} ± ${half.toFixed(digits)}`;
}

function svg(width, height, label, body) {
  return `<svg viewBox="0 0 ${width} ${height}" role="img" aria-label="${escaped(label)}">${body}</svg>`;
}

// drawUse is one bar: busy, idle though somebody waits, idle otherwise.
function drawUse(use, width) {
  const parts = [["busy", use.busy, "var(--soft)"], ["idle, blocked", use.wasted, "var(--idle)"], ["idle", use.idle, "var(--line)"]];
  const all = parts.reduce((sum, p) => sum + Math.max(0, p[1] || 0), 0);
  if (!(all > 0)) return "";
  let x = 0, bars = "", texts = "", said = [], at = 0;
  parts.forEach(([name, value, fill]) => {
    const w = width * Math.max(0, value || 0) / all;
    bars += `<rect x="${x}" y="0" width="${w}" height="22" fill="${fill}"/>`;
    const words = `${name} ${short(value)}`;
    texts += `<rect x="${at}" y="32" width="10" height="10" fill="${fill}"/><text x="${at + 15}" y="42">${words}</text>`;
    at += Math.max(28 + 7 * words.length, width / 5); // beside each other on a telephone, too
    said.push(words);
    x += w;
  });
  return svg(width, 50, "Servers: " + said.join(", "), bars + texts);
}

// drawMeans is a bar for every class, with its interval.
function drawMeans(rows, width) {
  const left = 90, right = 150, high = 26;
  const top = Math.max(...rows.map((r) => (r.mean || 0) + (r.half || 0)), 1e-300);
  const at = (v) => left + (width - left - right) * v / top;
  let body = "";
  rows.forEach((r, k) => {
    const y = k * high;
    const fill = r.name === "all" && k === rows.length - 1 ? "var(--soft)" : colour(k);
    body += `<text x="${left - 8}" y="${y + 17}" text-anchor="end">${escaped(r.name)}</text>`;
    if (r.mean !== null) {
      body += `<rect x="${left}" y="${y + 5}" width="${Math.max(1, at(r.mean) - left)}" height="14" fill="${fill}"/>`;
    }
    if (r.half > 0) {
      body += `<path d="M${at(Math.max(0, r.mean - r.half))} ${y + 12}H${at(r.mean + r.half)}" stroke="var(--ink)" stroke-width="2"/>`;
    }
    body += `<text x="${at((r.mean || 0) + (r.half || 0)) + 6}" y="${y + 17}">${interval(r.mean, r.half)}</text>`;
  });
  const label = "Mean waits: " + rows.map((r) => `${r.name} ${short(r.mean)}`).join(", ");
  return svg(width, rows.length * high + 4, label, body);
}

// waitsTable is what the jobs of each class wait, in numbers, and how many are not served. A second table has
// what failures, sizes and users add.
function waitsTable(rows) {
  const fates = [["blocked", "turned away"], ["left", "give up"]].filter(([key]) => rows.some((r) => r[key]));
  const share = (s) => s ? interval(100 * s.value, s.half === null ? null : 100 * s.half) + " %" : "–";
  const line = (r) => [[r.mean, r.half], [r.p90, r.p90Half], [r.p99, r.p99Half]].map(([x, half]) => interval(x, half)).concat(fates.map(([key]) => share(r[key])));
  const names = [...new Set(rows.flatMap((r) => (r.more || []).map((m) => m.name)))];
  const more = (r) => names.map((name) => (r.more || []).find((m) => m.name === name)).map((m) => m ? interval(m.value, m.half) : "–");
  return table(rows, ["mean wait", "90 % wait ≤", "99 % wait ≤", ...fates.map(([, name]) => name)], line) + (names.length ? table(rows, names, more) : "");
}

// table has a row for every class.
function table(rows, heads, cells) {
  const body = rows.map((r) => `<tr><th scope="row">${escaped(r.name)}</th>${cells(r).map((x) => `<td>${escaped(x)}</td>`).join("")}</tr>`);
  return `<table><thead><tr><th scope="col">class</th>${heads.map((h) => `<th scope="col">${escaped(h)}</th>`).join("")}</tr></thead><tbody>${body.join("")}</tbody></table>`;
}

// ticks are three to six round numbers from 0 to an end.
function ticks(end) {
  const power = 10 ** Math.floor(Math.log10(end));
  const step = [0.2, 0.5, 1, 2].map((k) => k * power).find((s) => end / s < 6.01);
  return Array.from({ length: Math.floor(end / step + 1e-9) + 1 }, (_, k) => k * step);
}

// drawTails are P(W > t) on a logarithmic axis, each curve with its name at its end.
function drawTails(rows, grid, width) {
  const height = 230, left = 46, right = 80, bottom = 30, least = -2.3;
  const x = (t) => left + (width - left - right) * t / grid[grid.length - 1];
  const y = (p) => 8 + (height - bottom - 8) * Math.min(1, Math.log10(p) / least);
  let body = "";
  for (const [p, text] of [[1, "1"], [0.1, "0.1"], [0.01, "0.01"]]) {
    body += `<path class="axis" d="M${left} ${y(p)}H${width - right}"/><text class="soft" x="${left - 6}" y="${y(p) + 4}" text-anchor="end">${text}</text>`;
  }
  for (const t of ticks(grid[grid.length - 1])) {
    body += `<text class="soft" x="${x(t)}" y="${height - 8}" text-anchor="middle">${short(t)}</text>`;
  }
  const ends = [];
  rows.forEach((r, k) => {
    const points = r.tail.map((p, i) => [grid[i], p]).filter(([, p]) => p > 10 ** least);
    if (!points.length) return;
    body += `<polyline fill="none" stroke="${colour(k)}" stroke-width="2" points="${points.map(([t, p]) => `${x(t)},${y(p)}`).join(" ")}"/>`;
    const [t, p] = points[points.length - 1];
    ends.push({ x: x(t), y: y(p), name: r.name, fill: colour(k) });
  });
  ends.sort((a, b) => a.y - b.y || b.x - a.x);
  for (let k = 1, last = ends.length && ends[0].y; k < ends.length; k++) {
    if (ends[k].y - last < 14) ends[k].y = last + 14;
    last = ends[k].y;
  }
  const over = ends.length ? ends[ends.length - 1].y - (height - bottom) : 0;
  for (const e of ends) {
    body += `<text x="${Math.min(e.x + 5, width - right + 5)}" y="${e.y - Math.max(0, over) + 4}" style="fill:${e.fill}">${escaped(e.name)}</text>`;
  }
  return svg(width, height, "Share of jobs that wait longer than a time, by class", body);
}

// drawGantt has a row for every server.
function drawGantt(path, width) {
  const high = Math.max(3, Math.min(14, 320 / path.servers)), height = high * path.servers + 22;
  const x = (t) => width * (t - path.from) / (path.to - path.from);
  let body = `<rect width="${width}" height="${high * path.servers}" fill="var(--panel)"/>`;
  const bar = (server, from, to, fill, title) => {
    const a = Math.max(0, x(from)), b = Math.min(width, x(to));
    return b > a ? `<rect x="${a.toFixed(1)}" y="${server * high}" width="${Math.max(0.4, b - a).toFixed(1)}" height="${(high - 0.6).toFixed(1)}" fill="${fill}">${title}</rect>` : "";
  };
  for (const r of path.runs) {
    const title = `<title>job ${r.job}: ${short(r.from - r.arrival)} after it came, ${r.servers.length} servers for ${short(r.to - r.from)}</title>`;
    for (const k of r.servers) body += bar(k, r.from, r.to, colour(r.class), title);
  }
  for (const b of path.blocked) body += bar(b.server, b.from, b.to, "var(--idle)", "");
  body += `<text class="soft" x="0" y="${height - 6}">${short(path.from)}</text><text class="soft" x="${width}" y="${height - 6}" text-anchor="end">${short(path.to)}</text>`;
  return svg(width, height, `Which of ${path.servers} servers are held when, by class`, body);
}

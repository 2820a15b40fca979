"use strict";
// Draws what mica-report computed: tables, and a timeline in which exchanges are joined across ranks.
const data = JSON.parse(document.getElementById("data").textContent);
const by = (id) => document.getElementById(id);
const ms = (us) => (us / 1000).toFixed(us < 10000 ? 3 : 1) + " ms";
const bytesText = (n) => { for (const unit of ["B", "KB", "MB", "GB"]) { if (n < 1000 || unit === "GB") return (n < 10 && unit !== "B" ? n.toFixed(1) : Math.round(n)) + " " + unit; n /= 1000; } };
const exchangeAt = new Map(); // position of a rank -> its exchanges, in order

function make(tag, text, kind) {
  const element = document.createElement(tag);
  if (text !== undefined) element.textContent = text;
  if (kind) element.className = kind;
  return element;
}

function fill(table, heads, rows) {
  const head = make("tr");
  for (const [text, isNumber] of heads) head.append(make("th", text, isNumber ? "number" : ""));
  const body = make("tbody");
  for (const row of rows) {
    const line = make("tr");
    row.forEach((cell, i) => line.append(cell instanceof Node ? cell : make("td", cell, heads[i][1] ? "number" : "")));
    body.append(line);
  }
  const top = make("thead");
  top.append(head);
  table.replaceChildren(top, body);
}

function summary() {
  by("title").textContent = `${data.ranks.length} ranks of ${data.program}`;
  const worst = data.ranks.reduce((a, b) => (b.caused > a.caused ? b : a));
  const sum = (key) => data.ranks.reduce((total, rank) => total + rank[key], 0);
  let text = `${data.library}, ${data.hosts.length === 1 ? "one machine" : data.hosts.length + " machines"}: ${ms(data.end)}. `;
  const share = sum("exchange") > 0 ? 100 * sum("overlap") / sum("exchange") : 0;
  text += `Of the time in exchanges, ${sum("exchange") > 0 ? Math.round(100 * sum("waited") / sum("exchange")) : 0} % is waiting for ranks that come later, and kernels run during ${Math.round(share)} %. `;
  if (worst.caused > 0) text += `Others waited most for rank ${worst.rank}: ${ms(worst.caused)}. `;
  if (data.absent) text += `No file of rank ${data.absent}. `;
  if (data.hosts.length > 1) text += "Clocks of machines differ: compare times within one machine only. ";
  if (data.lost + data.dropped > 0) text += `${data.lost + data.dropped} launches are not shown: there were too many. `;
  by("summary").textContent = text;
  if (data.divergence) {
    by("divergence").textContent = "Ranks differ: " + data.divergence;
    by("divergence").hidden = false;
  }
}

function groups() {
  fill(by("groups"), [["ranks"], ["number", 1], ["kernels", 1], ["in exchanges", 1], ["waits for others", 1], ["others wait for it", 1], ["computes meanwhile", 1]],
    data.groups.map((group) => {
      const mean = (key) => ms(group.ranks.reduce((sum, at) => sum + data.ranks[at][key], 0) / group.ranks.length);
      const name = make("td", group.text);
      if (group.straggler) name.append(make("span", " straggler", "bad"));
      return [name, String(group.ranks.length), mean("kernel"), mean("exchange"), mean("waited"), mean("caused"), mean("overlap")];
    }));
}

function totals() {
  fill(by("totals"), [["exchange"], ["operation"], ["times", 1], ["bytes each", 1], ["after the last came", 1], ["bandwidth", 1], ["arrivals apart, mean", 1], ["most", 1], ["waited for"]],
    data.totals.map((one) => {
      const transfer = one.transfer / one.count;
      const each = one.bytes / one.count;
      return [one.kind, one.op || one.kernel, String(one.count), bytesText(each), ms(transfer), transfer > 0 ? bytesText(each / transfer * 1e6) + "/s" : "",
        ms(one.skew / one.count), ms(one.mostSkew), one.for >= 0 ? `rank ${one.for}: ${ms(one.forTime)}` : ""];
    }));
}

function schedule(at) {
  const rank = data.ranks[at];
  const most = 500;
  fill(by("schedule"), [["began", 1], ["took", 1], ["kernel"], ["operation"]],
    rank.launches.slice(0, most).map(([kernel, site, begin, end]) => [ms(begin), ms(end - begin), data.kernels[kernel][0], site >= 0 ? data.sites[site] : ""]));
  if (rank.launches.length > most) {
    const cell = make("td", `${rank.launches.length - most} more`);
    cell.colSpan = 4;
    const line = make("tr");
    line.append(cell);
    by("schedule").tBodies[0].append(line);
  }
}

// The timeline. A lane for each group of ranks, or for every rank.
const canvas = by("timeline");
let from = 0, until = Math.max(data.end, 0.001), lanes = [], boxes = [];

function setLanes() {
  lanes = by("every").checked ? data.ranks.map((_, at) => ({ at, name: "rank " + data.ranks[at].rank }))
    : data.groups.map((group) => ({ at: group.ranks[0], name: group.ranks.length === 1 ? "rank " + group.text : `${group.ranks.length} ranks: ${group.text}` }));
  // A group whose ranks differ in time only is shown by its first two ranks, so that exchanges have ends to join.
  if (!by("every").checked && lanes.length === 1 && data.groups[0].ranks.length > 1 && data.groups[0].ranks.length <= 8)
    lanes = data.groups[0].ranks.map((at) => ({ at, name: "rank " + data.ranks[at].rank }));
}

function draw() {
  const style = getComputedStyle(document.documentElement);
  const color = (name) => style.getPropertyValue("--" + name).trim();
  const ratio = window.devicePixelRatio || 1;
  const height = lanes.length > 200 ? 4 : lanes.length > 40 ? 10 : 34;
  const left = lanes.length > 200 ? 60 : 150;
  const width = canvas.clientWidth;
  canvas.style.height = lanes.length * height + 24 + "px";
  canvas.width = width * ratio;
  canvas.height = (lanes.length * height + 24) * ratio;
  const pen = canvas.getContext("2d");
  pen.scale(ratio, ratio);
  pen.clearRect(0, 0, width, lanes.length * height + 24);
  pen.font = "12px system-ui, sans-serif";
  const x = (time) => left + (time - from) / (until - from) * (width - left);
  boxes = [];
  const box = (row, begin, end, name, top, bottom, text) => {
    if (end < from || begin > until) return;
    const a = Math.max(left, x(begin)), b = Math.max(a + 0.7, Math.min(width, x(end)));
    pen.fillStyle = color(name);
    pen.fillRect(a, 20 + row * height + top * height, b - a, (bottom - top) * height);
    boxes.push([a, b, 20 + row * height + top * height, 20 + row * height + bottom * height, text]);
    return [a, b];
  };
  // Time, above.
  pen.fillStyle = color("soft");
  for (let i = 0; i <= 5; ++i) {
    const text = ms(from + (until - from) * i / 5), at = left + (width - left) * i / 5;
    pen.fillText(text, Math.min(at, width - pen.measureText(text).width - 2), 13);
  }
  const rowOf = new Map(lanes.map((lane, row) => [lane.at, row]));
  lanes.forEach((lane, row) => {
    const step = lanes.length > 200 ? 50 : lanes.length > 40 ? 4 : 1;
    if (row % step === 0) {
      pen.fillStyle = color("text");
      pen.fillText(lane.name.length > 22 ? lane.name.slice(0, 21) + "…" : lane.name, 2, 20 + row * height + Math.max(10, height / 2 + 4));
    }
    for (const [kernel, site, begin, end] of data.ranks[lane.at].launches)
      if (!data.kernels[kernel][1])
        box(row, begin, end, "kernel", 0.06, 0.48, `rank ${data.ranks[lane.at].rank}: ${data.kernels[kernel][0]}, ${ms(end - begin)}: ${site >= 0 ? data.sites[site] : ""}`);
  });
  for (const one of data.exchanges) {
    const arrived = Math.max(...one.times.map((time) => time[1]));
    const shown = one.times.filter((time) => rowOf.has(time[0])).sort((a, b) => rowOf.get(a[0]) - rowOf.get(b[0]));
    for (const [at, begin, end] of shown) {
      const text = `rank ${data.ranks[at].rank}: ${one.kind} of ${one.op || one.kernel}, ${bytesText(one.bytes)}, ${ms(end - begin)}; last came rank ${data.ranks[one.last].rank}, ${ms(one.skew)} after the first` + (one.bad ? "; ranks differ here" : "");
      if (arrived > begin) box(rowOf.get(at), begin, Math.min(arrived, end), "wait", 0.54, 0.94, text);
      if (end > arrived) box(rowOf.get(at), Math.max(begin, arrived), end, one.bad ? "bad" : "transfer", 0.54, 0.94, text);
    }
    // The line joins the arrivals.
    if (shown.length > 1 && lanes.length <= 40) {
      pen.strokeStyle = color(one.bad ? "bad" : "transfer");
      pen.globalAlpha = 0.6;
      pen.beginPath();
      shown.forEach(([at, begin], i) => {
        const y = 20 + (rowOf.get(at) + 0.74) * height, at_ = Math.max(left, x(begin));
        i ? pen.lineTo(at_, y) : pen.moveTo(at_, y);
      });
      pen.stroke();
      pen.globalAlpha = 1;
    }
  }
  by("range").textContent = `${ms(from)} to ${ms(until)}`;
}

function scale(factor, at) {
  const middle = at === undefined ? (from + until) / 2 : at;
  const length = Math.min(data.end || 0.001, Math.max(0.01, (until - from) * factor));
  from = Math.max(0, Math.min(data.end - length, middle - (middle - from) * (length / (until - from))));
  until = from + length;
  draw();
}

function move(share) {
  const length = until - from;
  from = Math.max(0, Math.min(data.end - length, from + share * length));
  until = from + length;
  draw();
}

by("closer").onclick = () => scale(0.5);
by("wider").onclick = () => scale(2);
by("whole").onclick = () => { from = 0; until = Math.max(data.end, 0.001); draw(); };
by("every").onchange = () => { setLanes(); draw(); };
canvas.onkeydown = (event) => {
  const keys = { "+": () => scale(0.5), "-": () => scale(2), ArrowLeft: () => move(-0.2), ArrowRight: () => move(0.2) };
  if (keys[event.key]) { keys[event.key](); event.preventDefault(); }
};
canvas.onmousemove = (event) => {
  for (let i = boxes.length - 1; i >= 0; --i) {
    const [a, b, top, bottom, text] = boxes[i];
    if (event.offsetX >= a - 1 && event.offsetX <= b + 1 && event.offsetY >= top && event.offsetY <= bottom) {
      by("hover").textContent = text;
      return;
    }
  }
};
window.onresize = draw;
data.ranks.forEach((rank, at) => { const option = make("option", String(rank.rank)); option.value = at; by("which").append(option); });
by("which").onchange = () => schedule(Number(by("which").value));
by("every").checked = data.ranks.length <= 8;
summary(); groups(); totals(); schedule(0); setLanes(); draw();
window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", draw);

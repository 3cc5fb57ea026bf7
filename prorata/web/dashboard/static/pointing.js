/* Fills a field of a bill with what stands on its pages, where a person points at it. Every field can be typed as well. */
(() => {
  const SVG = "http://www.w3.org/2000/svg";
  const FORMS = { issuerName: "word", accountNumber: "number", billNumber: "number" };
  const formOf = (one) => (one.type === "date" ? "day" : one.inputMode === "decimal" ? "money" : FORMS[one.name]);
  let field = null;
  let band = null;

  const source = () => document.getElementById("points");
  const points = () => {
    const from = source();
    if (from && !from.points) {
      from.points = JSON.parse(from.textContent).map(([form, text, cents, label, place]) => ({ form, text, cents, label, place }));
    }
    return from ? from.points : [];
  };
  const pointedAt = () => JSON.parse(document.getElementById("f-at").value || "{}");
  const keep = (name, places) => {
    const at = pointedAt();
    if (places) at[name] = places; else delete at[name];
    document.getElementById("f-at").value = JSON.stringify(at);
  };
  const shown = () => [...document.querySelectorAll(".sheet .spot")];
  const svgs = () => document.querySelectorAll(".face-of-page svg");

  const rect = (svg, name, [left, top, right, bottom]) => {
    const one = document.createElementNS(SVG, "rect");
    one.setAttribute("class", name);
    for (const [key, value] of Object.entries({ x: left, y: top, width: right - left, height: bottom - top, rx: 15 })) one.setAttribute(key, value);
    svg.append(one);
    return one;
  };
  const draw = () => {
    for (const one of shown()) one.remove();
    const form = field && formOf(field);
    const chosen = new Set(field ? (pointedAt()[field.name] || []).map(String) : []);
    for (const svg of svgs()) svg.classList.toggle("pointing", Boolean(form));
    if (!form) return;
    const faces = [...svgs()];
    const wide = (number) => points()[number].place[3] - points()[number].place[1];
    const of = points().flatMap((point, number) => (point.form === form && faces[point.place[0] - 1] ? [number] : []));
    if (form === "number") of.sort((one, other) => wide(one) - wide(other));  // the whole number lies on its parts
    for (const number of of) {
      const point = points()[number];
      const svg = faces[point.place[0] - 1];
      const [, left, top, right, bottom] = point.place;
      const one = rect(svg, "spot", [left - 12, top - 8, right + 12, bottom + 8]);
      const said = point.label ? `${point.text}, ${point.label}` : point.text;
      Object.assign(one.dataset, { number });
      for (const [key, value] of Object.entries({ role: "button", tabindex: -1, "aria-label": said, "aria-pressed": chosen.has(String(point.place)) })) one.setAttribute(key, value);
    }
  };
  const written = (cents) => {
    const zero = source().dataset.zero;
    const mark = zero.replace(/[0-9]/g, "");
    const digits = mark ? zero.length - zero.indexOf(mark) - 1 : 0;
    return (cents / 10 ** digits).toFixed(digits).replace(".", mark || ".");
  };
  const take = (spots) => {
    if (!spots.length || !field) return;
    let of = spots.map((one) => points()[one.dataset.number]);
    const form = formOf(field);
    if (form === "day" || form === "number") of = of.slice(-1);
    if (form === "money") field.value = written(of.reduce((sum, one) => sum + one.cents, 0));
    else field.value = of.map((one) => one.text).join(" ");
    keep(field.name, of.map((one) => one.place));
    field.dispatchEvent(new Event("input", { bubbles: true }));  // the sum and the month follow what is typed, too
    for (const one of shown()) one.setAttribute("aria-pressed", of.includes(points()[one.dataset.number]));
    const label = field.labels?.[0]?.textContent.trim() || field.getAttribute("aria-label");
    document.getElementById("pointed").textContent = `${label}: ${field.value}`;
  };
  const pressed = () => shown().filter((one) => one.getAttribute("aria-pressed") === "true");

  const follow = (target) => {
    if (!source() || !target?.closest("#bill")) return;
    field = formOf(target) ? target : null;
    draw();
  };
  document.addEventListener("focusin", ({ target }) => follow(target));
  document.addEventListener("htmx:afterSettle", () => follow(document.activeElement));
  follow(document.activeElement);  // a field may have had the focus before this was read
  document.addEventListener("input", (event) => {
    if (event.isTrusted && event.target === field) keep(field.name, null);
  });

  const place = (svg, event) => {
    const box = svg.getBoundingClientRect();
    const { width, height } = svg.viewBox.baseVal;
    return [((event.clientX - box.left) / box.width) * width, ((event.clientY - box.top) / box.height) * height];
  };
  const within = (one, [left, top, right, bottom]) => {
    const { x, y, width, height } = one.getBBox();
    const [middle, height_] = [x + width / 2, y + height / 2];
    return middle >= left && middle <= right && height_ >= top && height_ <= bottom;
  };
  document.addEventListener("pointerdown", (event) => {
    const svg = event.target.closest(".face-of-page svg.pointing");
    if (!svg || event.button) return;
    const [x, y] = place(svg, event);
    band = { svg, x, y, box: [x, y, x, y], drawn: null };
  });
  document.addEventListener("mousedown", (event) => {
    if (event.target.closest(".face-of-page svg.pointing")) event.preventDefault();  // the field keeps the focus
  });
  document.addEventListener("pointermove", (event) => {
    if (!band || event.pointerType === "touch") return;
    const [x, y] = place(band.svg, event);
    band.box = [Math.min(x, band.x), Math.min(y, band.y), Math.max(x, band.x), Math.max(y, band.y)];
    band.drawn?.remove();
    band.drawn = rect(band.svg, "band", band.box);
  });
  document.addEventListener("pointerup", (event) => {
    if (!band) return;
    const { svg, box, drawn } = band;
    band = null;
    drawn?.remove();
    const isDrag = box[2] - box[0] + box[3] - box[1] > 40;
    const dragged = isDrag ? shown().filter((one) => one.ownerSVGElement === svg && within(one, box)) : [];
    const under = event.target.closest(".spot");
    const now = dragged.length ? dragged : under ? [under] : [];
    take(event.ctrlKey || event.metaKey || event.shiftKey ? [...new Set([...pressed(), ...now])] : now);
  });
  document.addEventListener("click", (event) => {
    if (event.target.closest(".face-of-page svg.pointing")) event.preventDefault();
  });
  document.addEventListener("pointercancel", () => { band?.drawn?.remove(); band = null; });

  document.addEventListener("keydown", (event) => {
    if (event.key === "F2" && event.target !== field) follow(event.target);
    if (event.key === "F2" && event.target === field) {
      event.preventDefault();
      (pressed()[0] || shown()[0])?.focus();
      return;
    }
    if (!event.target.matches?.(".spot")) return;
    const all = shown();
    const at = all.indexOf(event.target);
    const step = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }[event.key];
    if (step) all[at + step]?.focus();
    else if (event.key === " ") event.target.setAttribute("aria-pressed", event.target.getAttribute("aria-pressed") !== "true");
    else if (event.key === "Enter") { take(pressed().length ? pressed() : [event.target]); field.focus(); }
    else if (event.key === "Escape") field.focus();
    else return;
    event.preventDefault();
  });
})();

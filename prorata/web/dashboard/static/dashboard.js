/* Small things that need a script; every page works without it. It stands in the head, so that no page flashes white. */
(() => {
  const root = document.documentElement;
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const paint = () => root.classList.toggle("dark", root.dataset.theme ? root.dataset.theme === "dark" : dark.matches);
  paint();
  dark.addEventListener("change", paint);

  /* Says "Copied" once it is; without a clipboard, as over plain http, it marks the text for the person's own keys. */
  const copy = (from, says) => {
    const byHand = () => {
      getSelection().selectAllChildren(from);
      says.textContent = root.dataset.marked;
    };
    if (!navigator.clipboard) return byHand();
    navigator.clipboard.writeText(from.textContent.trim()).then(() => { says.textContent = root.dataset.copied; }, byHand);
  };
  document.addEventListener("click", (event) => {
    const opener = event.target.closest("[data-dialog]");
    if (opener) {
      event.preventDefault();
      document.getElementById(opener.dataset.dialog).showModal();
    }
    const closer = event.target.closest("[data-close]");
    if (closer) closer.closest("dialog").close();
    const copier = event.target.closest("[data-copy]");
    if (copier) copy(document.getElementById(copier.dataset.copy), copier.querySelector("[data-says]"));
  });
  document.addEventListener("keydown", (event) => {
    if (event.key === " " && event.target.matches("a[role='button']")) {
      event.preventDefault();
      if (!event.repeat) event.target.click();
    }
  });
  /* "/" goes to the search that stands on every page, wherever nobody is typing. */
  document.addEventListener("keydown", (event) => {
    if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, textarea, select, dialog")) return;
    const finds = [...document.querySelectorAll("[data-finds]")].find((one) => one.checkVisibility()) ?? document.querySelector(".bar [data-finds]");
    if (!finds) return;
    event.preventDefault();
    finds.closest("details")?.setAttribute("open", "");
    finds.select();
  });
  let byPointer = false;
  addEventListener("pointerdown", () => { byPointer = true; }, true);
  addEventListener("keydown", () => { byPointer = false; }, true);

  const count = (form) => {
    const boxes = [...form.querySelectorAll("tbody [type='checkbox']")];
    const chosen = boxes.filter((box) => box.checked).length;
    const whole = form.querySelector("[name='all']")?.checked;
    for (const said of form.querySelectorAll("[data-counts]")) said.textContent = whole ? said.dataset.all : root.dataset.chosen.replace("{n}", chosen);
    for (const all of form.querySelectorAll("[data-ticks]")) {
      all.hidden = false;
      all.checked = chosen > 0 && chosen === boxes.length;
      all.indeterminate = chosen > 0 && chosen < boxes.length;
    }
  };
  addEventListener("pageshow", () => document.querySelectorAll("[data-choosing]").forEach(count));
  document.addEventListener("change", (event) => {
    if (byPointer && event.target.matches("[data-submits]")) event.target.form.requestSubmit();
    if (event.target.matches("[data-ticks]")) {
      for (const box of event.target.form.querySelectorAll("tbody [type='checkbox']")) box.checked = event.target.checked;
    }
    const choosing = event.target.closest("[data-choosing]");
    if (choosing) count(choosing);
    event.target.closest("[data-unsaved]")?.setAttribute("data-changed", "");
  });
  /* What was said of the form as it was is hidden until the answer for the changed form replaces it. */
  document.addEventListener("input", (event) => {
    for (const said of event.target.form?.querySelectorAll("[data-as-filled]") ?? []) said.style.visibility = "hidden";
  });
  /* Many choices that only the page has yet: the browser asks before they are lost. */
  addEventListener("beforeunload", (event) => { if (document.querySelector("[data-changed]")) event.preventDefault(); });
  document.addEventListener("submit", (event) => {
    const button = event.submitter;
    /* A page that answers a form can't be opened again: it takes the theme where it is, and loses nothing it shows. */
    if (event.target.matches("[data-stays]")) {
      event.preventDefault();
      fetch(event.target.action, { method: "POST", body: new URLSearchParams(new FormData(event.target, button)), redirect: "manual" });
      if (button.value === "system") delete root.dataset.theme; else root.dataset.theme = button.value;
      paint();
      return;
    }
    const stays = [button?.formTarget, event.target.target].includes("_blank"); /* This page is still there then. */
    if (!stays) for (const one of document.querySelectorAll("[data-changed]")) one.removeAttribute("data-changed");
    if (button && !stays && !event.defaultPrevented && event.target.method === "post") {
      setTimeout(() => { button.disabled = true; });
      addEventListener("pageshow", () => { button.disabled = false; }, { once: true });
    }
  });
  /* Files may be dropped anywhere on a page that takes them: beside the form the browser would open them instead. */
  const dropsAt = (event) => [...(event.dataTransfer?.types ?? [])].includes("Files") && document.querySelector("[data-drops]");
  for (const happens of ["dragover", "dragleave", "drop"]) document.addEventListener(happens, (event) => {
    const form = dropsAt(event);
    if (!form) return;
    if (happens !== "dragleave") event.preventDefault();
    form.classList.toggle("dropping", happens === "dragover");
    if (happens !== "drop") return;
    form.querySelector("[type='file']").files = event.dataTransfer.files;
    form.requestSubmit();
  });
  /* A list that is wider than its place is scrolled by keyboard too: Safari gives the focus to no such list by itself. */
  const reach = () => {
    for (const list of document.querySelectorAll(".scroll:not([role])")) {
      if (list.scrollWidth > list.clientWidth) list.tabIndex = 0; else list.removeAttribute("tabindex");
    }
  };
  for (const happens of ["load", "resize"]) addEventListener(happens, reach);
  for (const happens of ["toggle", "htmx:after:swap"]) document.addEventListener(happens, reach, true);
  const loaded = (event) => {
    const status = event.detail?.ctx?.response?.status ?? 0;
    document.getElementById("not-loaded").hidden = status === 403 || (status >= 200 && status < 400);
    document.getElementById("signed-out").hidden = status !== 403;
  };
  for (const happens of ["htmx:after:swap", "htmx:error"]) document.addEventListener(happens, loaded);
  /* What would change was worked out from the fields as they are now: what was wrong with them before goes. */
  document.addEventListener("htmx:after:swap", (event) => {
    if (event.detail?.ctx?.target?.id !== "effect") return;
    const still = [...event.detail.ctx.target.querySelectorAll("[data-field]")].map((one) => `wrong-${one.dataset.field}`);
    for (const one of document.querySelectorAll("p.wrong")) if (!still.includes(one.id)) one.remove();
    for (const one of document.querySelectorAll("[aria-invalid='true']")) {
      if (still.includes(one.getAttribute("aria-describedby"))) continue;
      for (const name of ["aria-invalid", "aria-describedby"]) one.removeAttribute(name);
    }
    if (!document.querySelector("p.wrong")) for (const one of document.querySelectorAll("[data-refused]")) one.remove();
  });
  document.addEventListener("DOMContentLoaded", () => {
    const newcomer = document.querySelector("[data-places]");
    if (newcomer) {
      const offer = (name, value) => {
        const list = newcomer.elements[name];
        if ([...list.options].some((one) => one.value === value)) list.value = value;
      };
      const own = Intl.DateTimeFormat().resolvedOptions().timeZone;
      const [, country, currency] = newcomer.dataset.places.split(",").map((one) => one.split(" ")).find(([zone]) => zone === own) ?? [];
      offer("timezone", own);
      offer("locale", `${newcomer.elements.locale.value.split("-")[0]}-${country}`);
      offer("currency", currency);
    }
    for (const one of document.querySelectorAll(".drop-here, [data-stays]")) one.hidden = false;
    const wrong = document.querySelector("[aria-invalid='true']");
    if (wrong) wrong.focus();
  });
})();

"use strict";
(() => {
  // The theme: what the system says, or what was chosen. Storage may be forbidden, as it is for some files on disk.
  const THEMES = ["auto", "light", "dark"];
  const KEY = "motifnet-theme";
  const button = document.getElementById("theme");
  const remembered = () => { try { return localStorage.getItem(KEY); } catch { return null; } };
  const remember = (theme) => { try { localStorage.setItem(KEY, theme); } catch { /* for this visit, then */ } };
  let theme = THEMES.includes(remembered()) ? remembered() : "auto";
  const show = () => {
    if (theme === "auto") delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = theme;
    button.textContent = `Theme: ${theme}`;
  };
  button.hidden = false;
  button.addEventListener("click", () => {
    theme = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length];
    remember(theme);
    show();
  });
  show();

  // Values: titles become a tip of our own, so that the browser does not show a second one.
  const tip = document.getElementById("tip");
  let told = null;
  const hide = () => {
    told?.classList.remove("told");
    told = null;
    tip.hidden = true;
  };
  const tell = (mark) => {
    if (mark === told) return;
    hide();
    told = mark;
    mark.classList.add("told");
    tip.textContent = mark.dataset.value;
    tip.hidden = false;
    place();
  };
  const place = () => {
    if (!told) return;
    const at = told.getBoundingClientRect();
    const size = tip.getBoundingClientRect();
    const within = (value, most) => Math.max(8, Math.min(value, most - 8));
    const x = within(at.left + at.width / 2 - size.width / 2, innerWidth - size.width);
    const above = at.top - size.height - 8;
    const y = within(above < 8 ? at.bottom + 8 : above, innerHeight - size.height);
    tip.style.transform = `translate(${x}px, ${y}px)`;
  };
  const middle = (mark) => {
    const { left, width } = mark.getBoundingClientRect();
    return left + width / 2;
  };
  // Left and right go along a row of marks, up and down to the nearest of the row beside; lone marks are rows of one.
  const next = (rows, mark, key) => {
    const row = rows.findIndex((marks) => marks.includes(mark));
    const at = rows[row].indexOf(mark);
    const step = key === "ArrowRight" || key === "ArrowDown" ? 1 : -1;
    const along = key === "ArrowLeft" || key === "ArrowRight";
    if (along && rows[row].length > 1) return rows[row][at + step] ?? mark;
    const beside = rows[row + step];
    if (!beside) return mark;
    const distance = (other) => Math.abs(middle(other) - middle(mark));
    return beside.reduce((best, other) => (distance(other) < distance(best) ? other : best));
  };

  for (const plot of document.querySelectorAll(".plot")) {
    const svg = plot.querySelector("svg");
    const rows = new Map();
    for (const title of svg.querySelectorAll("title")) {
      const mark = title.parentElement;
      if (mark === svg) continue;
      mark.dataset.value = title.textContent;
      title.remove();
      // Marks that share a parent are a row.
      const row = mark.parentElement;
      rows.set(row, [...(rows.get(row) ?? []), mark]);
    }
    const marks = [...rows.values()];
    plot.addEventListener("pointerover", (event) => {
      const mark = event.target.closest("[data-value]");
      if (mark) tell(mark);
      else if (document.activeElement !== plot) hide();
    });
    plot.addEventListener("pointerleave", hide);
    plot.addEventListener("blur", hide);
    plot.addEventListener("focus", () => {
      if (marks.length && plot.matches(":focus-visible")) tell(marks[0][0]);
    });
    plot.addEventListener("keydown", (event) => {
      if (event.key === "Escape") hide();
      if (!event.key.startsWith("Arrow") || !marks.length) return;
      event.preventDefault();
      const from = plot.contains(told) ? told : null;
      const mark = from ? next(marks, from, event.key) : marks[0][0];
      mark.scrollIntoView({ block: "nearest", inline: "nearest", behavior: "instant" });
      tell(mark);
    });
    addTools(plot, svg);
  }
  // A tip stays with its mark; the plot may scroll too, and its events do not rise.
  addEventListener("scroll", place, { passive: true, capture: true });

  // Downloads: the picture as it was drawn, in its own colours and with its titles.
  function source(svg) {
    const copy = svg.cloneNode(true);
    for (const mark of copy.querySelectorAll("[data-value]")) {
      const title = document.createElementNS("http://www.w3.org/2000/svg", "title");
      title.textContent = mark.dataset.value;
      mark.prepend(title);
      mark.removeAttribute("data-value");
      mark.removeAttribute("class");
    }
    return new XMLSerializer().serializeToString(copy);
  }
  function save(blob, name) {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(blob);
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  }
  function addTools(plot, svg) {
    const figure = plot.closest("figure");
    const title = figure.querySelector(".title").textContent;
    const tools = document.createElement("div");
    tools.className = "tools";
    const tool = (kind, run) => {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = `Save ${kind}`;
      button.setAttribute("aria-label", `Save “${title}” as ${kind}`);
      button.addEventListener("click", run);
      tools.append(button);
    };
    tool("SVG", () => save(new Blob([source(svg)], { type: "image/svg+xml" }), `${figure.id}.svg`));
    tool("PNG", () => {
      const image = new Image();
      image.onload = () => {
        const canvas = document.createElement("canvas");
        canvas.width = 2 * svg.viewBox.baseVal.width;
        canvas.height = 2 * svg.viewBox.baseVal.height;
        canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
        canvas.toBlob((blob) => save(blob, `${figure.id}.png`));
      };
      image.src = "data:image/svg+xml;charset=utf-8," + encodeURIComponent(source(svg));
    });
    plot.after(tools);
  }
})();

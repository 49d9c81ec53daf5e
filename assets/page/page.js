// Loads the program and gives it files: those that are dropped on the page or chosen in the browser's dialog, the samples, and those that
// the address asks for. Nothing is sent anywhere: the page's Content-Security-Policy allows no other server.
//
//   ?open=samples/Ossie.psk     opens a file of the page's own origin; may be given several times
//   ?view=FILE                  brings back a saved view
//   ?status                     keeps a status that `bonebox.status()` gives, for tests

import init from "./bonebox.js";

// Memory of a page ends at 4 GiB, and what is read of a file takes room beside it.
const MOST_BYTES = 1 << 30;
const MOST_FILES = 2000;

// What the page holds already: it stays until the page is loaded again.
let held = 0;

// Resolved, by `runs`, when the program runs and can take files.
let runs;
const running = new Promise((resolve) => {
  runs = resolve;
});

const notice = document.getElementById("notice");

function size(bytes) {
  return bytes >= 1 << 30 ? `${(bytes / (1 << 30)).toFixed(1)} GiB` : `${Math.ceil(bytes / (1 << 20))} MiB`;
}

// Puts files on the program's disk; says where they lie, by what was given: a file, or the folder that holds it.
async function keep(given) {
  const bytes = given.reduce((sum, { file }) => sum + file.size, 0);
  if (held + bytes > MOST_BYTES) {
    const more = held ? `; ${size(held)} are in use until you reload the page` : "";
    throw new Error(`${given[0].path} is too large: ${size(bytes)} including all files opened with it. The page can hold at most ${size(MOST_BYTES)}${more}. Use the desktop version.`);
  }
  if (given.length > MOST_FILES) {
    throw new Error(`Too many files: ${given.length}. The page can open at most ${MOST_FILES} files at once.`);
  }
  const tops = new Map();
  for (const { path, file } of given) {
    const [top, ...below] = path.split("/");
    // A folder of a name that is there already is another one.
    if (!tops.has(top)) tops.set(top, below.length ? page.free(top) : top);
    const kept = page.write([tops.get(top), ...below].join("/"), new Uint8Array(await file.arrayBuffer()));
    if (kept instanceof Error) throw kept;
    held += file.size;
  }
  return [...tops.values()].map((top) => `/files/${top}`);
}

// The files in a dropped folder, or a dropped file.
async function files_of(entry) {
  const path = entry.fullPath.replace(/^\//, "");
  if (entry.isFile) {
    try {
      return [{ path, file: await new Promise((done, failed) => entry.file(done, failed)) }];
    } catch (error) {
      throw new Error(`Cannot read ${path}: ${error.message}`);
    }
  }
  const reader = entry.createReader();
  const found = [];
  for (;;) {
    // Browsers give a hundred names at a time.
    const entries = await new Promise((done, failed) => reader.readEntries(done, failed));
    if (entries.length === 0) return found;
    for (const each of entries) found.push(...(await files_of(each)));
    if (found.length > MOST_FILES) return found;
  }
}

async function take(event) {
  const items = [...event.dataTransfer.items].filter((item) => item.kind === "file");
  // Asked before the first wait: afterwards the browser has forgotten them.
  const entries = items.map((item) => item.webkitGetAsEntry()).filter((entry) => entry);
  const plain = entries.length ? [] : [...event.dataTransfer.files].map((file) => ({ path: file.name, file }));
  const nested = await Promise.all(entries.map(files_of));
  await running;
  page.dropped(await keep([...nested.flat(), ...plain]));
}

// A sentence over the window that goes by itself.
function say(error) {
  const toast = document.createElement("p");
  toast.id = "toast";
  toast.setAttribute("role", "alert");
  toast.textContent = error.message ?? String(error);
  document.getElementById("toast")?.remove();
  document.body.append(toast);
  setTimeout(() => toast.remove(), 12000);
}

window.addEventListener("drop", (event) => {
  event.preventDefault();
  take(event).catch(say);
}, true);
window.addEventListener("dragover", (event) => event.preventDefault(), true);

async function fetched(url) {
  const whole = new URL(url, document.baseURI);
  if (whole.origin !== location.origin) throw new Error(`Cannot open ${url}: the page can only open files of its own server`);
  const answer = await fetch(whole);
  if (!answer.ok) throw new Error(`${url}: ${answer.status} ${answer.statusText}`);
  let name = whole.pathname.split("/").pop();
  try {
    name = decodeURIComponent(name);
  } catch {
    // It is no encoded name: it is taken as it stands.
  }
  return { path: name.replaceAll("/", "_") || "file", file: await answer.blob() };
}

let samples;

// Fetched once; a page without them goes on.
function unpack_samples() {
  samples ??= fetch("samples.zip")
    .then((answer) => (answer.ok ? answer.arrayBuffer() : Promise.reject(new Error(`samples.zip: ${answer.status}`))))
    .then((bytes) => page.samples(new Uint8Array(bytes)))
    .catch((error) => console.error(error));
  return samples;
}

// What the program calls, and, once it runs, what it can be called for.
const page = (globalThis.bonebox = {
  fail(sentence) {
    document.getElementById("sentence").textContent = sentence;
    notice.hidden = false;
    const instead = document.getElementById("instead");
    if (!instead.hidden) return;
    instead.hidden = false;
    fetch("downloads.json")
      .then((answer) => answer.json())
      .then((names) => {
        for (const name of names) {
          const link = document.createElement("a");
          link.href = `downloads/${name}`;
          link.textContent = name;
          instead.append(link);
        }
      })
      .catch((error) => console.error(error));
  },

  started() {
    notice.hidden = true;
    document.getElementById("canvas").focus();
    unpack_samples();
  },

  pick(folder) {
    const input = document.createElement("input");
    input.type = "file";
    input.multiple = true;
    input.webkitdirectory = folder;
    input.addEventListener("change", () => {
      const given = [...input.files].map((file) => ({ path: file.webkitRelativePath || file.name, file }));
      keep(given).then((paths) => page.picked(paths), say);
    });
    input.click();
  },

  download(name, bytes) {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([bytes], { type: "application/octet-stream" }));
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60000);
  },

  async request() {
    runs();
    const asked = new URLSearchParams(location.search);
    const answer = { paths: [], failed: [], view: null, status: asked.has("status") };
    for (const url of asked.getAll("open")) {
      try {
        answer.paths.push(...(await keep([await fetched(url)])));
      } catch (error) {
        answer.failed.push(error.message);
      }
    }
    if (asked.get("view")) {
      try {
        // It may be of one of them.
        await unpack_samples();
        [answer.view] = await keep([await fetched(asked.get("view"))]);
      } catch (error) {
        answer.failed.push(error.message);
      }
    }
    return answer;
  },
});

try {
  await init({ module_or_path: "bonebox_bg.wasm" });
} catch (error) {
  page.fail(`Cannot load Bonebox: ${error.message ?? error}`);
}

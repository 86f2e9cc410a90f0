// The robot's flash outlives the page: a folder of small files, kept whole in IndexedDB.

const DATABASE = "roboto";
const STORE = "flash";
const KEY = "files";

function done(request) {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

async function store(mode) {
  const request = indexedDB.open(DATABASE, 1);
  request.onupgradeneeded = () => request.result.createObjectStore(STORE);
  return (await done(request)).transaction(STORE, mode).objectStore(STORE);
}

// Puts what was kept into /flash. False where the browser keeps nothing.
export async function restoreFlash(FS) {
  try {
    const files = (await done((await store("readonly")).get(KEY))) ?? {};
    for (const [name, data] of Object.entries(files)) FS.writeFile(`/flash/${name}`, data);
    return true;
  } catch {
    return false;
  }
}

// Rejects when the storage is full or forbidden.
export async function keepFlash(FS) {
  const names = FS.readdir("/flash").filter((name) => !name.startsWith(".") && !name.endsWith(".tmp"));
  const files = Object.fromEntries(names.map((name) => [name, FS.readFile(`/flash/${name}`)]));
  await done((await store("readwrite")).put(files, KEY));
}

// Everything is kept at the first visit, and served from there; a new build has another NAME. The build writes NAME, FILES
// and VOICES above. A voice is kept once a page has asked for it.

const VOICE_CACHE = "roboto-voices";
const mine = (name) => name.startsWith("roboto-") || name.startsWith("static-");

addEventListener("install", (event) => {
  event.waitUntil(caches.open(NAME).then((cache) => cache.addAll(FILES)).then(() => skipWaiting()));
});

addEventListener("activate", (event) => {
  event.waitUntil(tidy().then(() => clients.claim()));
});

async function tidy() {
  for (const name of await caches.keys()) {
    if (mine(name) && name !== NAME && name !== VOICE_CACHE) await caches.delete(name);
  }
  const voices = await caches.open(VOICE_CACHE);
  for (const request of await voices.keys()) {
    if (!VOICES.some((voice) => request.url.endsWith(voice))) await voices.delete(request);
  }
}

addEventListener("fetch", (event) => {
  if (event.request.method === "GET") event.respondWith(answer(event.request));
});

async function answer(request) {
  return (await caches.match(request, { ignoreSearch: true })) ?? fetch(request);
}

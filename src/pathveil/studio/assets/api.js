// Requests to the studio's own server: JSON in, JSON out; a refusal is an Error with its words.

const SLOWEST = 60_000;

async function ask(path, options) {
  const response = await fetch(path, { ...options, signal: AbortSignal.timeout(SLOWEST) });
  const type = response.headers.get("content-type") ?? "";
  const body = type.startsWith("application/json") ? await response.json() : await response.text();
  if (!response.ok) {
    const problem = new Error(body?.error ?? `the studio answered ${response.status}`);
    problem.cells = body?.cells ?? null;
    problem.repair = body?.repair ?? null;
    throw problem;
  }
  return body;
}

export const get = (path) => ask(`/api/${path}`);

export const post = (path, body) =>
  ask(`/api/${path}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });

// Bytes as base64 and back, in pieces: a call takes only so many arguments.
export function encoded(bytes) {
  let text = "";
  for (let at = 0; at < bytes.length; at += 32_768) text += String.fromCharCode(...bytes.subarray(at, at + 32_768));
  return btoa(text);
}

export const decoded = (text) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));

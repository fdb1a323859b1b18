// Requests to the studio's own server: JSON in, JSON out; a refusal is an Error with its words.

const SLOWEST = 30_000;

async function ask(path, options) {
  const response = await fetch(path, { ...options, signal: AbortSignal.timeout(SLOWEST) });
  const type = response.headers.get("content-type") ?? "";
  const body = type.startsWith("application/json") ? await response.json() : await response.text();
  if (!response.ok) throw new Error(body?.error ?? `the studio answered ${response.status}`);
  return body;
}

export const get = (path) => ask(`/api/${path}`);

export const post = (path, body) =>
  ask(`/api/${path}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });

// Requests to the studio's own server: JSON in, JSON out; a refusal is an Error with its words.

import { useEffect, useState } from "/assets/vendor/htm-preact.js";

const SLOWEST = 60_000, LATER = 200, REPLACED = 204;

async function ask(path, options, signal) {
  const late = AbortSignal.timeout(SLOWEST);
  const response = await fetch(path, { ...options, signal: signal ? AbortSignal.any([signal, late]) : late });
  // The server answers the newest question of a kind; another tab's may have taken this one's place.
  if (response.status === REPLACED) {
    await new Promise((done) => setTimeout(done, LATER));
    signal?.throwIfAborted();
    return ask(path, options, signal);
  }
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

export const post = (path, body, signal) =>
  ask(`/api/${path}`, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) }, signal);

// Run a job that asks; it is dropped, and its questions with it, as soon as what it is about changes.
export function useJob(job, about, fail, pause = 0) {
  useEffect(() => {
    const end = new AbortController();
    const wait = setTimeout(() => job(end.signal).catch((problem) => end.signal.aborted || fail(problem)), pause);
    return () => { clearTimeout(wait); end.abort(); };
  }, about);
}

// The answer to a question that changes, and whether it is the newest one's; an answer about another
// family (another network) is not shown while the next one is awaited. On hold, nothing is asked yet.
export function useAnswer(path, body, { wanted, fail, hold = false, pause = 0, again = 0, family = null }) {
  const [answer, setAnswer] = useState(null);
  const asked = wanted ? `${again} ${JSON.stringify(body)}` : null;
  useJob(async (signal) => {
    if (asked === null) return setAnswer(null);
    if (hold) return undefined;
    const value = await post(path, body, signal);
    return signal.aborted || setAnswer({ asked, family, value });
  }, [asked, hold], fail, pause);
  const current = answer !== null && answer.asked === asked;
  return [answer && wanted && answer.family === family ? answer.value : null, current];
}

// Bytes as base64 and back, in pieces: a call takes only so many arguments.
export function encoded(bytes) {
  let text = "";
  for (let at = 0; at < bytes.length; at += 32_768) text += String.fromCharCode(...bytes.subarray(at, at + 32_768));
  return btoa(text);
}

export const decoded = (text) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));

// A file to keep, made in the page.
export function save(name, content, type) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([content], { type }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

// Show me the code: the Python and the command of what the page just did.

import { html, useState } from "/assets/vendor/htm-preact.js";
import { post } from "/assets/api.js";

function python({ walk, policy }) {
  const chosen = policy === "balanced" ? "" : `, policy=pv.Policy.parse(${JSON.stringify(policy)})`;
  return `import pathveil as pv

network = pv.read_network("network.csv")
walk = pv.Walk(${JSON.stringify(walk)})
publication = pv.publish(network, walk${chosen})
publication.save("route.veil.json")
print(pv.reconstruct(publication, network).walk.vertices)`;
}

function command({ policy }) {
  const chosen = policy === "balanced" ? "" : ` --policy ${policy}`;
  return `pathveil publish network.csv walk.txt -o route.veil.json${chosen}
pathveil reconstruct route.veil.json network.csv`;
}

export function save(name, text, type) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

export function Code({ scene, release, fail }) {
  const [copied, setCopied] = useState("");
  const copy = (what, text) => navigator.clipboard.writeText(text).then(() => setCopied(what), fail);
  const keep = (kind) => post("picture", { ...scene, kind, file: release.file })
    .then((svg) => save(`${kind}.svg`, svg, "image/svg+xml"), fail);
  const block = (what, text) => html`<div class="code"><h3>${what}</h3><pre tabindex="0"><code>${text}</code></pre>
    <button onClick=${() => copy(what, text)}>Copy ${what}</button></div>`;
  return html`<section class="show" aria-labelledby="code-title">
    <h2 id="code-title">Show me the code</h2>
    <div class="codes">${block("Python", python(scene))}${block("command line", command(scene))}</div>
    <p role="status">${copied && `${copied} copied.`}</p>
    <div class="saves" role="group" aria-label="save">
      <button onClick=${() => save("route.veil.json", release.file, "application/json")}>Save the publication</button>
      <button onClick=${() => save("network.csv", `source,target\n${scene.links.map((link) => link.map(quoted).join(",")).join("\n")}\n`, "text/csv")}>Save the network</button>
      <button onClick=${() => keep("layers")}>Save the picture</button>
      <button onClick=${() => keep("story")}>Save the story (shows the walk)</button>
    </div></section>`;
}

const quoted = (name) => (/[",\n;]/.test(name) ? `"${name.replaceAll('"', '""')}"` : name);

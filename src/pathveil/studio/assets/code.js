// Show me the code: the Python and the command of what the page just did; files to keep.

import { html, useState } from "/assets/vendor/htm-preact.js";
import { post } from "/assets/api.js";

const python = ({ walk, policy }) => `import pathveil as pv

network = pv.read_network("network.csv")
walk = pv.Walk(${JSON.stringify(walk)})
publication = pv.publish(network, walk${policy === "balanced" ? "" : `, policy=pv.Policy.parse("${policy}")`})
publication.save("route.veil.json")
print(list(pv.reconstruct(publication, network).walk))`;

const shell = (name) => (/^[\w.:/=-]+$/.test(name) ? name : `'${name.replaceAll("'", "'\\''")}'`);

const command = ({ policy }, lacking) => `pathveil publish network.csv walk.txt -o route.veil.json${policy === "balanced" ? "" : ` --policy ${policy}`}
pathveil reconstruct route.veil.json network.csv${lacking ? `
pathveil attack route.veil.json network.csv --lacking ${lacking.map(shell).join(" ")}` : ""}`;

const quoted = (name) => (/[",;\t\r\n]|^\s|\s$/.test(name) ? `"${name.replaceAll('"', '""')}"` : name);

function save(name, text, type) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

export function Code({ scene, release, lacking, hidden, example, publishNow, fail }) {
  const [done, setDone] = useState("");
  const copy = (what, text) => navigator.clipboard.writeText(text).then(() => setDone(`${what} copied.`), fail);
  const keep = (kind) => post("picture", { links: scene.links, walk: scene.walk, policy: scene.policy, kind, file: release.file })
    .then((svg) => { save(`${kind}.svg`, svg, "image/svg+xml"); setDone(`${kind}.svg saved.`); }, fail);
  const put = (name, text, type) => { save(name, text, type); setDone(`${name} saved.`); };
  const block = (what, text) => html`<div class="code"><h3>${what}</h3><pre tabindex="0" aria-label=${what}><code>${text}</code></pre>
    <button onClick=${() => copy(what, text)}>Copy the ${what}</button></div>`;
  const table = () => `source,target\n${scene.links.map((link) => link.map(quoted).join(",")).join("\n")}\n`;
  return html`<section class="show" aria-labelledby="code-title">
    <h2 id="code-title">8. Show me the code</h2>
    ${block("Python", python(scene))}${block("command", command(scene, lacking))}
    <h3>Keep</h3>
    <fieldset class="saves" disabled=${Boolean(hidden)}>
      <button onClick=${() => publishNow().then((file) => put("route.veil.json", file, "application/json"), fail)}>Save the publication</button>
      <button onClick=${() => keep("layers")}>Save the picture</button>
      <button onClick=${() => keep("story")}>Save the story</button>
      <button onClick=${() => put("network.csv", table(), "text/csv")}>Save the network</button>
      <button onClick=${() => put("walk.txt", `${scene.walk.join("\n")}\n`, "text/plain")}>Save the walk</button>
      ${example && html`<button onClick=${() => copy("Link", location.href)}>Copy a link to this example</button>`}
    </fieldset>
    <p class="hint">Publication and picture may be handed out. Story, network and walk are for you: they show the secret.
      ${example ? " The link carries the example's name and the policy, nothing else." : ""}</p>
    <p role="status">${done}</p></section>`;
}

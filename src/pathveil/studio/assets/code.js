// Show me the code: the Python and the command of what the page just did; files to keep.

import { html, useState } from "/assets/vendor/htm-preact.js";
import { post, save } from "/assets/api.js";

const python = ({ walk, policy }) => `import pathveil as pv

network = pv.read_network("network.csv")
walk = pv.Walk(${JSON.stringify(walk)})
publication = pv.publish(network, walk${policy === "balanced" ? "" : `, policy=pv.Policy.parse("${policy}")`})
publication.save("route.veil")
print(list(pv.reconstruct(publication, network).walk))`;

const shell = (name) => (/^[\w.:/=-]+$/.test(name) ? name : `'${name.replaceAll("'", "'\\''")}'`);

export const attackCommand = (lacking) => `pathveil attack route.veil network.csv --lacking ${lacking.map(shell).join(" ")}`;

const command = ({ policy }, lacking) => `pathveil publish network.csv walk.txt -o route.veil${policy === "balanced" ? "" : ` --policy ${policy}`}
pathveil inspect route.veil network.csv walk.txt
pathveil reconstruct route.veil network.csv${lacking ? `\n${attackCommand(lacking)}` : ""}`;

const quoted = (name) => (/[",;\t\r\n]|^\s|\s$/.test(name) ? `"${name.replaceAll('"', '""')}"` : name);

export function Code({ scene, release, isMine, mayGoOut, lacking, reader, example, fail }) {
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
    ${reader ? html`<p class="hint">The code names the whole walk, which ${reader} does not know. Know the whole network again to see it.</p>`
      : html`${isMine && html`<p class="hint">Typed now, this draws fresh coins: a second release of this walk. Hand out the file of step 4 instead.</p>`}${block("Python", python(scene))}${block("command", command(scene, lacking))}`}
    <h3>To hand out, beside the release of step 4</h3>
    <fieldset class="saves" disabled=${!mayGoOut}>
      <button onClick=${() => keep("layers")}>Save the picture of the layers</button></fieldset>
    <p class="hint">${mayGoOut ? "It shows the very coins of your release, and nothing else." : isMine ? "It shows the very coins of your release: what step 4 says of the file holds for the picture." : "Draw a release first (step 4): practice coins are not handed out."}</p>
    <h3>For you alone: they show the secret</h3>
    <fieldset class="saves" disabled=${Boolean(reader)}>
      <button onClick=${() => keep("story")}>Save the story</button>
      <button onClick=${() => put("network.csv", table(), "text/csv")}>Save the network</button>
      <button onClick=${() => put("walk.txt", `${scene.walk.join("\n")}\n`, "text/plain")}>Save the walk</button></fieldset>
    ${example && html`<h3>Come back to this example</h3><div class="saves"><button onClick=${() => copy("Link", location.href)}>Copy a link for this browser</button></div>
      <p class="hint">It works here while this studio runs, and carries the example's name and the policy, nothing else. Somebody else types <code>pathveil studio</code> and chooses the example.</p>`}
    <p role="status">${done}</p></section>`;
}

// SPDX-License-Identifier: Apache-2.0
// Shows openapi.json: each operation with its parameters, its body and its answers.
"use strict";
(async () => {
  const element = (tag, text) => {
    const made = document.createElement(tag);
    made.textContent = text || "";
    return made;
  };
  const main = document.getElementById("operations");
  const api = await (await fetch("/openapi.json")).json();
  const named = (schema, depth) => {
    if (!schema || depth > 4) return schema;
    if (schema.$ref) return named(api.components.schemas[schema.$ref.split("/").pop()], depth + 1);
    if (Array.isArray(schema)) return schema.map((each) => named(each, depth));
    if (typeof schema !== "object") return schema;
    return Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, named(value, depth)]));
  };
  const block = (to, title, value) => {
    to.append(element("h3", title));
    const pre = element("pre", JSON.stringify(named(value, 0), null, 2));
    pre.tabIndex = 0;
    to.append(pre);
  };
  const sections = new Map();
  for (const [path, methods] of Object.entries(api.paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      const tag = (operation.tags || ["evaluation"])[0];
      if (!sections.has(tag)) {
        const section = element("section");
        section.append(element("h2", tag));
        sections.set(tag, section);
        main.append(section);
      }
      const details = element("details");
      const summary = element("summary");
      summary.append(element("code", method.toUpperCase() + " " + path), " " + (operation.summary || ""));
      details.append(summary);
      if (operation.description) details.append(element("p", operation.description));
      if (operation.parameters) block(details, "Parameters", operation.parameters);
      if (operation.requestBody) block(details, "Body", operation.requestBody.content);
      block(details, "Answers", operation.responses);
      sections.get(tag).append(details);
    }
  }
})();

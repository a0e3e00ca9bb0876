// Builds the page into ../src/glaux/web/static, which is committed and shipped in the wheel.
// With --tests: bundles the tests for node's own test runner into build/.
import { build } from "esbuild";
import { copyFile, readdir } from "node:fs/promises";

const out = "../src/glaux/web/static";
const common = { bundle: true, target: "es2022", logLevel: "warning", legalComments: "none" };

if (process.argv.includes("--tests")) {
  const tests = (await readdir("tests")).filter((name) => name.endsWith(".test.ts"));
  const contents = tests.map((name) => `import "./tests/${name}";`).join("\n");
  await build({
    ...common,
    stdin: { contents, resolveDir: "." },
    outfile: "build/tests.mjs",
    platform: "node",
    format: "esm",
  });
} else {
  await build({
    ...common,
    entryPoints: { app: "src/main.ts" },
    outdir: out,
    format: "esm",
    minify: true,
  });
  await build({ ...common, entryPoints: { style: "src/style/style.css" }, outdir: out, minify: true });
  for (const name of ["index.html", "icon.svg"]) await copyFile(`src/${name}`, `${out}/${name}`);
}

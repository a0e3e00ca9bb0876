// Builds the page into ../src/glaux/web/static, which is committed and shipped in the wheel.
// With --check: says whether what is there is what would be built. With --tests: bundles the tests for
// node's own test runner into build/.
import { build } from "esbuild";
import { mkdir, readFile, readdir, writeFile } from "node:fs/promises";
import { basename } from "node:path";
import { rules } from "./rules.mjs";

const out = "../src/glaux/web/static";
const common = { bundle: true, target: "es2022", logLevel: "warning", legalComments: "none" };

/** The files of the page by their names. */
async function page() {
  const options = { ...common, minify: true, write: false, outdir: "build" };
  const built = await Promise.all([
    build({ ...options, entryPoints: { app: "src/main.ts" }, format: "esm" }),
    build({ ...options, entryPoints: { style: "src/style/style.css" } }),
  ]);
  const files = new Map(built.flatMap((one) => one.outputFiles.map((file) => [basename(file.path), file.contents])));
  for (const name of ["index.html", "icon.svg"]) files.set(name, await readFile(`src/${name}`));
  files.set("rules.json", Buffer.from(await rules()));
  return files;
}

async function tests() {
  const names = (await readdir("tests")).filter((name) => name.endsWith(".test.ts"));
  const contents = names.map((name) => `import "./tests/${name}";`).join("\n");
  const stdin = { contents, resolveDir: "." };
  await build({ ...common, stdin, outfile: "build/tests.mjs", platform: "node", format: "esm" });
}

async function check(files) {
  const stale = [];
  for (const [name, contents] of files) {
    const there = await readFile(`${out}/${name}`).catch(() => Buffer.alloc(0));
    if (!there.equals(Buffer.from(contents))) stale.push(name);
  }
  if (!stale.length) return;
  console.error(`The page in ${out} is stale (${stale.join(", ")}): run make page.`);
  process.exitCode = 1;
}

if (process.argv.includes("--tests")) await tests();
else if (process.argv.includes("--check")) await check(await page());
else {
  await mkdir(out, { recursive: true });
  for (const [name, contents] of await page()) await writeFile(`${out}/${name}`, contents);
}

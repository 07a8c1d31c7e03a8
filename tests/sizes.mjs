/**
 * Sizes of the built dashboard (gzip): the first view against its budget, every chunk against the baseline in
 * tests/sizes.json. `node tests/sizes.mjs --update` writes the baseline.
 */
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

const here = path.dirname(fileURLToPath(import.meta.url));
const web = path.resolve(here, '..', 'dist', 'web');
const baselineFile = path.join(here, 'sizes.json');

const FIRST_VIEW_BUDGET = 190_000;
/** What another route adds to the first view, without shared lazy chunks. */
const ROUTE_BUDGET = 60_000;
const PLOTLY_BUDGET = 420_000;
/** Loaded where they are shown, once for all routes. */
const SHARED_LAZY = /^(plotly|monaco|editor\.api|overlays|controls|tabs)-/;
/** How much a chunk may grow over its baseline. */
const TOLERANCE = 1.1;
/** Smaller chunks come and go at the bundler's whim. */
const LEAST_BYTES = 5000;

const gzipSizes = new Map();
function gzipSize(file) {
  if (!gzipSizes.has(file))
    gzipSizes.set(file, gzipSync(fs.readFileSync(file), { level: 9 }).length);
  return gzipSizes.get(file);
}

/** Pages a person may see first, by the chunks of their routes. */
const FIRST_PAGES = {
  'sign-in': ['sign-in'],
  'list of models': ['_app', '_app.models.index'],
  'list of experiments': ['_app', '_app.experiments.index'],
};

/** The files, and everything they import before they run. */
function closure(files) {
  const seen = new Set();
  const visit = (file) => {
    if (seen.has(file) || !fs.existsSync(file)) return;
    seen.add(file);
    const code = fs.readFileSync(file, 'utf8');
    for (const [, name] of code.matchAll(
      /(?:^|[;}\s])(?:import|export)[^;'"()]*?["'](\.\/[^"']+\.js)["']/g,
    )) {
      visit(path.join(path.dirname(file), name));
    }
  };
  for (const file of files) visit(file);
  return [...seen];
}

const plainName = (file) => path.basename(file).replace(/-[\w-]{8}\.js$/, '');
const assets = fs.readdirSync(path.join(web, 'assets')).filter((name) => name.endsWith('.js'));

/** The scripts of the page, those it preloads, those of the routes named, and what they import. */
function firstView(routes) {
  const html = fs.readFileSync(path.join(web, 'index.html'), 'utf8');
  const named = [...html.matchAll(/(?:src|href)="\/([^"]+\.js)"/g)].map(([, name]) => name);
  const chunks = assets.filter((name) => routes.includes(plainName(name)));
  return closure([
    ...named.map((name) => path.join(web, name)),
    ...chunks.map((name) => path.join(web, 'assets', name)),
  ]);
}

/** Route chunk → gzip bytes it adds to a page that shows a list. */
function routeSizes() {
  const there = new Set(firstView(['_app', '_app.models.index']));
  const routes = assets.filter((name) => /^(_app\.|s\._)/.test(name));
  return routes.map((name) => {
    const added = closure([path.join(web, 'assets', name)]).filter(
      (file) => !there.has(file) && !SHARED_LAZY.test(path.basename(file)),
    );
    return [plainName(name), added.reduce((sum, file) => sum + gzipSize(file), 0)];
  });
}

/** Gzip bytes by chunk name without its hash; chunks of one name together. */
function chunkSizes() {
  const sizes = {};
  for (const name of [...assets].sort((one, other) => one.localeCompare(other))) {
    const plain = plainName(name);
    sizes[plain] = (sizes[plain] ?? 0) + gzipSize(path.join(web, 'assets', name));
  }
  return Object.fromEntries(Object.entries(sizes).filter(([, size]) => size >= LEAST_BYTES));
}

const kB = (bytes) => `${(bytes / 1000).toFixed(1)} kB`;
const views = Object.entries(FIRST_PAGES).map(([page, routes]) => {
  const files = firstView(routes);
  return {
    page,
    scripts: files.length,
    size: files.reduce((sum, file) => sum + gzipSize(file), 0),
  };
});
const first = Math.max(...views.map(({ size }) => size));
const chunks = chunkSizes();

if (process.argv.includes('--update')) {
  fs.writeFileSync(baselineFile, `${JSON.stringify({ firstView: first, chunks }, null, 2)}\n`);
}
const baseline = JSON.parse(fs.readFileSync(baselineFile, 'utf8'));
const problems = [];
for (const { page, scripts, size } of views) {
  process.stdout.write(
    `first view, ${page}: ${kB(size)} of ${kB(FIRST_VIEW_BUDGET)} gzip in ${scripts} scripts\n`,
  );
}
if (first > FIRST_VIEW_BUDGET)
  problems.push(`the first view is ${kB(first)}, over its budget of ${kB(FIRST_VIEW_BUDGET)}`);
const routes = routeSizes().sort((a, b) => b[1] - a[1]);
process.stdout.write(
  `further routes add at most ${kB(routes[0][1])} of ${kB(ROUTE_BUDGET)} (${routes[0][0]})\n`,
);
for (const [name, size] of routes)
  if (size > ROUTE_BUDGET)
    problems.push(`the route ${name} adds ${kB(size)}, over its budget of ${kB(ROUTE_BUDGET)}`);
if ((chunks.plotly ?? 0) > PLOTLY_BUDGET)
  problems.push(`Plotly is ${kB(chunks.plotly)}, over its budget of ${kB(PLOTLY_BUDGET)}`);
for (const [name, size] of Object.entries(chunks).sort((a, b) => b[1] - a[1])) {
  const before = baseline.chunks[name];
  const isOver = before !== undefined && size > before * TOLERANCE;
  if (isOver) problems.push(`${name} grew from ${kB(before)} to ${kB(size)}`);
  if (isOver || size > 20_000) {
    process.stdout.write(
      `  ${name}: ${kB(size)}${before === undefined ? ', new' : `, was ${kB(before)}`}\n`,
    );
  }
}
for (const problem of problems) {
  process.stdout.write(`too large: ${problem}\n`);
}
if (problems.length > 0) {
  process.stdout.write(
    'Meant so? Then: node tests/sizes.mjs --update (the budget of the first view stays).\n',
  );
  process.exitCode = 1;
}

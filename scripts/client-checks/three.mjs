// Opens GLB files in three.js in headless Chromium, poses them and draws them; run by clients.py with a list of cases.
//
//   node three.mjs CASES.json RESULTS.json
import { createServer } from 'node:http';
import { readFile, writeFile } from 'node:fs/promises';
import { dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';

const here = dirname(fileURLToPath(import.meta.url));
const [casesAt, resultsAt] = process.argv.slice(2);
const cases = JSON.parse(await readFile(casesAt, 'utf8'));
const types = { '.html': 'text/html', '.js': 'text/javascript', '.mjs': 'text/javascript' };

// Serves the page, three itself, and the files of the cases by their numbers.
const server = createServer(async (request, response) => {
  try {
    const path = new URL(request.url, 'http://localhost').pathname;
    const [, first, id, moment] = path.split('/');
    const known = cases.find((it) => it.id === id);
    const at =
      first === 'glb' && known ? known.glb
      : first === 'still' && known ? known.still
      : first === 'moment' && known ? known.moments[Number(moment)].floats
      : first === 'three' ? join(here, 'node_modules', normalize(path))
      : join(here, 'three.html');
    const type = types[at.slice(at.lastIndexOf('.'))] ?? 'application/octet-stream';
    response.writeHead(200, { 'content-type': type });
    response.end(await readFile(at));
  } catch (error) {
    response.writeHead(404).end(String(error));
  }
});
await new Promise((done) => server.listen(0, '127.0.0.1', done));
const origin = `http://127.0.0.1:${server.address().port}`;

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update',
    '--disable-sync', '--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--ignore-gpu-blocklist'],
});
const results = {};
let page;
for (const it of cases) {
  try {
    // A page is used until it fails.
    page ??= await browser.newPage({ viewport: { width: 300, height: 300 } });
    if (page.url() === 'about:blank') {
      page.on('pageerror', (error) => console.error(String(error)));
      await page.goto(origin);
      await page.waitForFunction(() => window.check !== undefined);
    }
    const { picture, ...result } = await page.evaluate((it) => window.check(it), it);
    if (it.three_picture && picture) {
      await writeFile(it.three_picture, Buffer.from(picture.split(',')[1], 'base64'));
    }
    results[it.id] = result;
  } catch (error) {
    results[it.id] = { error: String(error.message ?? error).split('\n')[0] };
    await page?.close().catch(() => {});
    page = undefined;
  }
  await writeFile(resultsAt, JSON.stringify(results));
}
await browser.close();
server.close();

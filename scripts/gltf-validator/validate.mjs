// Validates GLB and glTF files, with the files that they refer to: one line a file, the messages of those with errors or warnings; exits 1 when there is an error.
//
//   node scripts/gltf-validator/validate.mjs [--json] FILE...
import { readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import validator from 'gltf-validator';

const args = process.argv.slice(2);
const json = args.includes('--json');
const files = args.filter((a) => a !== '--json');
if (files.length === 0) {
  console.error('usage: validate.mjs [--json] FILE...');
  process.exit(2);
}
const severities = ['errors', 'warnings', 'infos', 'hints'];
const reports = [];
let errors = 0;
for (const file of files) {
  const bytes = new Uint8Array(await readFile(file));
  const beside = async (uri) => new Uint8Array(await readFile(resolve(dirname(file), decodeURIComponent(uri))));
  const options = { uri: file, maxIssues: 200, writeTimestamp: false, externalResourceFunction: beside };
  const { issues } = await validator.validateBytes(bytes, options);
  errors += issues.numErrors;
  reports.push({
    file,
    errors: issues.numErrors,
    warnings: issues.numWarnings,
    infos: issues.numInfos,
    hints: issues.numHints,
    messages: issues.messages.map((m) => ({ ...m, severity: severities[m.severity] })),
  });
}
if (json) {
  console.log(JSON.stringify(reports));
} else {
  for (const r of reports) {
    console.log(`${r.file}: ${r.errors} errors, ${r.warnings} warnings, ${r.infos} infos, ${r.hints} hints`);
    for (const m of r.messages.filter((m) => m.severity === 'errors' || m.severity === 'warnings')) {
      console.log(`  ${m.severity} ${m.code} ${m.pointer ?? ''} ${m.message}`);
    }
  }
}
process.exit(errors > 0 ? 1 : 0);

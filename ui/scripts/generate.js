// Writes src/shared/api/schema.d.ts from the API's description.
//
// `npm run generate -- FILE`, where FILE is what `/v1/openapi.json` answers; `-` reads it from standard input. With `--check`
// nothing is written; it fails when something would be.

import { readFileSync, writeFileSync } from 'node:fs';
import openapiTS, { astToString } from 'openapi-typescript';

const [file, how] = process.argv.slice(2);
if (!file) {
  console.error('usage: npm run generate -- FILE [--check] (FILE is the answer of /v1/openapi.json)');
  process.exit(2);
}
const description = JSON.parse(readFileSync(file === '-' ? 0 : file, 'utf8'));
const types = astToString(await openapiTS(description, { alphabetize: true, defaultNonNullable: false }));
const head = '// Generated from the description of the API with `npm run generate`. Do not edit.\n\n';
const place = new URL('../src/shared/api/schema.d.ts', import.meta.url);
if (how !== '--check') writeFileSync(place, head + types);
else if (readFileSync(place, 'utf8').replaceAll('\r\n', '\n') !== head + types) {
  console.error('src/shared/api/schema.d.ts is not what the API’s description says: `npm run generate -- ../docs/openapi.json` writes it');
  process.exit(1);
}

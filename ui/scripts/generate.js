// Writes src/shared/api/schema.d.ts from the API's description.
//
// `npm run generate -- FILE`, where FILE is what `/v1/openapi.json` answers; `-` reads it from standard input.

import { readFileSync, writeFileSync } from 'node:fs';
import openapiTS, { astToString } from 'openapi-typescript';

const file = process.argv[2];
if (!file) {
  console.error('usage: npm run generate -- FILE (the answer of /v1/openapi.json)');
  process.exit(2);
}
const description = JSON.parse(readFileSync(file === '-' ? 0 : file, 'utf8'));
const types = astToString(await openapiTS(description, { alphabetize: true, defaultNonNullable: false }));
const head = '// Generated from the description of the API with `npm run generate`. Do not edit.\n\n';
writeFileSync(new URL('../src/shared/api/schema.d.ts', import.meta.url), head + types);

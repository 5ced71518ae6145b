// `npm run contract`: writes what is generated from the contract, openapi.json and docs/errors.md, into the repository.
import { mkdir, writeFile } from 'node:fs/promises';
import { buildErrorsPage } from './errors-page.ts';
import { buildOpenApi } from './openapi.ts';

const root = new URL('../../', import.meta.url);

await mkdir(new URL('docs/', root), { recursive: true });
await writeFile(new URL('openapi.json', root), `${JSON.stringify(buildOpenApi(), null, 2)}\n`);
await writeFile(new URL('docs/errors.md', root), buildErrorsPage());
console.log('wrote openapi.json and docs/errors.md');

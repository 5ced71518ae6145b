// Writes .env.example from the settings of src/config.ts: npm run settings
import { writeFileSync } from 'node:fs';
import { envExample } from './support/env-example.ts';

writeFileSync(new URL('../.env.example', import.meta.url), envExample());

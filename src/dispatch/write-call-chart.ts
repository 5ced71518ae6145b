// Writes docs/call-chart.md from the chart: `node src/dispatch/write-call-chart.ts`. A test holds the page fresh.
import { writeFileSync } from 'node:fs';
import { printChart } from './chart.ts';

writeFileSync(new URL('../../docs/call-chart.md', import.meta.url), printChart());

// Writes docs/call-chart.md from the chart: `npm run chart`. A test holds the page fresh.
import { writeFileSync } from 'node:fs';
import { printChart } from './chart.ts';

writeFileSync(new URL('../../docs/call-chart.md', import.meta.url), printChart());

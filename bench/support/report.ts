// How figures are printed: aligned lines for people, one line of JSON a claim for machines.

export interface Spread {
  readonly n: number;
  readonly min: number;
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
  readonly max: number;
}

/** Order statistics of a sample, rounded to a hundredth. */
export function spread(sample: readonly number[]): Spread {
  const sorted = sample.toSorted((a, b) => a - b);
  const at = (share: number) =>
    Math.round((sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN) * 100) / 100;
  return { n: sorted.length, min: at(0), p50: at(0.5), p95: at(0.95), p99: at(0.99), max: at(1) };
}

/** Prints the figures of a claim: to read, then as a line of JSON. */
export function report(claim: string, figures: Readonly<Record<string, string | number | object>>): void {
  process.stdout.write(`\n${claim}\n`);
  const width = Math.max(...Object.keys(figures).map((name) => name.length));
  for (const [name, value] of Object.entries(figures)) {
    process.stdout.write(`  ${name.padEnd(width)}  ${typeof value === 'object' ? inline(value) : String(value)}\n`);
  }
  process.stdout.write(`${JSON.stringify({ bench: claim, figures })}\n`);
}

function inline(value: object): string {
  return Object.entries(value)
    .map(([name, each]) => `${name} ${String(each)}`)
    .join('  ');
}

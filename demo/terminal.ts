// What the demo prints. Coloured where standard output is a terminal that wants colour.
import { styleText } from 'node:util';

type Style = Parameters<typeof styleText>[0];

const started = performance.now();

const paint = (style: Style, text: string): string => styleText(style, text, { stream: process.stdout });

function line(mark: string, style: Style, text: string): void {
  const seconds = ((performance.now() - started) / 1000).toFixed(1).padStart(5);
  process.stdout.write(`${paint('dim', `${seconds}s`)}  ${paint(style, mark.padEnd(9))}  ${text}\n`);
}

export const show = {
  step: (text: string) => line('errand', 'cyan', text),
  state: (text: string) => line('call', 'yellow', text),
  assistant: (text: string) => line('assistant', 'blue', text),
  recipient: (text: string) => line('phone', 'green', text),
  blank: () => process.stdout.write('\n'),
  /** Pretty JSON, keys dimmed. */
  record: (value: unknown) => {
    const text = JSON.stringify(value, null, 2).replaceAll(
      /^(\s*)("[^"]+"):/gm,
      (_, space: string, name: string) => `${space}${paint('dim', name)}:`,
    );
    process.stdout.write(`${text}\n`);
  },
  good: (text: string) => process.stdout.write(`${paint(['bold', 'green'], text)}\n`),
  bad: (text: string) => process.stderr.write(`${paint(['bold', 'red'], text)}\n`),
};

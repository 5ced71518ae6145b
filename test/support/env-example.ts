// .env.example as text: every setting with what it means, commented out, with its fallback as the value.
import { SETTINGS } from '../../src/config.ts';

const HEAD = `# Every setting of Errand; each may be left out. Written from src/config.ts by: npm run settings
# The service reads its environment and no file: set -a; . ./.env; set +a; npm start
`;

export function envExample(): string {
  const settings = Object.entries(SETTINGS).map(
    ([name, { means, fallback }]) => `\n# ${means}\n# ${name}=${quoted(fallback ?? '')}\n`,
  );
  return HEAD + settings.join('');
}

/** For a shell, where it has to be. */
function quoted(value: string): string {
  return /^[\w./:+,@%-]*$/.test(value) ? value : `'${value}'`;
}

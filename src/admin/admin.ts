// `errand admin ...`: finds the command, runs it, prints its answer. Everything here is done by an operator at the machine;
// nothing of it can be reached over the network.
import { ACCOUNT_COMMANDS } from './account-commands.ts';
import { CALL_COMMANDS } from './call-commands.ts';
import { CommandFailure, UsageError, helpOf, parseWords, printable } from './command.ts';
import type { AdminTools, Command } from './command.ts';
import { MINUTE_COMMANDS } from './minute-commands.ts';

const COMMANDS: readonly Command[] = [...ACCOUNT_COMMANDS, ...MINUTE_COMMANDS, ...CALL_COMMANDS];

export interface AdminOutcome {
  /** 0 done, 1 failed, 2 wrong words. */
  readonly exitCode: 0 | 1 | 2;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Runs one command.
 * @param open opens the database; called only when a command really runs, so that help and wrong words need none
 */
export async function runAdmin(
  args: readonly string[],
  open: () => Promise<AdminTools & AsyncDisposable>,
): Promise<AdminOutcome> {
  const command = COMMANDS.find((each) => `${args[0]} ${args[1]}` === each.name);
  if (command === undefined) {
    const isHelp = args.length === 0 || args.includes('--help') || args.includes('-h');
    const overview = overviewOf(args[0]);
    if (isHelp) return { exitCode: 0, stdout: overview, stderr: '' };
    return {
      exitCode: 2,
      stdout: '',
      stderr: `errand admin: no command "${args.slice(0, 2).join(' ')}"\n\n${overview}`,
    };
  }
  try {
    const words = parseWords(command, args.slice(2));
    if (words.isHelp) return { exitCode: 0, stdout: helpOf(command), stderr: '' };
    await using tools = await open();
    const answer = await command.run(tools, words);
    return {
      exitCode: 0,
      stdout: words.isJson ? `${JSON.stringify(answer, null, 2)}\n` : printable(answer),
      stderr: '',
    };
  } catch (error) {
    if (error instanceof CommandFailure) return { exitCode: 1, stdout: '', stderr: `errand admin: ${error.message}\n` };
    if (!(error instanceof UsageError)) throw error;
    return { exitCode: 2, stdout: '', stderr: `errand admin: ${error.message}\n\n${helpOf(command)}` };
  }
}

/** All commands, or those of one noun. */
function overviewOf(noun: string | undefined): string {
  const ofNoun = COMMANDS.filter((command) => command.name.startsWith(`${noun} `));
  const shown = ofNoun.length > 0 ? ofNoun : COMMANDS;
  const lines = shown.map((command) => [[command.name, ...command.operands].join(' '), command.means] as const);
  const width = Math.max(...lines.map(([left]) => left.length));
  return [
    'errand admin COMMAND [options]     --json prints JSON, COMMAND --help tells its options',
    '',
    ...lines.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`),
    '',
  ].join('\n');
}

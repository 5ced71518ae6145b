// Takes a TypeScript file apart far enough to judge it: which modules it names, what its strings say, what is left as code.
// Knows comments, strings, templates and regular expressions; nothing of grammar.

export interface SourceText {
  /** The text with comments, and what is inside of strings and regular expressions, blanked; positions are kept. */
  readonly code: string;
  /** What strings and templates hold, in order; a template's `${...}` is left out of it and is code. */
  readonly strings: readonly StringLiteral[];
  /** Module specifiers of imports and re-exports: static, dynamic, type-only and for effect. */
  readonly imports: readonly string[];
}

export interface StringLiteral {
  readonly text: string;
  readonly start: number;
}

/** A slash after one of these begins a regular expression; after anything else it divides. */
const BEFORE_REGEX = /(?:^|[([{,;:=!&|?+\-*%~^<>]|\b(?:return|typeof|case|in|of|do|else|await|yield|void|throw))\s*$/;

export function readSource(text: string): SourceText {
  const strings: StringLiteral[] = [];
  let code = '';
  let at = 0;
  /** How deep in braces each open template expression began. */
  const templates: number[] = [];
  let depth = 0;

  const blank = (until: number): void => {
    code += text.slice(at, until).replaceAll(/[^\n]/g, ' ');
    at = until;
  };
  const template = (): void => {
    const start = at;
    while (at < text.length && text[at] !== '`' && !text.startsWith('${', at)) at += text[at] === '\\' ? 2 : 1;
    strings.push({ text: text.slice(start, at), start });
    code += text.slice(start, at).replaceAll(/[^\n]/g, ' ');
    if (text[at] === '`') {
      code += '`';
      at += 1;
    } else if (at < text.length) {
      code += '${';
      at += 2;
      depth += 1;
      templates.push(depth);
    }
  };

  while (at < text.length) {
    const char = text[at] ?? '';
    if (text.startsWith('//', at)) blank(endOr(text, text.indexOf('\n', at)));
    else if (text.startsWith('/*', at)) blank(endOr(text, text.indexOf('*/', at + 2), 2));
    else if (char === "'" || char === '"') {
      const end = endOfQuoted(text, at, char);
      strings.push({ text: text.slice(at + 1, end - 1), start: at });
      code += char;
      at += 1;
      blank(end - 1);
      code += char;
      at = end;
    } else if (char === '`') {
      code += '`';
      at += 1;
      template();
    } else if (char === '/' && BEFORE_REGEX.test(code.slice(-40))) blank(endOfRegex(text, at));
    else {
      code += char;
      at += 1;
      if (char === '{') depth += 1;
      if (char === '}') {
        const isTemplateEnd = templates.at(-1) === depth;
        depth -= 1;
        if (isTemplateEnd) {
          templates.pop();
          template();
        }
      }
    }
  }
  return { code, strings, imports: importsOf(code, strings) };
}

function endOr(text: string, found: number, more = 0): number {
  return found === -1 ? text.length : found + more;
}

function endOfQuoted(text: string, start: number, quote: string): number {
  let at = start + 1;
  while (at < text.length && text[at] !== quote && text[at] !== '\n') at += text[at] === '\\' ? 2 : 1;
  return Math.min(at + 1, text.length);
}

function endOfRegex(text: string, start: number): number {
  let isInClass = false;
  let at = start + 1;
  for (; at < text.length && text[at] !== '\n' && (isInClass || text[at] !== '/'); at += 1) {
    if (text[at] === '\\') at += 1;
    else if (text[at] === '[') isInClass = true;
    else if (text[at] === ']') isInClass = false;
  }
  return Math.min(at + 1, text.length);
}

/** A string names a module when `from`, `import` or `import(` stands right before it. */
function importsOf(code: string, strings: readonly StringLiteral[]): string[] {
  return strings
    .filter(({ start }) => /\b(?:from|import|import\s*\()\s*[`]?$/.test(code.slice(Math.max(0, start - 40), start)))
    .map(({ text }) => text);
}

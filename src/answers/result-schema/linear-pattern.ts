// Patterns of a result schema on a linear-time engine. A pattern that the engine cannot run (look-around, back-references)
// is refused when it is compiled, never run on the engine of the language.
import { RE2JS } from 're2js';

export interface LinearPattern {
  test(text: string): boolean;
  toString(): string;
}

/**
 * Compiles an ECMA-262 pattern.
 * @param flags `u` or nothing, as Ajv gives it
 * @throws when the pattern is not valid or not regular
 */
function compilePattern(pattern: string, flags: string): LinearPattern {
  const compiled = RE2JS.compile(RE2JS.translateRegExp(pattern));
  // Ajv keeps one object for all patterns whose toString() is equal: without the pattern in it, the wrong one is checked.
  const name = `linear:${flags}:${pattern}`;
  return { test: (text) => compiled.matcher(text).find(), toString: () => name };
}

/** In the form in which Ajv takes an engine. */
export const linearPatterns = Object.assign(compilePattern, { code: 'linearPatterns' });

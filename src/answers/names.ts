// Names of properties and values as words that can be spoken. Pure.

/** `closingTime`, `closing_time`, `ClosingTIME-2` -> `closing time`, `closing time`, `closing time 2`. */
export function wordsOf(name: string): string {
  return name
    .replace(/([\p{Ll}\p{N}])(\p{Lu})/gu, '$1 $2')
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')
    .replace(/[_\-./\\:]+/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .split(' ')
    .map((word) => (/^\p{Lu}{2,5}$/u.test(word) ? word : word.toLowerCase()))
    .join(' ');
}

/** One step of a JSON Pointer, escaped. @see RFC 6901, section 3 */
export function pointerStep(name: string | number): string {
  return `/${String(name).replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

/** The steps of a JSON Pointer, unescaped; null when it is not one. */
export function pointerSteps(pointer: string): readonly string[] | null {
  if (pointer === '') return [];
  if (!pointer.startsWith('/') || /~(?![01])/.test(pointer)) return null;
  return pointer
    .slice(1)
    .split('/')
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
}
